"""Sample documents with their truth, drawn from a seed.

Comes in: options (a frozen dataclass for each kind of document; its seed and sizes) and a folder. Goes out: `X.pdf`
and `X.truth.json` beside it. Same options, same bytes. All companies, people and addresses are invented.
"""
