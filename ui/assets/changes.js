// What became of sections between two trees, one line a change.
// data: {revision, sel, empty, rows: [{id, kind, color, old: [..], new: [..], notes, page}]}; old, new: names.
// Event: picked {id}.

function node(name, className, ...content) {
  const made = document.createElement(name);
  made.className = className;
  made.append(...content);
  return made;
}

function names(row) {
  const [was, now] = [row.old.join(" + "), row.new.join(" + ")];
  if (!was || !now || was === now) return [row.kind === "removed" ? node("del", "", was) : now || was];
  return [row.kind === "renamed" ? node("del", "", was) : was, " → ", now];
}

function build(s) {
  s.items = s.data.rows.map((row) => {
    const item = node("div", "", node("span", "kind", row.kind), node("span", "name", ...names(row)), node("span", "page", row.page));
    if (row.notes) item.append(node("span", "notes", row.notes));
    item.setAttribute("role", "option");
    item.tabIndex = -1;
    item.style.setProperty("--kind", row.color);
    item.dataset.id = row.id;
    item.dataset.text = [...row.old, ...row.new, row.notes].join(" ").toLowerCase();
    return item;
  });
  s.list.replaceChildren(...s.items);
}

function mark(s) {
  for (const item of s.items) {
    const chosen = item.dataset.id === s.sel;
    item.setAttribute("aria-selected", String(chosen));
    item.tabIndex = chosen ? 0 : -1;
  }
  if (s.items.length && !s.items.some((item) => item.tabIndex === 0)) s.items[0].tabIndex = 0;
}

function filter(s) {
  const wanted = s.find.value.trim().toLowerCase();
  let seen = 0;
  for (const item of s.items) {
    item.hidden = !item.dataset.text.includes(wanted);
    item.style.display = item.hidden ? "none" : "";
    seen += !item.hidden;
  }
  s.none.textContent = s.items.length ? `Nothing found for “${s.find.value}”.` : s.data.empty;
  s.none.hidden = seen > 0;
  s.list.hidden = seen === 0;
}

function choose(s, item, wait) {
  s.sel = item.dataset.id;
  mark(s);
  item.focus({ preventScroll: true });
  item.scrollIntoView({ block: "nearest" });
  clearTimeout(s.timer);
  s.timer = setTimeout(() => s.trigger("picked", { id: s.sel }), wait);
}

function setUp(root, s) {
  Object.assign(s, { list: root.querySelector(".list"), find: root.querySelector(".find"), none: root.querySelector(".none") });
  s.list.removeAttribute("tabindex");
  s.find.oninput = () => filter(s);
  s.list.onclick = (event) => {
    const item = event.target.closest("[role=option]");
    if (item) choose(s, item, 0);
  };
  s.list.onkeydown = (event) => {
    const seen = s.items.filter((item) => !item.hidden);
    const at = seen.indexOf(event.target.closest("[role=option]"));
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: seen.length - 1, Enter: at, " ": at }[event.key];
    if (at < 0 || !seen[to]) return;
    event.preventDefault();
    choose(s, seen[to], event.key === "Enter" ? 0 : 150);
  };
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = (parentElement.__s ??= {});
  const changed = s.data?.revision !== data.revision;
  s.data = data;
  s.trigger = setTriggerValue;
  s.sel = data.sel;
  if (!s.list) setUp(parentElement, s);
  if (changed) build(s);
  mark(s);
  filter(s);
}
