/**
 * Operators' tokens. A secret is 256 random bits, shown once; the store keeps its hash. Hashes are compared, all of them,
 * in constant time: how long an answer takes says nothing about how near a guess was.
 */
import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Clock } from "../engine/clock.ts";
import type { Scope } from "../protocol/actor.ts";
import { OperatorId } from "../protocol/ids.ts";
import type { ResultOf } from "../protocol/methods.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { OperatorToken, Store } from "../store/store.ts";
import { StoreRefused, storeRefusal } from "./methods/store-refusal.ts";

const SECRET_BYTES = 32;
const TOKENS_MAX = 1_000;
/** How long a token revoked through another gateway on the same store may still open a connection here. */
export const KEPT_MS_MAX = 5_000;

type TokenView = ResultOf<"tokens.list">["tokens"][number];

export type Tokens = {
  /** Throws a StoreRefused when it could not be recorded; then it does not exist. */
  create(token: { name: string; scopes: Scope[]; by: string }): Promise<{ token: TokenView; secret: string }>;
  list(): Promise<TokenView[]>;
  revoke(id: OperatorId, by: string): Promise<TokenView | Refused>;
  authenticate(secret: string): Promise<{ id: OperatorId; name: string; scopes: Scope[] } | undefined>;
  /** Heard at once, so that connections of that token end. */
  onRevoked(listener: (id: OperatorId) => void): void;
  /** Looks for what another gateway on the same store revoked, and tells the same listeners. */
  look(): Promise<void>;
};

export function createTokens({ store, clock }: { store: Store; clock: Clock }): Tokens {
  const listeners: ((id: OperatorId) => void)[] = [];
  const told = new Set<OperatorId>(); // no larger than the list that is read to fill it
  let kept: { tokens: OperatorToken[]; atMs: number } | undefined;
  let changes = 0;

  async function known(): Promise<OperatorToken[]> {
    const ageMs = kept === undefined ? Infinity : Math.abs(clock.now() - kept.atMs);
    if (kept !== undefined && ageMs <= KEPT_MS_MAX) return kept.tokens;
    const before = changes;
    const tokens = await store.tokens();
    if (before === changes) kept = { tokens, atMs: clock.now() }; // what was read before a revocation is not kept after it
    return tokens;
  }

  async function save(token: OperatorToken, fact: { by: string; type: string }): Promise<TokenView> {
    const { id, name, scopes } = token;
    const facts = [{ type: fact.type, detail: { id, name, scopes } }];
    const refused = storeRefusal(await store.saveToken(token, { atMs: clock.now(), actor: fact.by, facts }));
    kept = undefined;
    changes += 1;
    if (refused !== undefined) throw new StoreRefused(refused.refused);
    return toView(token);
  }

  function tell(id: OperatorId): void {
    told.add(id);
    for (const listener of listeners) listener(id);
  }

  return {
    async create({ name, scopes, by }) {
      const count = (await store.tokens()).filter((token) => token.revokedAtMs === null).length;
      if (count >= TOKENS_MAX) throw new StoreRefused(refuse("QUEUE_FULL", TOO_MANY).refused);
      const secret = `hp_${randomBytes(SECRET_BYTES).toString("base64url")}`;
      const id = OperatorId.parse(`opr_${randomBytes(12).toString("base64url")}`);
      const unique = [...new Set(scopes)];
      const token = {
        id,
        name,
        tokenHash: hashOf(secret),
        scopes: unique,
        createdAtMs: clock.now(),
        revokedAtMs: null,
      };
      return { token: await save(token, { by, type: "token.created" }), secret };
    },
    list: async () => (await store.tokens()).map(toView),
    async revoke(id, by) {
      const token = (await store.tokens()).find((item) => item.id === id);
      if (token === undefined) return refuse("INVALID_REQUEST", `There is no token ${id}. List them with tokens.list.`);
      if (token.revokedAtMs !== null) return toView(token);
      const view = await save({ ...token, revokedAtMs: clock.now() }, { by, type: "token.revoked" });
      tell(id);
      return view;
    },
    async authenticate(secret) {
      const given = hashOf(secret);
      const matching = (await known()).filter((token) => isEqual(token.tokenHash, given)); // looks at every one
      const valid = matching.find((token) => token.revokedAtMs === null);
      return valid === undefined ? undefined : { id: valid.id, name: valid.name, scopes: valid.scopes };
    },
    onRevoked: (listener) => void listeners.push(listener),
    async look() {
      const revoked = (await store.tokens()).filter((token) => token.revokedAtMs !== null);
      for (const { id } of revoked) if (!told.has(id)) tell(id);
    },
  };
}

const TOO_MANY = `At most ${TOKENS_MAX} tokens can be valid at once. Revoke those that nobody uses.`;

const hashOf = (secret: string): string => hash("sha256", secret);

function isEqual(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

function toView({ id, name, scopes, createdAtMs, revokedAtMs }: OperatorToken): TokenView {
  return { id, name, scopes, createdAtMs, revokedAtMs };
}
