// Live sliders, one per kind of evidence, from 0 (counts for nothing) to 1 (suffices alone).
// data: {rows: [{name, label, value, off}]}; off: why it cannot count now, or "". Event: moved {name, value}.
// One request is in flight at a time, as in tier_sliders.js; what is newest by name is sent next.

const TIMEOUT = 1500;

function push(s) {
  const [name] = s.want.keys();
  if (s.busy || name === undefined) return;
  s.busy = true;
  const value = s.want.get(name);
  s.want.delete(name);
  s.timer = setTimeout(() => {
    s.busy = false;
    push(s);
  }, TIMEOUT);
  s.trigger("moved", { name, value });
}

function label(row, value) {
  row.input.style.setProperty("--filled", `${100 * value}%`);
  row.output.textContent = (+value).toFixed(2);
}

function build(s) {
  s.rows = new Map();
  s.group.replaceChildren(
    ...s.data.rows.map(({ name, label: text }) => {
      const line = document.createElement("label");
      const title = document.createElement("span");
      title.textContent = text;
      const input = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 1, step: 0.05 });
      input.setAttribute("aria-label", `Weight of ${text.toLowerCase()}`);
      const row = { line, input, output: document.createElement("output") };
      input.oninput = () => {
        label(row, input.value);
        s.want.set(name, +input.value);
        push(s);
      };
      s.rows.set(name, row);
      line.append(title, input, row.output);
      return line;
    }),
  );
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = (parentElement.__s ??= { want: new Map() });
  s.data = data;
  s.trigger = setTriggerValue;
  s.group ??= parentElement.querySelector(".rows");
  if (!s.rows) build(s);
  clearTimeout(s.timer);
  s.busy = false;
  for (const { name, value, off } of data.rows) {
    const row = s.rows.get(name);
    row.line.className = off ? "row off" : "row";
    row.line.title = off;
    row.input.disabled = Boolean(off);
    if (!row.input.matches(":active") && !s.want.has(name)) row.input.value = value;
    label(row, row.input.value);
  }
  push(s);
}
