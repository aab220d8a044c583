// A page picture with clickable boxes.
// data: {src, next, width, height, page, pages, alt, sel, bring, frame, legend: [{color, label, quiet, form}],
//        boxes: [{id, box: [x0, top, x1, bottom], color, tip, quiet, form, turn}]}; boxes in page points; form: "", thin,
//        faint, dashed or dotted; turn: degrees clockwise about the box's middle; bring: where it changes, the boxes that
//        are not quiet come into sight; frame: the mouse draws frames. Events: picked {id}, turned {page},
//        framed {page, box}.
// Zoom is the width of the sheet inside a scrolling port, so touch, wheel and keyboard scroll as anywhere else.

const SVG = "http://www.w3.org/2000/svg";
const PAD = 1.2; // points of air around a box
const ZOOMS = [1, 1.25, 1.5, 2, 3, 4];

function make(name, attributes) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

function drawBoxes(s) {
  const { data } = s;
  const focused = s.group.getRootNode().activeElement?.dataset?.id; // it goes with the old boxes
  s.svg.setAttribute("viewBox", `0 0 ${data.width} ${data.height}`);
  s.group.replaceChildren(
    ...data.boxes.map((item) => {
      const [x0, top, x1, bottom] = item.box;
      const pad = item.form === "thin" || item.form === "faint" ? 0 : PAD;
      const rect = make("rect", {
        x: x0 - pad, y: top - pad, width: Math.max(x1 - x0, 1) + 2 * pad, height: Math.max(bottom - top, 1) + 2 * pad, rx: 1.5,
      });
      if (item.turn) rect.setAttribute("transform", `rotate(${item.turn} ${(x0 + x1) / 2} ${(top + bottom) / 2})`);
      rect.style.setProperty("--box", item.color);
      rect.setAttribute("class", [item.quiet ? "quiet" : "", item.form, item.id !== null && item.id === data.sel ? "sel" : ""].join(" "));
      const title = make("title", {});
      title.textContent = item.tip;
      rect.append(title);
      if (item.id !== null) {
        rect.dataset.id = item.id;
        rect.setAttribute("role", "button");
        rect.setAttribute("tabindex", "-1");
        rect.setAttribute("aria-label", item.tip);
        rect.setAttribute("aria-pressed", String(item.id === data.sel));
      }
      return rect;
    }),
  );
  s.places = [...s.group.querySelectorAll("[data-id]")];
  const entry = s.group.querySelector(".sel[data-id]") ?? s.places[0];
  entry?.setAttribute("tabindex", "0"); // one tab stop; the arrow keys go on from there
  if (focused !== undefined) s.places.find((rect) => rect.dataset.id === focused)?.focus({ preventScroll: true });
  s.said.textContent = s.group.querySelector(".sel title")?.textContent ?? "";
  reveal(s);
}

function bring(s) {
  const asked = s.bring !== undefined && s.bring !== s.data.bring;
  s.bring = s.data.bring;
  const boxes = asked ? [...s.group.querySelectorAll("rect:not(.quiet)")] : [];
  if (!boxes.length) return;
  const narrow = innerWidth <= 640; // there the picture lies below what was chosen
  for (const box of [boxes.at(-1), boxes[0]]) box.scrollIntoView({ block: narrow ? "center" : "nearest", inline: "nearest" });
}

function say(s, event) {
  const tip = event.target.querySelector?.("title")?.textContent;
  s.said.textContent = tip ?? s.group.querySelector(".sel title")?.textContent ?? "";
}

