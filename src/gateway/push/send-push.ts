/** Encrypts a message for one browser (RFC 8291), signs the request (RFC 8292) and hands it to the push service. */
import { createHash } from "node:crypto";
import type { PushTarget } from "../../protocol/wire/push-methods.ts";
import type { KeyPair } from "./push-book.ts";

/** A plan that waits longer than this is found in the inbox. */
const KEPT_BY_SERVICE_S = 4 * 3_600;
const ANSWER_MS_MAX = 15_000;
const TOPIC_CHARS = 32;

/**
 * All that a push carries. It may be shown on a locked screen, to whoever holds the device, logged in or not: no word of
 * an agent, a plan or a session is in it.
 */
export type PushMessage = { kind: "approval" | "question"; sessionId: string; cardId: string };

/** `gone`: the browser's subscription is no more. `failed` may be tried another time. */
export type PushOutcome = { status: "sent" } | { status: "gone" } | { status: "failed"; reason: string };

export type PushPost = { target: PushTarget; message: PushMessage; keys: KeyPair; subject: string };

export async function sendPush({ target, message, keys, subject }: PushPost): Promise<PushOutcome> {
  const { default: webPush } = await import("web-push");
  const topic = createHash("sha256").update(message.cardId).digest("base64url").slice(0, TOPIC_CHARS);
  try {
    const { endpoint, method, headers, body } = webPush.generateRequestDetails(target, JSON.stringify(message), {
      vapidDetails: { subject, ...keys },
      TTL: KEPT_BY_SERVICE_S,
      urgency: "high",
      topic, // said again, it takes the place of what was not delivered yet
      contentEncoding: "aes128gcm",
    });
    const answer = await fetch(endpoint, {
      method,
      headers: Object.entries(headers),
      body: new Uint8Array(body),
      redirect: "error", // the address was checked, and no other
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    await answer.body?.cancel();
    if (answer.status === 404 || answer.status === 410) return { status: "gone" };
    return answer.ok ? { status: "sent" } : { status: "failed", reason: `the push service answered ${answer.status}` };
  } catch (error) {
    return { status: "failed", reason: error instanceof Error ? error.message : String(error) };
  }
}

export async function makeKeys(): Promise<KeyPair> {
  const { default: webPush } = await import("web-push");
  return webPush.generateVAPIDKeys();
}
