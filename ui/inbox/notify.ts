/**
 * Tells a person who looks elsewhere that something waits for them: by the system where they allowed it, by a word in
 * the page where they are in it, and by the number on the app's icon. What is decided takes its notification with it.
 */
import type { App } from "../app/app.ts";
import { titleOf } from "../app/session/session-title.ts";
import { t, withTexts } from "../i18n/t.ts";
import { visibly } from "../text/visibly.ts";
import type { WaitingSession } from "../state/waiting-list.ts";
import { cardHref } from "./card-href.ts";
import { newsBetween } from "./news.ts";
import { notifyChoice, permission } from "./notify-choice.ts";
import { playTone } from "./tone.ts";

const AT_ONCE_MAX = 3;
const TITLE_CHARS_MAX = 120;
const HREF = /^\/sessions\/[A-Za-z0-9_-]{1,64}\?card=[A-Za-z0-9_-]{1,64}(?:&do=revise)?$/;

export function startNotifying(app: App): void {
  const { waiting } = app.state;
  let before: readonly WaitingSession[] | undefined;

  function look(): void {
    if (!waiting.isRead()) return;
    const now = waiting.get();
    showBadge(now.length);
    // what waited when the page was opened is shown by the page itself
    const { arrived, gone } = before === undefined ? { arrived: [], gone: [] } : newsBetween(before, now);
    before = now;
    void takeBack(gone);
    if (arrived.length === 0) return;
    if (notifyChoice.get().sounds) playTone();
    for (const session of arrived.slice(-AT_ONCE_MAX)) tell(app, session);
  }

  if (permission() === "granted")
    void withTexts(() => import("../push/push-texts.ts"), "cards", "inbox")
      .then(({ keepPushTexts }) => keepPushTexts())
      .catch(() => undefined); // in the language of today
  look(); // the list may have been there before this code was
  waiting.subscribe(look);
  listenToWorker();
}

function tell(app: App, session: WaitingSession): void {
  const isHere = document.visibilityState === "visible" && document.hasFocus();
  if (isHere) {
    const place = app.router.get();
    const isShown = place?.name === "inbox" || place?.params["sessionId"] === session.id;
    if (!isShown) app.notices.tell(t("inbox.arrived", { title: headOf(session) }));
    return;
  }
  if (notifyChoice.get().shows && permission() === "granted") void show(session);
}

/** A title is an agent's text: shown with its invisible characters visible, and short. */
const headOf = ({ waiting }: WaitingSession): string => visibly(waiting.title).slice(0, TITLE_CHARS_MAX);

async function show(session: WaitingSession): Promise<void> {
  const { waiting } = session;
  const title = t(waiting.kind === "approval" ? "cards.planWaits" : "cards.questionWaits");
  const options = {
    body: `${headOf(session)}\n${titleOf(session)}`,
    tag: waiting.id, // said again, it is still one
    icon: "/icon-192.png",
    badge: "/icon-192.png",
    data: { href: cardHref(session) },
  };
  const registration = await worker();
  await registration?.showNotification(title, options).catch(() => undefined); // switched off in the system meanwhile
}

async function takeBack(ids: readonly string[]): Promise<void> {
  if (ids.length === 0 || permission() !== "granted") return;
  const registration = await worker();
  for (const notification of (await registration?.getNotifications()) ?? []) {
    if (ids.includes(notification.tag)) notification.close();
  }
}

const worker = async (): Promise<ServiceWorkerRegistration | undefined> =>
  "serviceWorker" in navigator ? navigator.serviceWorker.getRegistration().catch(() => undefined) : undefined;

/** The number on the icon of an installed page. */
function showBadge(count: number): void {
  if (!("setAppBadge" in navigator)) return;
  void (count === 0 ? navigator.clearAppBadge() : navigator.setAppBadge(count)).catch(() => undefined);
}

/** Somebody pressed a notification while this page was open: it leads to the card, without a reload. */
function listenToWorker(): void {
  if (!("serviceWorker" in navigator)) return;
  navigator.serviceWorker.addEventListener("message", ({ data }: MessageEvent<unknown>) => {
    const href = typeof data === "object" && data !== null && "href" in data ? data.href : undefined;
    if (typeof href !== "string" || !HREF.test(href)) return;
    history.pushState(null, "", href);
    dispatchEvent(new PopStateEvent("popstate"));
  });
}
