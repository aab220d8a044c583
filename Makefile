# Every target installs what it lacks first, and may be repeated at will.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help app test check docs setup lock clean

help: ## Say what can be made
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

app: ## Start the app on a sample document (PORT=8501 SAMPLE=agreement)
	@scripts/install-system-packages || echo "Going on without them."
	@scripts/setup
	@.venv/bin/pagewitness app --port "$${PORT:-8501}" --sample "$${SAMPLE:-agreement}"

test: ## Run all tests, those in a browser too (ARGS="-k outline" chooses)
	@scripts/install-system-packages --tests
	@scripts/setup --tests
	@.venv/bin/python -m pytest -n 2 --dist loadfile $(ARGS)

check: ## Check format, lint, types, import layers and what files may hold
	@scripts/setup --tests
	.venv/bin/ruff format --check .
	.venv/bin/ruff check .
	.venv/bin/mypy
	.venv/bin/lint-imports --no-cache --no-logo
	.venv/bin/python scripts/check_files.py

docs: ## Make a page for each module, from its docstrings, in build/docs
	@scripts/setup --tests
	@.venv/bin/pdoc --no-show-source -o build/docs pipeline

setup: ## Make .venv with everything in it, for working on the code
	@scripts/install-system-packages --tests || echo "Going on without them."
	@scripts/setup --tests

lock: setup ## Remake the pinned requirements from pyproject.toml
	@scripts/lock

clean: ## Remove .venv and what was built
	rm -rf .venv build dist *.egg-info .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis
