// Being told at once when something on the server changes; where that is not to be had, asking every few seconds.

const ASK_EVERY = 2500; // milliseconds
const OPEN_AGAIN = 20_000; // milliseconds after which a refused stream is tried again

/**
 * Call look() whenever `url` tells of a change, and at once. look() resolves to false when the server does not answer.
 * While no stream is open it is called every few seconds. A page that is not shown follows nothing.
 */
export function follow(url, look, on = {}) {
  let stream = null;
  let asking = null;
  let refused = 0;

  const ask = () => {
    if (!document.hidden) look();
  };

  function open() {
    if (stream || document.hidden || Date.now() - refused < OPEN_AGAIN) return;
    stream = new EventSource(url);
    for (const [name, told] of Object.entries({ changed: look, gone: look, ...on })) {
      stream.addEventListener(name, (event) => told(event.data ? JSON.parse(event.data) : null));
    }
    stream.addEventListener("open", () => {
      clearInterval(asking);
      asking = null;
    });
    stream.addEventListener("error", () => {
      asking ??= setInterval(beat, ASK_EVERY);
      if (stream?.readyState !== EventSource.CLOSED) return; // the browser opens it again by itself
      close();
      refused = Date.now();
    });
  }

  function close() {
    stream?.close();
    stream = null;
  }

  function beat() {
    ask();
    open();
  }

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) close(); // a sleeping page keeps no thread of the server
    else beat();
  });
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && beat());
  asking = setInterval(beat, ASK_EVERY);
  open();
}
