// Keeps one page for when the server is away. Everything else is always asked of the server.

const CACHE = "offline-4";
const KEPT = ["/offline", "/static/css/base.css", "/static/icons/icon.svg", "/static/fonts/nunito-black.woff2", "/static/fonts/nunito-semibold.woff2", "/static/js/install.js"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(KEPT)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches.keys().then((keys) => Promise.all(keys.filter((key) => key !== CACHE).map((key) => caches.delete(key)))).then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
  if (request.mode === "navigate") {
    event.respondWith(answered(request).catch(() => caches.match("/offline")));
  } else if (KEPT.includes(new URL(request.url).pathname)) {
    event.respondWith(fetch(request).catch(() => caches.match(request)));
  }
});

// The sentence is kept in the language that was read last.
async function answered(request) {
  const response = await fetch(request);
  const language = response.headers.get("Content-Language");
  if (response.ok && language) {
    const cache = await caches.open(CACHE);
    const kept = await cache.match("/offline");
    if (kept?.headers.get("Content-Language") !== language) fetch("/offline").then((page) => page.ok && cache.put("/offline", page)).catch(() => {});
  }
  return response;
}
