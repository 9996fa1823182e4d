/**
 * Operators' tokens. A secret is 256 random bits, shown once; the store keeps its hash. Hashes are compared, all of them,
 * in constant time: how long an answer takes says nothing about how near a guess was.
 */
import { randomBytes } from "node:crypto";
import type { Clock } from "../engine/clock.ts";
import type { Scope } from "../protocol/actor.ts";
import { OperatorId } from "../protocol/ids.ts";
import type { ResultOf } from "../protocol/methods.ts";
import type { FactType } from "../protocol/localized/fact-types.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import { localized } from "../protocol/localized/localized-text.ts";
import type { OperatorToken, Store } from "../store/store.ts";
import { type DeviceTokens, deviceTokens, type Ending, endingOf, endOf, revocationOf } from "./login/device-tokens.ts";
import { memoryRevocations, type RevocationList } from "./login/revocation-list.ts";
import { hashOf, isEqual } from "./login/secret-hash.ts";
import { StoreRefused, storeRefusal } from "./methods/store-refusal.ts";

const SECRET_BYTES = 32;
const TOKENS_MAX = 1_000;
/** How long a token revoked through another gateway on the same store may still open a connection here. */
export const KEPT_MS_MAX = 5_000;

type TokenView = ResultOf<"tokens.list">["tokens"][number];

export type Tokens = DeviceTokens & {
  /** Throws a StoreRefused when it could not be recorded; then it does not exist. */
  create(token: { name: string; scopes: Scope[]; by: string }): Promise<{ token: TokenView; secret: string }>;
  list(): Promise<TokenView[]>;
  /** Ends a token or a log-in, and the log-ins that it let in. */
  revoke(id: OperatorId, by: string): Promise<TokenView | Refused>;
  /** The browser itself ends its log-in; what it made stays. */
  leave(id: OperatorId, by: string): Promise<TokenView | Refused>;
  /** Accepts only an operator's own token; a browser's cookie sent as a token is refused. */
  authenticate(secret: string): Promise<{ id: OperatorId; name: string; scopes: Scope[] } | undefined>;
  /** The operator's present name and scopes; undefined when the token was revoked, or is a browser's log-in. */
  operator(id: OperatorId): Promise<{ id: OperatorId; name: string; scopes: Scope[] } | undefined>;
  /** Called at once, so that connections of that token end. `left`: by the browser itself, so what it decided stays. */
  onRevoked(listener: (id: OperatorId, how: Ending) => void): void;
  /**
   * Brings the store and the list of revocations in line, at the start: a store that was restored from a backup has again
   * what was revoked since. Returns how many it ended.
   */
  endRevoked(): Promise<number>;
  /** Finds tokens that another gateway on the same store revoked, and calls the same listeners. */
  look(): Promise<void>;
};

export type TokenParts = {
  store: Store;
  clock: Clock;
  revocations?: RevocationList;
  /** Other gateways make tokens in the same store. */
  shared?: boolean;
};

export function createTokens({ store, clock, revocations = memoryRevocations(), shared = false }: TokenParts): Tokens {
  const listeners: ((id: OperatorId, how: Ending) => void)[] = [];
  const published = new Map<OperatorId, Ending>(); // no larger than the list that is read to fill it
  const { find, forget } = createKeptTokens({ store, clock, shared });
  const fresh = (name: string, scopes: readonly Scope[]) => freshToken(name, scopes, clock.now());

  async function save(token: OperatorToken, fact: { by: string; type: FactType }): Promise<TokenView> {
    const { id, name, scopes } = token;
    const facts = [{ type: fact.type, detail: { id, name, scopes } }];
    const refused = storeRefusal(await store.saveToken(token, { atMs: clock.now(), actor: fact.by, facts }));
    forget();
    if (refused !== undefined) throw new StoreRefused(refused.refused);
    return toView(token);
  }

  async function roomForOneMore(): Promise<void> {
    const all = await store.tokens();
    const count = all.filter((token) => endOf(token, all) > clock.now()).length;
    if (count >= TOKENS_MAX) throw new StoreRefused(refuse("QUEUE_FULL", TOO_MANY).refused);
  }

  function publishRevoked(id: OperatorId, how: Ending): void {
    revocations.add(id, clock.now());
    published.set(id, how);
    for (const listener of listeners) listener(id, how);
  }

  return {
    ...deviceTokens({ store, clock, find, save, fresh, roomForOneMore, forget }),
    async create({ name, scopes, by }) {
      await roomForOneMore();
      const secret = `hp_${randomBytes(SECRET_BYTES).toString("base64url")}`;
      const token = { ...fresh(name, scopes), tokenHash: hashOf(secret), device: null };
      return { token: await save(token, { by, type: "token.created" }), secret };
    },
    async list() {
      const all = await store.tokens();
      return all.map((token) => toView(token, all));
    },
    ...endings({ store, clock, save, publishRevoked }),
    async authenticate(secret) {
      const given = hashOf(secret);
      const valid = await find((tokens) => {
        const matching = tokens.filter((token) => isEqual(token.tokenHash, given)); // compares with every token
        return matching.find((token) => token.revokedAtMs === null && token.device === null);
      });
      return valid === undefined ? undefined : { id: valid.id, name: valid.name, scopes: valid.scopes };
    },
    operator: (id) => find((tokens) => operatorIn(tokens, id)),
    onRevoked: (listener) => void listeners.push(listener),
    endRevoked: () => endRevoked({ store, revocations, save }),
    async look() {
      const all = await store.tokens();
      for (const token of all) {
        const how = endingOf(token, all);
        if (how !== undefined && published.get(token.id) !== how) publishRevoked(token.id, how);
      }
    },
  };
}

