// Live sliders, one per heading tier; each holds the smallest size (points) that still belongs to its tier.
// data: {revision, body, low, high, step, most, tiers: [{points, color}], state}.
// Event: moved {points: [...]}, highest first. One request is in flight at a time: each call of this function is the
// answer to the last one (with a time-out), and then the newest position is sent.

const TIMEOUT = 1500;

function push(s) {
  if (s.busy || !s.want) return;
  s.busy = true;
  const points = s.want;
  s.want = null;
  clearTimeout(s.timer);
  s.timer = setTimeout(() => {
    s.busy = false;
    push(s);
  }, TIMEOUT);
  s.trigger("moved", { points });
}

function send(s) {
  s.want = s.points.map((value) => Math.round(value * 100) / 100);
  push(s);
}

function label(s, i) {
  const [input, output] = [s.inputs[i], s.outputs[i]];
  const { low, high } = s.data;
  input.style.setProperty("--filled", `${(100 * (input.value - low)) / (high - low)}%`);
  const ratio = (s.points[i] / s.data.body).toFixed(2);
  output.firstChild.data = `≥ ${s.points[i].toFixed(1)} pt `;
  output.lastChild.textContent = `× ${ratio}`;
  input.setAttribute("aria-valuetext", `${s.points[i].toFixed(1)} points, ${ratio} times the body size`);
}

// tiers fall from one to the next: a slider stops a step before its neighbours
function bounded(s, i, value) {
  const { low, high, step } = s.data;
  const top = i > 0 ? s.points[i - 1] - step : high;
  const bottom = i < s.points.length - 1 ? s.points[i + 1] + step : low;
  return Math.min(Math.max(value, bottom), top);
}

function rows(s) {
  s.inputs = [];
  s.outputs = [];
  s.rows.replaceChildren(
    ...s.data.tiers.map((tier, i) => {
      const row = document.createElement("label");
      row.className = "row";
      row.style.setProperty("--level", tier.color);
      const name = document.createElement("b");
      name.textContent = `H${i + 1}`;
      const input = Object.assign(document.createElement("input"), {
        type: "range", min: s.data.low, max: s.data.high, step: s.data.step, value: tier.points,
      });
      input.setAttribute("aria-label", `Smallest size of heading tier ${i + 1}`);
      const output = document.createElement("output");
      output.append("", document.createElement("small"));
      input.oninput = () => {
        s.points[i] = bounded(s, i, +input.value);
        input.value = s.points[i];
        label(s, i);
        send(s);
      };
      s.inputs.push(input);
      s.outputs.push(output);
      row.append(name, input, output);
      return row;
    }),
  );
}

function setUp(root, s) {
  const find = (name) => root.querySelector(name);
  Object.assign(s, { rows: find(".rows"), more: find(".more"), less: find(".less"), state: find(".state") });
  s.more.onclick = () => {
    const last = s.points.length ? s.points[s.points.length - 1] : s.data.high;
    s.points = [...s.points, (last + s.data.low) / 2];
    send(s);
  };
  s.less.onclick = () => {
    s.points = s.points.slice(0, -1);
    send(s);
  };
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = (parentElement.__s ??= {});
  const remade = !s.data || s.data.tiers.length !== data.tiers.length || s.data.low !== data.low || s.data.high !== data.high;
  s.data = data;
  s.trigger = setTriggerValue;
  if (!s.rows) setUp(parentElement, s);
  clearTimeout(s.timer);
  s.busy = false;
  if (!s.want) s.points = data.tiers.map((tier) => tier.points);
  if (remade) rows(s);
  s.inputs.forEach((input, i) => {
    if (i >= s.points.length) return;
    if (!input.matches(":active")) input.value = s.points[i];
    else s.points[i] = +input.value;
    label(s, i);
  });
  s.more.disabled = data.tiers.length >= data.most || s.points[s.points.length - 1] - data.low < 2 * data.step;
  s.less.disabled = data.tiers.length < 2;
  s.state.textContent = data.state;
  push(s);
}
