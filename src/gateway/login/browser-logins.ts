/**
 * The log-ins of browsers.
 *
 *   link ──code──▶ logged in ──used──▶ prolonged … LOGIN_MS_MAX
 *                     ├──not used for LOGIN_IDLE_MS──▶ ended
 *                     ├──logged out──▶ ended, connections closed
 *                     └──revoked, its operator's token revoked, or the log-in that made its link──▶ the same, and so on
 */
import { randomBytes } from "node:crypto";
import type { Clock } from "../../engine/clock.ts";
import type { LoggedIn, Logins, NotLoggedIn } from "../../http/login/logins.ts";
import type { Operator } from "../../http/operator.ts";
import { hasScope, type Scope } from "../../protocol/actor.ts";
import type { Refused } from "../../protocol/refusal.ts";
import { StoreRefused } from "../methods/store-refusal.ts";
import type { Tokens } from "../tokens.ts";
import type { FoundDevice } from "./device-tokens.ts";
import { hashOf, isEqual } from "./secret-hash.ts";
import { createOneTimeCodes, type Linked } from "./one-time-codes.ts";
import { createTabSecrets } from "./tab-secrets.ts";
import { browserName } from "./browser-name.ts";

export const LOGIN_IDLE_MS = 30 * 86_400_000;
export const LOGIN_MS_MAX = 180 * 86_400_000;
/** Each use moves the end of a log-in; it is stored no more often than this. */
const PROLONG_EVERY_MS = 3_600_000;
const SECRET_BYTES = 32;

export type BrowserLogins = Logins & {
  /** The part of the link behind the page's address. Its log-in may do what its maker may, or less. */
  link(
    by: Pick<Operator, "id" | "scopes"> & { device?: Operator["device"] | undefined },
    asked?: readonly Scope[],
  ): { fragment: string; expiresAtMs: number };
};

export function createBrowserLogins({ tokens, clock }: { tokens: Tokens; clock: Clock }): BrowserLogins {
  const codes = createOneTimeCodes(clock);
  const tabs = createTabSecrets();
  async function find(cookie: string, browserSecret: string): Promise<FoundDevice | NotLoggedIn> {
    const found = await tokens.findDevice(cookie);
    if (found === undefined) return { notLoggedIn: "guess" };
    if (!isEqual(found.device.browserHash, hashOf(browserSecret))) return { notLoggedIn: "guess" };
    return found.ended ? { notLoggedIn: "expired" } : found;
  }

  /** Its end after this use. */
  async function used({ token, device }: FoundDevice): Promise<number> {
    const nowMs = clock.now();
    if (nowMs - device.seenAtMs < PROLONG_EVERY_MS) return device.expiresAtMs;
    const expiresAtMs = Math.min(nowMs + LOGIN_IDLE_MS, token.createdAtMs + LOGIN_MS_MAX);
    await tokens.prolong(token, { ...device, seenAtMs: nowMs, expiresAtMs });
    return expiresAtMs;
  }

  async function logIn({ operatorId, scopes, madeBy }: Linked, userAgent: string) {
    const [cookie, browserSecret] = [secret(), secret()];
    const expiresAtMs = clock.now() + LOGIN_IDLE_MS;
    const hashes = { cookieHash: hashOf(cookie), browserHash: hashOf(browserSecret) };
    const made = await tokens.createDevice({
      name: browserName(userAgent),
      scopes,
      operatorId,
      expiresAtMs,
      madeBy,
      ...hashes,
    });
    const found = await tokens.findDevice(cookie);
    if (found === undefined || found.ended) return { notLoggedIn: "expired" } as const; // whoever made its link was just revoked
    return { cookie, browserSecret, tabSecret: tabs.create(made.id), operator: operatorOf(found), expiresAtMs };
  }

  return {
    link({ id, scopes, device }, asked) {
      const given = asked === undefined ? [...scopes] : asked.filter((scope) => hasScope(scopes, scope));
      const { code, expiresAtMs } = codes.create({ operatorId: id, scopes: given, madeBy: device });
      return { fragment: `#login=${code}`, expiresAtMs };
    },
    async exchange({ code, cookie, userAgent }) {
      const linked = codes.use(code);
      if (linked === undefined) return { notLoggedIn: "guess" };
      return stored(async () => {
        const before = cookie === undefined ? undefined : await tokens.findDevice(cookie);
        const made = await logIn(linked, userAgent);
        if (before?.ended === false) await tokens.leave(before.token.id, before.operator.id); // this cookie replaces it
        return made;
      });
    },
    async openTab({ cookie, browserSecret }): Promise<LoggedIn | NotLoggedIn> {
      const found = await find(cookie, browserSecret);
      if ("notLoggedIn" in found) return found;
      const expiresAtMs = await used(found);
      return { tabSecret: tabs.create(found.token.id), operator: operatorOf(found), expiresAtMs };
    },
    async identifyTab({ cookie, tabSecret }) {
      const found = await tokens.findDevice(cookie);
      if (found === undefined) return { notLoggedIn: "guess" };
      if (found.ended) return { notLoggedIn: "expired" };
      return tabs.belongs(tabSecret, found.token.id) ? operatorOf(found) : { notLoggedIn: "other-tab" };
    },
    async logout({ cookie, browserSecret }) {
      const found = await find(cookie, browserSecret);
      if ("notLoggedIn" in found) return found;
      return stored(async () => {
        const left = await tokens.leave(found.token.id, found.operator.id);
        return "refused" in left ? left : undefined;
      });
    },
  };
}

/** A browser acts as its operator: signing in the terminal and on the page counts as one person. */
const operatorOf = ({ token, operator }: FoundDevice): Operator => ({
  id: operator.id,
  name: operator.name,
  scopes: token.scopes.filter((scope) => hasScope(operator.scopes, scope)),
  device: token.id,
});

const secret = (): string => randomBytes(SECRET_BYTES).toString("base64url");

async function stored<Result>(work: () => Promise<Result>): Promise<Result | Refused> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof StoreRefused) return { refused: error.refusal };
    throw error;
  }
}
