/** What Web Push keeps in the store: the gateway's key pair, made once, and the browsers that want to be told. */
import { createHash } from "node:crypto";
import { z } from "zod";
import { OperatorId } from "../../protocol/ids.ts";
import { PushTarget } from "../../protocol/wire/push-methods.ts";
import { PAGE_MAX, type Store } from "../../store/store.ts";
import { storeRefusal } from "../methods/store-refusal.ts";
import type { Refused } from "../../protocol/refusal.ts";

const PLACE = { surface: "web-push", account: "gateway" };
const KEYS = "push-keys";
const PREFIX = "push-to:";

const KeyPair = z.strictObject({ publicKey: z.string(), privateKey: z.string() });
export type KeyPair = z.infer<typeof KeyPair>;

const Subscription = z.strictObject({ target: PushTarget, operatorId: OperatorId, device: OperatorId, atMs: z.int() });
export type Subscription = z.infer<typeof Subscription>;

export type PushBook = {
  /** The one key pair of all gateways on this store. */
  keys(): Promise<KeyPair>;
  subscriptions(): Promise<Subscription[]>;
  save(subscription: Subscription): Promise<Refused | undefined>;
  remove(endpoint: string): Promise<void>;
};

type BookStore = Pick<Store, "channelNote" | "channelNotes" | "saveChannelNote">;

export function createPushBook(store: BookStore, makeKeys: () => Promise<KeyPair>): PushBook {
  let known: Promise<KeyPair> | undefined;

  async function readKeys(): Promise<KeyPair> {
    const name = { ...PLACE, key: KEYS };
    const stored = async () => KeyPair.safeParse(jsonIn((await store.channelNote(name))?.value)).data;
    const before = await stored();
    if (before !== undefined) return before;
    const made = await makeKeys();
    await store.saveChannelNote({ ...name, value: JSON.stringify(made), untilMs: null });
    const kept = await stored(); // of two gateways that start at once, both use what the store has in the end
    if (kept === undefined) throw new Error("the key pair of Web Push could not be stored");
    return kept;
  }

  return {
    keys() {
      known ??= readKeys().catch((error: unknown) => {
        known = undefined; // the next request tries again
        throw error;
      });
      return known;
    },
    async subscriptions() {
      const notes = await store.channelNotes({ keyPrefix: PREFIX, limit: PAGE_MAX });
      return notes.flatMap(({ value }) => Subscription.safeParse(jsonIn(value)).data ?? []);
    },
    async save(subscription) {
      const { endpoint } = subscription.target;
      const value = JSON.stringify(subscription);
      return storeRefusal(await store.saveChannelNote({ ...PLACE, key: keyOf(endpoint), value, untilMs: null }));
    },
    async remove(endpoint) {
      await store.saveChannelNote({ ...PLACE, key: keyOf(endpoint), value: null, untilMs: null });
    },
  };
}

/** One note per browser, however long its address is. */
const keyOf = (endpoint: string): string => `${PREFIX}${createHash("sha256").update(endpoint).digest("base64url")}`;

function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined; // not ours: as good as not there
  }
}
