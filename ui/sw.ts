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
  addEventListener(type: "push", listener: (event: Pushed) => void): void;
  registration: { showNotification(title: string, options: object): Promise<void> };
  skipWaiting(): Promise<void>;
  clients: {
    claim(): Promise<void>;
    matchAll(options: { type: "window"; includeUncontrolled: boolean }): Promise<readonly Tab[]>;
    openWindow(url: string): Promise<unknown>;
  };
};
type Tab = { focused: boolean; focus(): Promise<unknown>; postMessage(message: unknown): void };
type Pressed = Waiting & { action: string; notification: { data: unknown; close(): void } };
type Pushed = Waiting & { data: { json(): unknown } | null };
type Told = Waiting & { data: unknown };
type Waiting = { waitUntil(work: Promise<unknown>): void };
type Fetching = Waiting & { request: Request; respondWith(answer: Promise<Response>): void };

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- this file runs in a service worker and nowhere else
const worker = globalThis as unknown as Worker;
const CACHE = `holdpoint-${__PAGE_VERSION__}`;
/** What to say when a push comes, in the person's language; kept by the page. */
const PUSH = "holdpoint-push";
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
      .then((names) =>
        Promise.all(names.filter((name) => name !== CACHE && name !== PUSH).map((name) => caches.delete(name))),
      )
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
  event.waitUntil(openCard(event.notification.data, event.action));
});

/** Something came to wait while no page of ours is looked at. A push names it, and carries no word of it. */
worker.addEventListener("push", (event) => event.waitUntil(showPush(event.data?.json())));

const ID = /^[A-Za-z0-9_-]{1,64}$/;

async function showPush(data: unknown): Promise<void> {
  if (typeof data !== "object" || data === null) return;
  const kind = "kind" in data && data.kind === "question" ? "question" : "approval";
  const sessionId = "sessionId" in data ? String(data.sessionId) : "";
  const cardId = "cardId" in data ? String(data.cardId) : "";
  if (!ID.test(sessionId) || !ID.test(cardId)) return;
  const tabs = await worker.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (tabs.some(({ focused }) => focused)) return; // the page itself says so
  const texts = await pushTexts();
  const open = { action: "open", title: texts.open };
  await worker.registration.showNotification(texts[kind], {
    tag: cardId, // said again, it is still one
    icon: "/icon-192.png",
    badge: "/icon-192.png",
    data: { href: `/sessions/${sessionId}?card=${cardId}` },
    actions: kind === "approval" ? [open, { action: "back", title: texts.back }] : [open],
  });
}

const ENGLISH = {
  approval: "A plan waits for your signature",
  question: "The agent has a question",
  open: "Open",
  back: "Send back",
};

async function pushTexts(): Promise<typeof ENGLISH> {
  const kept = await caches.match("/push-texts.json", { cacheName: PUSH }).catch(() => undefined);
  const texts: unknown = await kept?.json().catch(() => undefined);
  return { ...ENGLISH, ...(typeof texts === "object" ? texts : {}) };
}

/** Sending back needs words, so it leads to the field for them; no press of a notification decides anything. */
async function openCard(data: unknown, action: string): Promise<void> {
  const card = typeof data === "object" && data !== null && "href" in data ? data.href : undefined;
  if (typeof card !== "string" || !card.startsWith("/sessions/")) return;
  const href = action === "back" ? `${card}&do=revise` : card;
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