function reveal(s) {
  if (s.zoom === 1 || s.shown === s.data.sel) return;
  s.shown = s.data.sel;
  s.group.querySelector(".sel")?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function drawLegend(s) {
  s.legend.replaceChildren(
    ...s.data.legend.map((item) => {
      const entry = document.createElement("span");
      const chip = document.createElement("i");
      chip.style.setProperty("--box", item.color);
      chip.className = item.quiet ? "quiet" : item.form;
      entry.append(chip, item.label);
      return entry;
    }),
  );
}

function setZoom(s, zoom, at) {
  const port = s.port;
  const before = s.zoom;
  s.zoom = Math.min(Math.max(zoom, 1), 4);
  port.style.height = s.zoom > 1 ? `${port.clientWidth * (s.data.height / s.data.width)}px` : "";
  const [dx, dy] = at ?? [port.clientWidth / 2, port.clientHeight / 2];
  const [x, y] = [port.scrollLeft + dx, port.scrollTop + dy];
  s.sheet.style.width = `${s.zoom * 100}%`;
  port.scrollLeft = (x * s.zoom) / before - dx;
  port.scrollTop = (y * s.zoom) / before - dy;
  s.level.textContent = `${Math.round(s.zoom * 100)} %`;
  s.out.disabled = s.zoom <= 1;
  s.in.disabled = s.zoom >= 4;
}

function step(s, by) {
  const near = ZOOMS.reduce((best, z, i) => (Math.abs(z - s.zoom) < Math.abs(ZOOMS[best] - s.zoom) ? i : best), 0);
  setZoom(s, ZOOMS[Math.min(Math.max(near + by, 0), ZOOMS.length - 1)]);
}

function turn(s, page) {
  const wanted = Math.min(Math.max(Math.round(page) || s.data.page, 1), s.data.pages);
  s.number.value = wanted;
  if (wanted !== s.data.page) s.trigger("turned", { page: wanted });
}

function showPicture(s, changed) {
  const { data } = s;
  s.sheet.style.aspectRatio = `${data.width} / ${data.height}`;
  s.failed.hidden = true;
  if (changed) {
    s.port.scrollTo(0, 0);
    s.image.classList.add("waiting");
    s.image.onload = () => s.image.classList.remove("waiting");
    s.image.onerror = () => {
      s.image.classList.remove("waiting");
      s.failed.hidden = false;
    };
    s.image.src = data.src;
  }
  s.image.alt = data.alt;
  if (data.next) new Image().src = data.next;
}

// A frame drawn with the mouse, from where it is pressed to where it is let go; a finger scrolls, as ever.
function frames(s) {
  const at = (event) => {
    const edge = s.svg.getBoundingClientRect();
    const [x, y] = [(event.clientX - edge.left) / edge.width, (event.clientY - edge.top) / edge.height];
    return [Math.min(Math.max(x, 0), 1) * s.data.width, Math.min(Math.max(y, 0), 1) * s.data.height];
  };
  const box = (one, other) => [Math.min(one[0], other[0]), Math.min(one[1], other[1]), Math.max(one[0], other[0]), Math.max(one[1], other[1])];
  s.svg.addEventListener("pointerdown", (event) => {
    if (!s.data.frame || event.pointerType === "touch" || event.button) return;
    event.preventDefault();
    s.drag?.abort(); // one that was let go outside of the window
    s.drag = new AbortController();
    const [from, begun, { signal }] = [at(event), event, s.drag];
    let rect = null;
    const move = (event) => {
      if (!rect && Math.hypot(event.clientX - begun.clientX, event.clientY - begun.clientY) < 5) return;
      if (!rect) s.svg.append((rect = make("rect", { class: "frame" })));
      const [x0, top, x1, bottom] = box(from, at(event));
      for (const [name, value] of Object.entries({ x: x0, y: top, width: x1 - x0, height: bottom - top })) rect.setAttribute(name, value);
    };
    const up = (event) => {
      s.drag.abort();
      if (!rect) return;
      s.drawn = performance.now(); // the click that follows is none
      s.trigger("framed", { page: s.data.page, box: box(from, at(event)) });
    };
    signal.addEventListener("abort", () => rect?.remove());
    addEventListener("pointermove", move, { signal });
    addEventListener("pointerup", up, { signal });
  });
}

function setUp(root, s) {
  const find = (name) => root.querySelector(name);
  Object.assign(s, {
    port: find(".port"), sheet: find(".sheet"), image: find("img"), svg: find("svg"), group: find("g"), legend: find(".legend"),
    number: find(".number"), of: find(".of"), prev: find(".prev"), nextPage: find(".next"), level: find(".level"),
    out: find(".out"), in: find(".in"), failed: find(".failed"), said: find(".said"), zoom: 1, shown: null,
  });
  s.prev.onclick = () => turn(s, s.data.page - 1);
  s.nextPage.onclick = () => turn(s, s.data.page + 1);
  s.number.onchange = () => turn(s, +s.number.value);
  s.out.onclick = () => step(s, -1);
  s.in.onclick = () => step(s, 1);
  s.level.onclick = () => setZoom(s, 1);
  s.port.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey) return;
      event.preventDefault();
      const edge = s.port.getBoundingClientRect();
      setZoom(s, s.zoom * Math.exp(-event.deltaY / 300), [event.clientX - edge.left, event.clientY - edge.top]);
    },
    { passive: false },
  );
  frames(s);
  const pick = (event) => {
    if (performance.now() - (s.drawn ?? -1e3) < 200) return;
    const id = event.target.dataset?.id;
    if (id !== undefined) s.trigger("picked", { id });
  };
  s.group.addEventListener("click", pick);
  s.group.addEventListener("keydown", (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      pick(event);
    }
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const next = by && s.places[s.places.indexOf(event.target) + by];
    if (!next) return;
    event.preventDefault();
    event.target.setAttribute("tabindex", "-1");
    next.setAttribute("tabindex", "0");
    next.focus();
  });
  for (const name of ["mouseover", "focusin"]) s.group.addEventListener(name, (event) => say(s, event));
  s.group.addEventListener("mouseleave", (event) => say(s, event));
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = (parentElement.__s ??= {});
  const first = !s.port;
  const changed = s.data?.src !== data.src;
  s.data = data;
  s.trigger = setTriggerValue;
  if (first) setUp(parentElement, s);
  showPicture(s, changed);
  if (changed) setZoom(s, 1);
  s.number.value = data.page;
  s.number.max = data.pages;
  s.of.textContent = `of ${data.pages}`;
  s.prev.disabled = data.page <= 1;
  s.nextPage.disabled = data.page >= data.pages;
  s.svg.classList.toggle("framing", Boolean(data.frame));
  drawBoxes(s);
  drawLegend(s);
  bring(s);
}
