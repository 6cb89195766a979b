// Small helpers to make elements. Texts are always set as text, never as HTML.

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") for (const [event, handler] of Object.entries(value)) element.addEventListener(event, handler);
    else if (name === "data") Object.assign(element.dataset, value);
    else if (name === "checked" || name === "value" || name === "selected" || name === "disabled" || name === "open")
      element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children.flat(3)) {
    if (child !== undefined && child !== null && child !== false) element.append(child);
  }
  return element;
}

/** An HTML element: h("button", {class: "button", on: {click}}, "text"). */
export function h(tag, properties, ...children) {
  return fill(document.createElement(tag), properties, children);
}

/** An SVG element. */
export function s(tag, properties, ...children) {
  return fill(document.createElementNS(SVG, tag), properties, children);
}

export function byId(id) {
  return document.getElementById(id);
}

/** Say something in passing, for eyes and screen readers. */
export function toast(text, bad = false) {
  const place = byId("toast");
  if (!place) return;
  const note = h("p", { class: bad ? "bad" : "" }, text);
  place.replaceChildren(note);
  setTimeout(() => note.remove(), 6000);
}

/** Keep the focus on "the same" control when a part of the page is drawn anew. */
export function redraw(container, ...children) {
  const active = document.activeElement;
  const key = container.contains(active) ? active.dataset.key || active.id : null;
  container.replaceChildren(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  if (!key) return;
  const again = container.querySelector(`[data-key="${CSS.escape(key)}"], #${CSS.escape(key)}`);
  again?.focus({ preventScroll: true });
}

/** A text in which the names of places, such as ?1, are not broken over two lines. */
export function joined(text) {
  return text.replace(/\?(?=\d)/g, "?\u2060");
}
