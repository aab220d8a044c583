// A tree of sections, or of values: folds, filters, keyboard.
// data: {doc, revision, sel, height, empty, label, find, nodes: [[id, level, number, title, page, color], ...]} in
// reading order; label, find: what the tree and its search are called; page: 0 for none.
// Event: picked {id, page}. Folding is kept per document in sessionStorage, so it outlives page switches and reloads.

function parents(nodes) {
  const stack = [];
  return nodes.map(([, level], i) => {
    if (level < 1) return -1; // text before the first heading has nothing below it
    while (stack.length && nodes[stack[stack.length - 1]][1] >= level) stack.pop();
    const parent = stack.length ? stack[stack.length - 1] : -1;
    stack.push(i);
    return parent;
  });
}

function remember(s) {
  try {
    sessionStorage.setItem(`folded:${s.data.doc}`, JSON.stringify([...s.folded]));
  } catch {
    // a browser without storage folds for the moment only
  }
}

function recall(doc) {
  try {
    return new Set(JSON.parse(sessionStorage.getItem(`folded:${doc}`) ?? "[]"));
  } catch {
    return new Set();
  }
}

function build(s) {
  const nodes = s.data.nodes;
  s.parent = parents(nodes);
  s.hasChildren = new Set(s.parent);
  s.depth = [];
  s.parent.forEach((p, i) => s.depth.push(p < 0 ? 0 : s.depth[p] + 1));
  s.items = nodes.map(([id, level, number, title, page, color], i) => {
    const item = document.createElement("div");
    item.setAttribute("role", "treeitem");
    item.setAttribute("aria-level", s.depth[i] + 1);
    item.dataset.i = i;
    item.style.setProperty("--depth", s.depth[i]);
    item.style.setProperty("--level", color);
    const [fold, dot, name, where] = ["span", "span", "span", "span"].map((tag) => document.createElement(tag));
    fold.className = "fold";
    fold.textContent = s.hasChildren.has(i) ? "›" : "";
    dot.className = "dot";
    name.className = "name";
    if (number) {
      const bold = document.createElement("b");
      bold.textContent = number;
      name.append(bold, " ");
    }
    name.append(title || (number ? "" : "(untitled)"));
    where.className = "page";
    where.textContent = page ? `p. ${page}` : "";
    const place = page ? `, page ${page}` : "";
    item.setAttribute("aria-label", `${number ?? ""} ${title}, level ${level}${place}`.trim());
    item.append(fold, dot, name, where);
    return item;
  });
  s.tree.replaceChildren(...s.items);
}

function arrange(s) {
  const wanted = s.find.value.trim().toLowerCase();
  const nodes = s.data.nodes;
  const hit = new Set();
  if (wanted) {
    nodes.forEach(([, , number, title], i) => {
      if (!`${number ?? ""} ${title}`.toLowerCase().includes(wanted)) return;
      for (let j = i; j >= 0; j = s.parent[j]) hit.add(j);
    });
  }
  const closed = [];
  s.items.forEach((item, i) => {
    const p = s.parent[i];
    const under = p >= 0 && (closed[p] || s.folded.has(nodes[p][0]));
    closed[i] = under;
    item.hidden = wanted ? !hit.has(i) : under;
    item.style.display = item.hidden ? "none" : "";
    if (s.hasChildren.has(i)) item.setAttribute("aria-expanded", String(Boolean(wanted) || !s.folded.has(nodes[i][0])));
  });
  s.none.hidden = nodes.length > 0 && (!wanted || hit.size > 0);
  s.none.textContent = nodes.length ? "Nothing matches." : s.data.empty;
  s.tree.hidden = !nodes.length;
  s.tree.style.display = nodes.length ? "" : "none";
}

