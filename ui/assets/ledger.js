// Lines that were set aside, by pattern and grouped by reason, each with one button.
// data: {revision, rules: [{pattern, reason, repeats, pages, first, kept, context}]}; pages: as text, first: a number
// or 0, context: what the lines say that the text does not, or "".
// Events: act {pattern} (restore it, or set it aside again), turned {page}.

const LEADERS = /\s*(?:[.․·…_]\s?){6,}/g; // they would fill the table

function cell(row, name, content) {
  const made = row.insertCell();
  made.className = name;
  made.append(content);
}

function button(name, text, act) {
  const made = Object.assign(document.createElement("button"), { type: "button", className: name, textContent: text });
  made.onclick = act;
  return made;
}

function line(s, body, rule) {
  const row = body.insertRow();
  row.dataset.text = rule.pattern.toLowerCase();
  row.classList.toggle("kept", rule.kept);
  cell(row, "text", rule.pattern.replace(LEADERS, " … "));
  if (rule.context) {
    const told = document.createElement("small");
    told.textContent = `kept as context: ${rule.context}`;
    row.cells[0].append(told);
  }
  cell(row, "n", rule.repeats > 1 ? `× ${rule.repeats}` : "once");
  const open = button("page", rule.pages, () => s.trigger("turned", { page: rule.first }));
  open.setAttribute("aria-label", `Open page ${rule.first}`);
  cell(row, "pages", rule.first ? open : "none here");
  const act = button("act", rule.kept ? "Undo" : "Restore", () => s.trigger("act", { pattern: rule.pattern }));
  act.setAttribute("aria-label", `${rule.kept ? "Set aside again" : "Restore"}: ${rule.pattern}`);
  cell(row, "", act);
}

function build(s) {
  const top = s.port.scrollTop;
  s.table.querySelectorAll("tbody").forEach((body) => body.remove());
  for (const [reason, rules] of Map.groupBy(s.data.rules, (rule) => rule.reason)) {
    const body = s.table.createTBody();
    const head = document.createElement("th");
    head.colSpan = 4;
    const count = document.createElement("small");
    count.textContent = ` · ${rules.length === 1 ? "1 pattern" : `${rules.length} patterns`}`;
    head.append(reason[0].toUpperCase() + reason.slice(1), count);
    body.insertRow().append(head);
    for (const rule of rules) line(s, body, rule);
  }
  s.port.scrollTop = top;
}

function filter(s) {
  const wanted = s.find.value.trim().toLowerCase();
  let any = false;
  for (const body of s.table.tBodies) {
    const [head, ...rows] = body.rows;
    for (const row of rows) row.hidden = !row.dataset.text.includes(wanted);
    head.hidden = rows.every((row) => row.hidden);
    any ||= !head.hidden;
  }
  s.none.hidden = any;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = (parentElement.__s ??= {});
  const changed = s.data?.revision !== data.revision;
  s.data = data;
  s.trigger = setTriggerValue;
  if (!s.table) {
    const find = (name) => parentElement.querySelector(name);
    Object.assign(s, { table: find("table"), find: find(".find"), port: find(".port"), none: find(".none") });
    s.find.oninput = () => filter(s);
  }
  if (changed) build(s);
  filter(s);
}