/** The tokens of the store, kept for a few seconds. */
function createKeptTokens({ store, clock, shared }: Pick<TokenParts, "store" | "clock"> & { shared: boolean }) {
  let kept: { tokens: OperatorToken[]; atMs: number } | undefined;
  let changes = 0;
  const reread = oneAtATime(read);

  async function known(): Promise<OperatorToken[]> {
    const ageMs = kept === undefined ? Infinity : Math.abs(clock.now() - kept.atMs);
    return kept !== undefined && ageMs <= KEPT_MS_MAX ? kept.tokens : read();
  }

  /** What another gateway has just made is not among the kept ones: the store is asked before anybody is turned away. */
  async function find<Found>(look: (tokens: OperatorToken[]) => Found | undefined): Promise<Found | undefined> {
    const found = look(await known());
    return found === undefined && shared ? look(await reread()) : found;
  }

  async function read(): Promise<OperatorToken[]> {
    const before = changes;
    const tokens = await store.tokens();
    if (before === changes) kept = { tokens, atMs: clock.now() }; // what was read before a revocation is not kept after it
    return tokens;
  }

  function forget(): void {
    kept = undefined;
    changes += 1;
  }

  return { find, forget };
}

/** However many wait, one read is under way; whoever comes while it runs gets the next, which began after they came. */
function oneAtATime<Result>(read: () => Promise<Result>): () => Promise<Result> {
  let running: Promise<Result> | undefined;
  let next: Promise<Result> | undefined;
  function begin(): Promise<Result> {
    running = read().finally(() => void (running = undefined));
    return running;
  }
  return () => {
    if (running === undefined) return begin();
    const again = (): Promise<Result> => {
      next = undefined;
      return begin();
    };
    next ??= running.then(again, again);
    return next;
  };
}

type EndingParts = {
  store: Store;
  clock: Clock;
  save(token: OperatorToken, fact: { by: string; type: FactType }): Promise<TokenView>;
  publishRevoked(id: OperatorId, how: Ending): void;
};

function endings({ store, clock, save, publishRevoked }: EndingParts): Pick<Tokens, "revoke" | "leave"> {
  return {
    async revoke(id, by) {
      const all = await store.tokens();
      const token = all.find((item) => item.id === id);
      if (token === undefined) return refuse("INVALID_REQUEST", noToken(id));
      if (token.revokedAtMs !== null && token.device?.left !== true) return toView(token);
      const type = token.device === null ? "token.revoked" : "device.revoked";
      const view = await save(ended(token, clock.now()), { by, type });
      publishRevoked(id, "revoked");
      for (const made of all) if (made.device?.makers?.includes(id) === true) publishRevoked(made.id, "revoked");
      return view;
    },
    async leave(id, by) {
      const token = (await store.tokens()).find((item) => item.id === id);
      if (token?.device === undefined || token.device === null) return refuse("INVALID_REQUEST", noToken(id));
      if (token.revokedAtMs !== null) return toView(token);
      const device = { ...token.device, left: true as const };
      const view = await save({ ...token, revokedAtMs: clock.now(), device }, { by, type: "device.revoked" });
      publishRevoked(id, "left");
      return view;
    },
  };
}

type RevokedParts = Pick<EndingParts, "store" | "save"> & { revocations: RevocationList };

async function endRevoked({ store, revocations, save }: RevokedParts): Promise<number> {
  const tokens = await store.tokens();
  for (const { id, revokedAtMs } of tokens) if (revokedAtMs !== null) revocations.add(id, revokedAtMs);
  const listed = revocations.all();
  const revived = tokens.filter(({ id, revokedAtMs }) => revokedAtMs === null && listed.has(id));
  for (const token of revived) {
    const type = token.device === null ? "token.revoked" : "device.revoked";
    await save({ ...token, revokedAtMs: listed.get(token.id) ?? 0 }, { by: "revocation-list", type });
  }
  return revived.length;
}

function operatorIn(tokens: readonly OperatorToken[], id: OperatorId) {
  const found = tokens.find((token) => token.id === id && token.revokedAtMs === null && token.device === null);
  return found === undefined ? undefined : { id: found.id, name: found.name, scopes: found.scopes };
}

/** A token with everything but its secret. */
function freshToken(name: string, scopes: readonly Scope[], createdAtMs: number) {
  const id = OperatorId.parse(`opr_${randomBytes(12).toString("base64url")}`);
  return { id, name, scopes: [...new Set(scopes)], createdAtMs, revokedAtMs: null };
}

const noToken = (id: OperatorId): string => `There is no token ${id}. List them with tokens.list.`;

/** A log-in that was left before keeps the time of that, and now takes what it made with it. */
function ended(token: OperatorToken, nowMs: number): OperatorToken {
  const revokedAtMs = token.revokedAtMs ?? nowMs;
  if (token.device === null) return { ...token, revokedAtMs };
  const { left: _left, ...device } = token.device;
  return { ...token, revokedAtMs, device };
}

const TOO_MANY = localized("tokensFull", { max: TOKENS_MAX });

function toView(token: OperatorToken, all: readonly OperatorToken[] = []): TokenView {
  const { id, name, scopes, createdAtMs, device } = token;
  const shown = { id, name, scopes, createdAtMs, revokedAtMs: revocationOf(token, all) };
  if (device === null) return { ...shown, device: null };
  const { operatorId, seenAtMs, expiresAtMs } = device;
  return { ...shown, device: { operatorId, seenAtMs, expiresAtMs } };
}
