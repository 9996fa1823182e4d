/**
 * Web Push: whoever asked for it in their browser is told when something comes to wait, also while no page is open.
 *
 *   commit ──something waits that did not──▶ every subscription whose log-in still holds ──▶ its push service
 *                                                   └── the log-in ended, or the service says 404 or 410 ──▶ removed
 *
 * A push is a hint and not a delivery: what it points at is in the store, so one that fails is logged and not repeated.
 */
import type { Engine } from "../../engine/engine.ts";
import type { Clock } from "../../engine/clock.ts";
import type { MethodTable } from "../../http/method-table.ts";
import { refuse } from "../../protocol/refusal.ts";
import type { Store } from "../../store/store.ts";
import type { PageAddress } from "../presence/page-address.ts";
import type { Tokens } from "../tokens.ts";
import { createPushBook, type PushBook, type Subscription } from "./push-book.ts";
import { isPushEndpoint } from "./push-endpoints.ts";
import { makeKeys, type PushMessage, sendPush } from "./send-push.ts";

const SUBSCRIPTIONS_MAX = 200;

export type PushParts = {
  store: Store;
  clock: Clock;
  engine: Pick<Engine, "onCommitted" | "waiting">;
  tokens: Pick<Tokens, "list" | "operator">;
  settings(): { webPush: boolean; pushServices: readonly string[] };
  address(): PageAddress;
  log: { warn(what: object, message: string): void };
};

type PushMethods = Pick<MethodTable, "push.key" | "push.subscribe" | "push.unsubscribe">;
export type Push = { methods: PushMethods; stop(): Promise<void> };

export function openPush(parts: PushParts): Push {
  const book = createPushBook(parts.store, makeKeys);
  const sending = new Set<Promise<void>>();

  const stop = parts.engine.onCommitted(({ session, before }) => {
    if (session === undefined || whyOff(parts) !== undefined) return;
    const now = parts.engine.waiting(session);
    const was = before === undefined ? null : parts.engine.waiting(before);
    if (now === null || now.id === was?.id) return;
    const work = tellAll(parts, book, { kind: now.kind, sessionId: session.id, cardId: now.id })
      .catch((error: unknown) => parts.log.warn({ err: error }, "pushes could not be sent"))
      .finally(() => sending.delete(work));
    sending.add(work);
  });

  return {
    methods: methodsOf(parts, book),
    async stop() {
      stop();
      await Promise.all(sending);
    },
  };
}

/** Off unless somebody switched it on, and only where a browser would accept it: https, and a name. */
function whyOff({ settings, address }: Pick<PushParts, "settings" | "address">): "setting" | "address" | undefined {
  if (!settings().webPush) return "setting";
  const { origin, rpId } = address();
  return rpId === undefined || !origin.startsWith("https:") ? "address" : undefined;
}

async function tellAll(parts: PushParts, book: PushBook, message: PushMessage): Promise<void> {
  const all = await book.subscriptions();
  if (all.length === 0) return;
  const keys = await book.keys();
  const holds = await stillLoggedIn(parts);
  await Promise.all(
    all.map(async (subscription) => {
      const { target } = subscription;
      const isAllowed = isPushEndpoint(target.endpoint, parts.settings().pushServices);
      if (!isAllowed || !holds(subscription)) return book.remove(target.endpoint);
      const outcome = await sendPush({ target, message, keys, subject: parts.address().origin });
      if (outcome.status === "gone") return book.remove(target.endpoint);
      if (outcome.status === "failed")
        parts.log.warn({ reason: outcome.reason, device: subscription.device }, "a push could not be sent");
      return undefined;
    }),
  );
}

/** A log-in that ended, by itself or by somebody else, is told nothing any more. */
async function stillLoggedIn({ tokens, clock }: PushParts): Promise<(one: Subscription) => boolean> {
  const valid = (await tokens.list()).filter(({ revokedAtMs }) => revokedAtMs === null);
  const operators = new Set(valid.filter(({ device }) => device === null).map(({ id }) => id));
  const devices = new Map(valid.map(({ id, device }) => [id, device]));
  return ({ operatorId, device }) => {
    const login = devices.get(device) ?? null;
    return (
      login !== null && login.operatorId === operatorId && login.expiresAtMs > clock.now() && operators.has(operatorId)
    );
  };
}

function methodsOf(parts: PushParts, book: PushBook): PushMethods {
  return {
    async "push.key"() {
      const off = whyOff(parts);
      return off === undefined ? { publicKey: (await book.keys()).publicKey, off: null } : { publicKey: null, off };
    },
    async "push.subscribe"(target, { actor }) {
      if (whyOff(parts) !== undefined) return OFF;
      if (actor.device === undefined) return NO_BROWSER;
      if (!isPushEndpoint(target.endpoint, parts.settings().pushServices)) return NO_SERVICE;
      const others = (await book.subscriptions()).filter((one) => one.target.endpoint !== target.endpoint);
      if (others.length >= SUBSCRIPTIONS_MAX) return TOO_MANY;
      const { id: operatorId, device } = actor;
      return (await book.save({ target, operatorId, device, atMs: parts.clock.now() })) ?? {};
    },
    async "push.unsubscribe"({ endpoint }, { actor }) {
      const own = (await book.subscriptions()).find((one) => one.target.endpoint === endpoint);
      if (own?.operatorId === actor.id) await book.remove(endpoint);
      return {};
    },
  };
}

const OFF = refuse(
  "INVALID_REQUEST",
  "push.subscribe: Web Push is off: gateway.webPush, and a pageAddress with https.",
);
const NO_BROWSER = refuse("INVALID_REQUEST", "push.subscribe: only a browser that is logged in can be told.");
const NO_SERVICE = refuse(
  "INVALID_REQUEST",
  "push.subscribe: endpoint: not a push service that is known here; gateway.pushServices may name it.",
  { path: "endpoint" },
);
const TOO_MANY = refuse("INVALID_REQUEST", `push.subscribe: ${SUBSCRIPTIONS_MAX} browsers are told already.`);
