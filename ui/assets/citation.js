// A citation: the answer, the headings that it stands under, what is quoted, the verdict, and what differs.
// data: {lead, crumbs: [{id, text, href}], quote, badge, reason, tone, nearest, differences: [{quoted, printed}]}
// Event: opened {id}: a heading was followed.

function crumb(s, item) {
  const made = Object.assign(document.createElement("a"), { href: item.href, textContent: item.text });
  made.onclick = (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button) return; // a new tab, as everywhere
    event.preventDefault();
    s.trigger("opened", { id: item.id });
  };
  return made;
}

function difference(item) {
  const made = document.createElement("li");
  const quoted = Object.assign(document.createElement("del"), { textContent: item.quoted });
  const printed = Object.assign(document.createElement("ins"), { textContent: item.printed });
  if (!item.printed) made.append(quoted, " is not printed");
  else if (!item.quoted) made.append(printed, " is left out");
  else made.append(quoted, " is printed ", printed);
  return made;
}

function between(parts) {
  return parts.flatMap((part, index) => {
    const mark = Object.assign(document.createElement("span"), { textContent: "›" });
    return index ? [mark, part] : [part];
  });
}

function say(place, text) {
  place.textContent = text;
  place.hidden = !text;
}

export default function ({ data, parentElement, setTriggerValue }) {
  const s = (parentElement.__s ??= {});
  const find = (name) => parentElement.querySelector(name);
  s.trigger = setTriggerValue;
  find(".citation").style.setProperty("--tone", data.tone);
  say(find(".lead"), data.lead);
  find(".crumbs").replaceChildren(...between(data.crumbs.map((item) => crumb(s, item))));
  say(find(".citation > blockquote"), data.quote);
  say(find(".badge"), data.badge);
  say(find(".reason"), data.reason);
  const near = find(".near");
  near.hidden = !data.nearest;
  say(near.querySelector("small"), data.nearest && "The nearest text:");
  say(near.querySelector("blockquote"), data.nearest);
  near.querySelector("ul").replaceChildren(...data.differences.map(difference));
}
