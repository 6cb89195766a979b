// Words on the wall that are too many for their place get smaller until all of them are seen.

const LEAST = 0.6;
const STEP = 0.05;

const watched = new WeakSet();

export function fit(node) {
  if (!watched.has(node)) {
    watched.add(node);
    new ResizeObserver(() => fit(node)).observe(node); // its place has grown or shrunk
    return;
  }
  for (let size = 1; size > LEAST - STEP / 2; size -= STEP) {
    node.style.setProperty("--fit", size.toFixed(2));
    if (node.scrollHeight <= node.clientHeight + 1) return;
  }
}
