// Keys that are pressed before the page's modules are there: kept for keys.js.

{
  const pressed = [];
  const keep = (event) => {
    if (!event.ctrlKey && !event.altKey && !event.metaKey) pressed.push(event.key);
  };
  document.addEventListener("keydown", keep);
  window.takeEarlyKeys = () => {
    document.removeEventListener("keydown", keep);
    return pressed;
  };
}
