/** Web Push in this browser: whether it can be had, is had, and how it is asked for and given back. */
import type { App } from "../app/app.ts";
import { keepPushTexts } from "./push-texts.ts";

/** `off`: the gateway does not offer it; the others are this browser's. */
export type PushState = "off" | "unsupported" | "denied" | "no" | "yes";

const registered = async (): Promise<ServiceWorkerRegistration | undefined> =>
  "serviceWorker" in navigator && "PushManager" in globalThis
    ? navigator.serviceWorker.getRegistration().catch(() => undefined)
    : undefined;

export async function pushState(app: Pick<App, "call">): Promise<PushState> {
  const key = await app.call("push.key", {}).catch(() => undefined); // an older gateway does not know it
  if (key === undefined || key.publicKey === null) return "off";
  const registration = await registered();
  if (registration === undefined) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return (await registration.pushManager.getSubscription()) === null ? "no" : "yes";
}

/** Only ever called from a click: the browser asks the person. */
export async function startPush(app: Pick<App, "call">): Promise<void> {
  const registration = await registered();
  const { publicKey } = await app.call("push.key", {});
  if (registration === undefined || publicKey === null) return;
  await keepPushTexts();
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: publicKey,
  });
  const { endpoint, keys } = subscription.toJSON();
  try {
    await app.call("push.subscribe", {
      endpoint: endpoint ?? "",
      keys: { p256dh: keys?.["p256dh"] ?? "", auth: keys?.["auth"] ?? "" },
    });
  } catch (error) {
    await subscription.unsubscribe(); // nobody would send anything to it
    throw error;
  }
}

export async function stopPush(app: Pick<App, "call">): Promise<void> {
  const registration = await registered();
  const subscription = (await registration?.pushManager.getSubscription()) ?? null;
  if (subscription === null) return;
  await subscription.unsubscribe();
  await app.call("push.unsubscribe", { endpoint: subscription.endpoint });
}