function mark(s, scroll) {
  const at = s.data.nodes.findIndex(([id]) => id === s.sel);
  for (let p = at >= 0 ? s.parent[at] : -1; p >= 0; p = s.parent[p]) {
    if (s.folded.delete(s.data.nodes[p][0])) s.stale = true;
  }
  if (s.stale) {
    s.stale = false;
    arrange(s);
    remember(s);
  }
  s.items.forEach((item, i) => {
    item.setAttribute("aria-selected", String(i === at));
    item.tabIndex = i === Math.max(at, 0) ? 0 : -1;
  });
  if (scroll && at >= 0 && !s.items[at].hidden) {
    const item = s.items[at];
    const [top, bottom] = [item.offsetTop - s.tree.offsetTop, item.offsetTop - s.tree.offsetTop + item.offsetHeight];
    if (top < s.tree.scrollTop || bottom > s.tree.scrollTop + s.tree.clientHeight) {
      s.tree.scrollTop = top - s.tree.clientHeight / 3;
    }
  }
}

function choose(s, i, wait) {
  const [id, , , , page] = s.data.nodes[i];
  s.sel = id;
  mark(s, true);
  s.items[i].focus({ preventScroll: true });
  clearTimeout(s.timer);
  s.timer = setTimeout(() => s.trigger("picked", { id, page }), wait);
}

function fold(s, i, shut) {
  const id = s.data.nodes[i][0];
  if (shut) s.folded.add(id);
  else s.folded.delete(id);
  arrange(s);
  remember(s);
}

function onKey(s, event) {
  const i = +(event.target.dataset?.i ?? -1);
  if (i < 0) return;
  const seen = s.items.map((_, j) => j).filter((j) => !s.items[j].hidden);
  const at = seen.indexOf(i);
  const folded = s.folded.has(s.data.nodes[i][0]);
  const go = (j) => j !== undefined && choose(s, j, 150);
  const moves = {
    ArrowDown: () => go(seen[at + 1]),
    ArrowUp: () => go(seen[at - 1]),
    Home: () => go(seen[0]),
    End: () => go(seen[seen.length - 1]),
    ArrowRight: () => (s.hasChildren.has(i) ? (folded ? fold(s, i, false) : go(seen[at + 1])) : undefined),
    ArrowLeft: () => (s.hasChildren.has(i) && !folded ? fold(s, i, true) : s.parent[i] >= 0 && go(s.parent[i])),
    Enter: () => choose(s, i, 0),
    " ": () => choose(s, i, 0),
  };
  if (!moves[event.key]) return;
  event.preventDefault();
  moves[event.key]();
}

function setUp(root, s) {
  const find = (name) => root.querySelector(name);
  Object.assign(s, { tree: find(".tree"), find: find(".find"), none: find(".none"), folded: recall(s.data.doc) });
  find(".open").onclick = () => {
    s.folded.clear();
    arrange(s);
    remember(s);
  };
  find(".shut").onclick = () => {
    s.folded = new Set(s.data.nodes.map(([id]) => id).filter((_, i) => s.hasChildren.has(i)));
    arrange(s);
    remember(s);
  };
  s.find.oninput = () => arrange(s);
  s.tree.onclick = (event) => {
    const item = event.target.closest("[role=treeitem]");
    if (!item) return;
    const i = +item.dataset.i;
    if (event.target.className === "fold" && s.hasChildren.has(i)) fold(s, i, !s.folded.has(s.data.nodes[i][0]));
    else choose(s, i, 0);
  };
  s.tree.onkeydown = (event) => onKey(s, event);
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = (parentElement.__s ??= {});
  const rebuilt = s.data?.revision !== data.revision;
  const other = s.data && s.data.doc !== data.doc;
  const picked = s.sel !== data.sel;
  s.data = data;
  s.trigger = setTriggerValue;
  s.sel = data.sel;
  if (!s.tree) setUp(parentElement, s);
  if (other) s.folded = recall(data.doc);
  s.tree.style.setProperty("--height", data.height);
  s.tree.ariaLabel = data.label;
  s.find.placeholder = s.find.ariaLabel = data.find;
  if (rebuilt) {
    const top = s.tree.scrollTop;
    build(s);
    arrange(s);
    s.tree.scrollTop = other ? 0 : top;
  }
  mark(s, picked || (rebuilt && !s.drawn));
  s.drawn = true;
}
