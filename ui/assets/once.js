// One press decides one question: a key that is held, or a second press or click right after one that decided, does
// nothing, for by then the next question may stand where the last one was.
// data: {within}: the containers of the buttons that decide, as a selector.

const QUIET = 400; // milliseconds; a double click is quicker
const KEYS = ["Enter", "Delete"];
const CHOOSES = "[role=combobox], [role=listbox], [role=option], textarea";

function stopped(s, event, held) {
  const now = performance.now();
  if (held || now - s.last < QUIET) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  s.last = now;
}

export default function ({ data, parentElement }) {
  const s = (parentElement.__s ??= { last: -QUIET });
  s.end?.();
  const key = (event) => {
    if (!KEYS.includes(event.key) || event.target.closest?.(CHOOSES)) return;
    if (event.key === "Delete" && event.target.closest?.("input")) return; // it deletes a letter
    stopped(s, event, event.repeat);
  };
  const click = (event) => {
    if (event.detail > 0 && event.target.closest?.(data.within)) stopped(s, event, false); // 0: a key's
  };
  window.addEventListener("keydown", key, true);
  window.addEventListener("click", click, true);
  const end = () => {
    window.removeEventListener("keydown", key, true);
    window.removeEventListener("click", click, true);
  };
  s.end = end;
  return end;
}
