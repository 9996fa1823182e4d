/**
 * The service worker: serves the page while its gateway is unreachable. Files with a hash in their name are kept for
 * good. The page itself comes from the gateway, and from here only when that does not answer. Nothing else is touched.
 */
// oxlint-disable-next-line no-underscore-dangle -- so named by the build, which puts their values in
declare const __PAGE_ASSETS__: string[];
// oxlint-disable-next-line no-underscore-dangle -- likewise
declare const __PAGE_VERSION__: string;

/** What of a service worker is needed here; the types of pages and workers do not fit into one program. */
type Worker = {
  addEventListener(type: "install" | "activate", listener: (event: Waiting) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
  addEventListener(type: "message", listener: (event: Told) => void): void;
  addEventListener(type: "notificationclick", listener: (event: Pressed) => void): void;
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
};
type Tab = { focus(): Promise<unknown>; postMessage(message: unknown): void };
type Pressed = Waiting & { notification: { data: unknown; close(): void } };
type Told = Waiting & { data: unknown };
type Waiting = { waitUntil(work: Promise<unknown>): void };
type Fetching = Waiting & { request: Request; respondWith(answer: Promise<Response>): void };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this file runs in a service worker and nowhere else
const worker = globalThis as unknown as Worker;
const CACHE = `holdpoint-${__PAGE_VERSION__}`;
const SHELL = "/";
const ASSETS = "/assets/";

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(CACHE)
      .then((cache) => cache.addAll(__PAGE_ASSETS__))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => worker.clients.claim()),
  );
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== "GET" || url.origin !== location.origin) return;
  if (url.pathname.startsWith(ASSETS)) event.respondWith(keptOrFetched(request, (work) => event.waitUntil(work)));
  else if (request.mode === "navigate") event.respondWith(fetch(request).catch(shell));
});

/** What the page fetched before this worker served it. */
worker.addEventListener("message", (event) => event.waitUntil(keep(event.data)));

/** More than the page has. */
const TOLD_MAX = 500;

async function keep(data: unknown): Promise<void> {
  const told = typeof data === "object" && data !== null && "fetched" in data ? data.fetched : undefined;
  if (!Array.isArray(told)) return;
  const cache = await caches.open(CACHE);
  for (const path of told.slice(0, TOLD_MAX)) {
    if (typeof path !== "string" || !path.startsWith(ASSETS) || (await cache.match(path)) !== undefined) continue;
    await cache.add(path).catch(() => undefined); // of an older page, or the gateway is away
  }
}

/** To the card that the notification is about: in the tab that is open, or in a new one. */
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(openCard(event.notification.data));
});

async function openCard(data: unknown): Promise<void> {
  const href = typeof data === "object" && data !== null && "href" in data ? data.href : undefined;
  if (typeof href !== "string" || !href.startsWith("/sessions/")) return;
  const [tab] = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (tab === undefined) return void (await worker.clients.openWindow(href));
  await tab.focus();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's tabs are of its own origin
  tab.postMessage({ href });
}

async function keptOrFetched(request: Request, afterwards: Waiting["waitUntil"]): Promise<Response> {
  const cache = await caches.open(CACHE);
  const kept = await cache.match(request);
  if (kept !== undefined) return kept;
  const fetched = await fetch(request);
  if (fetched.ok) afterwards(cache.put(request, fetched.clone())); // the page does not wait for the disk
  return fetched;
}

async function shell(): Promise<Response> {
  return (await caches.match(SHELL)) ?? Response.error();
}
