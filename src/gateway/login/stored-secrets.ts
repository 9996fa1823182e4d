/**
 * Codes of log-in links and secrets of tabs where several gateways share a store: made at the one, good at all of them.
 * The store has their hashes, for as long as challenges are kept there.
 */
import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../engine/clock.ts";
import { Scope } from "../../protocol/actor.ts";
import { OperatorId } from "../../protocol/ids.ts";
import { Json } from "../../protocol/json.ts";
import type { Challenge } from "../../store/passkeys.ts";
import type { Store } from "../../store/store.ts";
import { StoreRefused, storeRefusal } from "../methods/store-refusal.ts";
import { CODE_BYTES, CODE_MS_MAX, type OneTimeCodes } from "./one-time-codes.ts";
import { hashOf } from "./secret-hash.ts";
import { TAB_SECRET_BYTES, type TabSecrets } from "./tab-secrets.ts";

export type SecretParts = { store: Pick<Store, "challenge" | "changePresence">; clock: Pick<Clock, "now"> };

const StoredCode = z.strictObject({
  kind: z.literal("login"),
  operatorId: OperatorId,
  scopes: z.array(Scope),
  madeBy: OperatorId.optional(),
  expiresAtMs: z.int(),
});
const StoredTab = z.strictObject({ kind: z.literal("tab"), device: OperatorId });

const codeKey = (code: string): string => `login:${hashOf(code)}`;
const tabKey = (secret: string): string => `tab:${hashOf(secret)}`;

/** Challenges are limited for each operator; links count apart from what passkeys wait for. */
const linksOf = (id: OperatorId): OperatorId => OperatorId.parse(`${id.slice(0, 58)}_links`);

async function keep(parts: SecretParts, challenge: Omit<Challenge, "atMs">): Promise<void> {
  const atMs = parts.clock.now();
  const audit = { atMs, actor: challenge.operatorId, facts: [] };
  const kept = await parts.store.changePresence({ do: "keep", challenge: { ...challenge, atMs } }, audit);
  const refused = storeRefusal(kept);
  if (refused !== undefined) throw new StoreRefused(refused.refused);
}

export function storedCodes(parts: SecretParts): OneTimeCodes {
  const { store, clock } = parts;
  return {
    async create({ operatorId, scopes, madeBy }) {
      const code = randomBytes(CODE_BYTES).toString("base64url");
      const expiresAtMs = clock.now() + CODE_MS_MAX;
      const maker = madeBy === undefined ? {} : { madeBy };
      const doc = { kind: "login", operatorId, scopes, ...maker, expiresAtMs };
      await keep(parts, { key: codeKey(code), operatorId: linksOf(operatorId), doc });
      return { code, expiresAtMs };
    },
    async use(code) {
      const found = await store.challenge(codeKey(code));
      const linked = StoredCode.safeParse(found?.doc);
      if (!linked.success) return undefined;
      const atMs = clock.now();
      const audit = { atMs, actor: linked.data.operatorId, facts: [] };
      const taken = await store.changePresence({ do: "take", key: codeKey(code) }, audit);
      if (taken.status === "conflict") return undefined; // another browser was first, here or at another gateway
      const refused = storeRefusal(taken);
      if (refused !== undefined) throw new StoreRefused(refused.refused);
      return linked.data.expiresAtMs <= atMs ? undefined : linked.data;
    },
  };
}

export function storedTabs(parts: SecretParts): TabSecrets {
  return {
    async create(device) {
      const secret = randomBytes(TAB_SECRET_BYTES).toString("base64url");
      await keep(parts, { key: tabKey(secret), operatorId: device, doc: { kind: "tab", device: Json.parse(device) } });
      return secret;
    },
    async belongs(secret, device) {
      const found = StoredTab.safeParse((await parts.store.challenge(tabKey(secret)))?.doc);
      return found.success && found.data.device === device;
    },
  };
}
