// Places of a document in a table, one of them chosen; a row is clicked, or reached by the arrow keys.
// data: {revision, sel, height, label, heads: [4 titles], rows: [{id, name, link, href, title, text, note, page, badge,
// tone}]}; link: what is written on the link to the section, "" for none; page: 0 for none; tone: a colour.
// Events: picked {id}, opened {id}: the link was followed.

function part(parent, name, text, tag = "span") {
  if (!text) return;
  parent.append(Object.assign(document.createElement(tag), { className: name, textContent: text }));
}

function link(s, cell, item) {
  if (!item.link) return;
  const made = Object.assign(document.createElement("a"), { href: item.href, textContent: item.link });
  made.title = "Open in Structure";
  made.onclick = (event) => {
    event.stopPropagation();
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // a new tab, as everywhere
    event.preventDefault();
    s.trigger("opened", { id: item.id });
  };
  cell.append(made);
}

function line(s, item) {
  const row = s.body.insertRow();
  row.dataset.id = item.id;
  row.style.setProperty("--tone", item.tone);
  row.onclick = () => choose(s, row);
  const [name, what, page, badge] = ["name", "what", "page", "badge"].map((kind) =>
    Object.assign(row.insertCell(), { className: kind }),
  );
  part(name, "", item.name, "b");
  link(s, name, item);
  part(what, "", item.title, "b");
  part(what, "text", item.text);
  part(what, "note", item.note);
  page.textContent = item.page || "";
  badge.textContent = item.badge;
}

function choose(s, row) {
  if (s.sel === row.dataset.id) return;
  s.sel = row.dataset.id;
  mark(s);
  s.trigger("picked", { id: s.sel });
}

function mark(s) {
  const rows = [...s.body.rows];
  for (const row of rows) {
    row.ariaSelected = String(row.dataset.id === s.sel);
    row.tabIndex = -1;
  }
  const chosen = rows.find((row) => row.dataset.id === s.sel) ?? rows[0];
  if (chosen) chosen.tabIndex = 0;
}

function onKey(s, event) {
  const row = event.target.closest("tbody tr");
  if (!row || event.target !== row) return;
  const next = { ArrowDown: row.nextElementSibling, ArrowUp: row.previousElementSibling, Enter: row, " ": row }[event.key];
  if (!next) return;
  event.preventDefault();
  next.focus();
  choose(s, next);
}

function build(s) {
  s.head.replaceChildren();
  for (const title of s.data.heads) part(s.head, "", title, "th");
  s.body.replaceChildren();
  for (const item of s.data.rows) line(s, item);
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = (parentElement.__s ??= {});
  const rebuilt = s.data?.revision !== data.revision;
  s.data = data;
  s.trigger = setTriggerValue;
  s.sel = data.sel;
  if (!s.body) {
    const find = (name) => parentElement.querySelector(name);
    Object.assign(s, { port: find(".hits"), head: find("thead tr"), body: find("tbody") });
    s.port.onkeydown = (event) => onKey(s, event);
  }
  describe(s);
  if (rebuilt) build(s);
  mark(s);
}

function describe(s) {
  s.port.style.setProperty("--height", s.data.height);
  s.port.querySelector("table").ariaLabel = s.data.label;
}
