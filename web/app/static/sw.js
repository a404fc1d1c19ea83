// Keeps the files of the client, so that it opens without a network. What the API answers is never kept here.
const CACHE = "confab-%VERSION%";
const FILES = ["%FILES%"];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => {
        // The files of the build before stay for tabs that still run it.
        const old = names.filter((name) => name.startsWith("confab-") && name !== CACHE);
        return Promise.all(old.slice(0, -1).map((name) => caches.delete(name)));
      })
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method !== "GET" || url.origin !== self.location.origin) return;
  if (url.pathname.startsWith("/assets/")) {
    event.respondWith(file(event.request));
  } else if (url.pathname === "/" && event.request.mode === "navigate") {
    event.respondWith(page(event.request));
  }
});

/** The kept file; the server's where there is none, or where the browser's cache does not answer soon. */
async function file(request) {
  const kept = found(request);
  return (await Promise.race([kept, soon()])) ?? fetch(request).catch((failure) => orFail(kept, failure));
}

/** The page from the server, or the kept one where it does not answer soon. */
function page(request) {
  // of this build: `caches.match` would look into the one before first
  const kept = caches
    .open(CACHE)
    .then((cache) => cache.match("/"))
    .catch(() => undefined);
  const fresh = fetch(request).then((answer) => {
    if (!answer.ok) throw new Error("no page");
    return answer;
  });
  const late = soon().then(() => kept);
  return Promise.race([fresh.catch((failure) => orFail(kept, failure)), late.then((old) => old ?? fresh)]);
}

function found(address) {
  return caches.match(address).catch(() => undefined);
}

async function orFail(kept, failure) {
  const old = await kept;
  if (old) return old;
  throw failure;
}

function soon() {
  return new Promise((resolve) => setTimeout(resolve, 3000));
}

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const target = event.notification.data?.hash ?? "#/";
  event.waitUntil(
    self.clients.matchAll({ type: "window" }).then((windows) => {
      const open = windows[0];
      if (!open) return self.clients.openWindow("/" + target);
      open.postMessage({ open: target });
      return open.focus();
    }),
  );
});
