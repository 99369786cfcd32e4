// Elements of the page. What is put into them is text, never markup.

/** An element. `facts`: attributes, and handlers of events where a function is given; null and false leave an attribute out. */
export function el(name, facts = {}, ...children) {
  return fill(document.createElement(name), facts, ...children);
}

/** An element of a drawing. */
export function drawn(name, facts = {}, ...children) {
  return fill(document.createElementNS('http://www.w3.org/2000/svg', name), facts, ...children);
}

function fill(element, facts, ...children) {
  for (const [name, value] of Object.entries(facts)) {
    if (typeof value === 'function') element.addEventListener(name, value);
    else if (value !== null && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

export function byId(id) {
  return document.getElementById(id);
}

/** Sets a text where it differs, so that a screen reader hears of changes alone. */
export function say(element, text) {
  if (element.textContent !== text) element.textContent = text;
}
