// Typing anywhere on the page goes into one field, in place of what it holds; Esc puts that back and leaves the field.
// data: {field}: the key of a text input.

const FIELDS = "input, textarea, select, [contenteditable], [role=combobox], [role=listbox], [role=menu]";
const setter = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;

function input(s) {
  return document.querySelector(`.st-key-${CSS.escape(s.field)} input`);
}

function restore(field, text) {
  setter.call(field, text);
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.blur();
}

function pressed(s, event) {
  const target = event.composedPath()[0];
  const field = input(s);
  if (!field) return;
  s.text ??= field.value; // as it was before anything was typed
  if (event.key === "Escape" && target === field) return restore(field, s.text);
  const command = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
  if (command || event.key.length !== 1 || event.key === " " || target.closest?.(FIELDS)) return;
  field.focus();
  field.select(); // the key that was pressed is typed in place of it
}

export default function ({ data, parentElement }) {
  const s = (parentElement.__s ??= {});
  if (s.field !== data.field) {
    s.field = data.field;
    s.text = null;
  }
  const keep = () => {
    const field = input(s);
    if (field && s.text === null) s.text = field.value;
  };
  keep();
  setTimeout(keep, 200); // the field may be drawn after this
  if (s.listen) document.removeEventListener("keydown", s.listen);
  const listen = (event) => pressed(s, event);
  s.listen = listen;
  document.addEventListener("keydown", listen);
  return () => document.removeEventListener("keydown", listen); // its own: it may run after the next is added
}
