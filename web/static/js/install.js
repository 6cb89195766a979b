// Offer the pages as an app, and a sentence when the server is away. Service workers need https or the machine itself.

if ("serviceWorker" in navigator && isSecureContext) {
  navigator.serviceWorker.register("/sw.js").catch(() => {}); // without it the pages work all the same
}
