// A strip of small cells, one a page or one a run of pages: how far its words can be trusted.
// data: {cells: [{page, letter, look, color, fill, tip, chosen, first, last}], sel, said, dense, height}; `look`: class
// names, fill: percent. Event: picked {page}. One tab stop; the arrow keys go from cell to cell.

function build(s) {
  s.buttons = s.data.cells.map((cell, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = `${cell.look}${cell.chosen ? " chosen" : ""}`;
    button.dataset.i = i;
    button.title = cell.tip;
    button.setAttribute("aria-label", cell.tip);
    button.style.setProperty("--cell", cell.color);
    button.style.setProperty("--fill", `${cell.fill}%`);
    const [bar, letter] = [document.createElement("i"), document.createElement("b")];
    letter.textContent = cell.letter;
    button.append(bar, letter);
    return button;
  });
  s.cells.replaceChildren(...s.buttons);
}

function mark(s) {
  const at = s.data.cells.findIndex(({ first, last }) => first <= s.data.sel && s.data.sel <= last);
  s.buttons.forEach((button, i) => {
    button.tabIndex = i === Math.max(at, 0) ? 0 : -1;
    if (i === at) button.setAttribute("aria-current", "page");
    else button.removeAttribute("aria-current");
  });
  const chosen = s.buttons[at];
  if (!chosen) return;
  const [top, bottom] = [chosen.offsetTop, chosen.offsetTop + chosen.offsetHeight];
  if (top < s.cells.scrollTop || bottom > s.cells.scrollTop + s.cells.clientHeight) {
    s.cells.scrollTop = top - s.cells.clientHeight / 2;
  }
}

function setUp(root, s) {
  Object.assign(s, { cells: root.querySelector(".cells"), said: root.querySelector(".said"), buttons: [] });
  const of = (event) => event.target.closest?.("button");
  const say = (event) => {
    const button = of(event);
    s.said.textContent = button ? s.data.cells[+button.dataset.i].tip : s.data.said;
  };
  const still = () => (s.said.textContent = s.data.said);
  s.cells.addEventListener("mouseover", say);
  s.cells.addEventListener("focusin", say);
  s.cells.addEventListener("mouseleave", still);
  s.cells.addEventListener("focusout", still);
  s.cells.onclick = (event) => {
    const button = of(event);
    if (button) s.trigger("picked", { page: s.data.cells[+button.dataset.i].page });
  };
  s.cells.onkeydown = (event) => {
    const i = +(of(event)?.dataset.i ?? -1);
    const next = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: s.buttons.length - 1 }[event.key];
    if (i < 0 || next === undefined || !s.buttons[next]) return;
    event.preventDefault();
    s.buttons[i].tabIndex = -1;
    s.buttons[next].tabIndex = 0;
    s.buttons[next].focus();
  };
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = (parentElement.__s ??= {});
  const revision = JSON.stringify(data.cells);
  s.data = data;
  s.trigger = setTriggerValue;
  if (!s.cells) setUp(parentElement, s);
  s.cells.style.setProperty("--height", data.height);
  s.cells.className = data.dense ? "cells dense" : "cells";
  if (s.revision !== revision) {
    s.revision = revision;
    build(s);
  }
  s.said.textContent = data.said;
  mark(s);
}
