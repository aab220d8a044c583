// A press decides the question that is seen, and that one alone. While a further question is being drawn, its words may
// stand beside buttons of the last; so a press counts only where all parts on the page belong to one question, its
// pictures are there, and it has stood so for a moment. A key that is held, and whatever comes between a press and its
// answer, count as nothing. While nothing counts, the buttons are pale, and the body says so in data-decides.
// data: {within: the containers of the buttons that decide, as a selector; parts: the containers of what belongs to a
// question, as a selector, named after it; ids: the names of what is shown, one of them ends the name of each part;
// turn: another one for each answer}.

const QUIET = 400; // milliseconds; a double click is quicker, and nobody reads a question in less
const NO_ANSWER = 3000; // milliseconds until a press that led to nothing no longer holds up the next
const LOOK = 50; // milliseconds
const KEYS = ["Enter", "Delete"];
const CHOOSES = "[role=combobox], [role=listbox], [role=option], textarea";

function whole(s) {
  const parts = [...document.querySelectorAll(s.parts)];
  const ours = (part) => [...part.classList].some((name) => s.ids.some((id) => name.endsWith(`_${id}`)));
  const drawn = (part) => [...part.querySelectorAll("img")].every((picture) => picture.complete);
  return parts.length > 0 && parts.every((part) => ours(part) && drawn(part));
}

function waits(s) {
  const now = performance.now();
  if (!whole(s)) s.whole = Infinity;
  else if (s.whole === Infinity) s.whole = now;
  return now - s.whole < QUIET || now - s.pressed < NO_ANSWER;
}

function show(s) {
  document.body.dataset.decides = waits(s) ? "wait" : "now";
}

function stopped(s, event, held) {
  if (held || waits(s)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  s.pressed = performance.now();
  show(s);
}

function answered(s, data) {
  if (s.turn === data.turn) return;
  Object.assign(s, { turn: data.turn, parts: data.parts, ids: data.ids, whole: Infinity, pressed: -Infinity });
}

export default function ({ data, parentElement }) {
  const s = (parentElement.__s ??= {});
  s.end?.();
  answered(s, data);
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
  const looks = setInterval(() => show(s), LOOK);
  show(s);
  const end = () => {
    window.removeEventListener("keydown", key, true);
    window.removeEventListener("click", click, true);
    clearInterval(looks);
    delete document.body.dataset.decides;
  };
  s.end = end;
  return end;
}
