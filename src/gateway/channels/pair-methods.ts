/** The methods `pair.*`: whose account on a channel is whose. */
import type { Clock } from "../../engine/clock.ts";
import type { Caller, MethodTable } from "../../http/method-table.ts";
import { actorKey, type Scope } from "../../protocol/actor.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import type { SurfaceAccount, SurfacePerson } from "../../store/deliveries.ts";
import type { Store } from "../../store/store.ts";
import type { Loosening } from "../methods/records.ts";
import { StoreRefused, storeRefusal } from "../methods/store-refusal.ts";
import type { RevocationList } from "../login/revocation-list.ts";
import type { Tokens } from "../tokens.ts";
import type { Pairing, PairRequest } from "./pairing.ts";

export type PairParts = {
  store: Store;
  clock: Clock;
  tokens: Pick<Tokens, "operator" | "create" | "list">;
  pairing: Pairing;
  revocations: RevocationList;
  /** Whoever is paired with somebody's name signs with it, so it needs what making that operator would need (PL-19). */
  loosening?: Loosening | undefined;
};

type PairTable = Pick<MethodTable, "pair.list" | "pair.approve" | "pair.revoke">;
type Approving = {
  code: string;
  operatorId?: OperatorId | undefined;
  name?: string | undefined;
  scopes?: Scope[] | undefined;
};

const NAME_CHARS_MAX = 64;
const NEW_SCOPES: Scope[] = ["operator.read", "operator.write"];

export function pairMethods(parts: PairParts): PairTable {
  const { store, clock, pairing, tokens, revocations } = parts;
  const view = async (account: SurfaceAccount) => {
    const operator = await tokens.operator(account.operatorId);
    return { ...account, operatorName: operator?.name ?? null };
  };
  return {
    async "pair.list"() {
      const requests = await pairing.requests();
      const people = await Promise.all((await store.surfaceAccounts()).map(view));
      return { requests: requests.map(({ conversation: _place, ...request }) => request), people };
    },
    async "pair.approve"(approving, { actor }) {
      const request = (await pairing.requests()).find(({ code }) => code === approving.code.trim().toUpperCase());
      if (request === undefined) return NO_REQUEST;
      const operator = await operatorFor(approving, { request, actor, parts });
      if ("refused" in operator) return operator;
      const { surface, account, personId } = request;
      const paired = { surface, account, personId, operatorId: operator.id, createdAtMs: clock.now() };
      const fact = {
        type: "account.paired",
        detail: { name: request.name, surface, account, personId, operator: operator.id },
      };
      const audit = { atMs: clock.now(), actor: actorKey(actor), facts: [fact] };
      const refused = storeRefusal(await store.saveSurfaceAccount(paired, audit));
      if (refused !== undefined) return refused;
      await pairing.forget(request);
      return { person: await view(paired) };
    },
    async "pair.revoke"({ surface, account, personId }, { actor }) {
      const known = await store.surfaceAccount({ surface, account, personId });
      if (known === undefined) return NOBODY;
      const refused = await unpair(known, actorKey(actor), parts);
      if (refused !== undefined) return refused;
      revocations.note({ account: accountKey(known) }, clock.now());
      return {};
    },
  };
}

type Unpairing = Pick<PairParts, "store" | "clock">;

async function unpair(known: SurfaceAccount, by: string, { store, clock }: Unpairing): Promise<Refused | undefined> {
  const { surface, account, personId, operatorId: operator } = known;
  const fact = { type: "account.unpaired", detail: { surface, account, personId, operator } };
  const audit = { atMs: clock.now(), actor: by, facts: [fact] };
  return storeRefusal(await store.saveSurfaceAccount({ ...known, operatorId: null }, audit));
}

const accountKey = ({ surface, account, personId }: SurfacePerson): string =>
  JSON.stringify([surface, account, personId]);

/** At the start: a store that was restored has again whoever was unpaired since. One that was paired again later stays. */
export async function endUnpaired(parts: Unpairing & Pick<PairParts, "revocations">): Promise<number> {
  let revived = 0;
  for (const known of await parts.store.surfaceAccounts()) {
    const atMs = parts.revocations.revokedAtMs({ account: accountKey(known) });
    if (atMs === undefined || known.createdAtMs > atMs) continue;
    if ((await unpair(known, "revocation-list", parts)) === undefined) revived += 1;
  }
  return revived;
}

type Choosing = { request: PairRequest; actor: Caller["actor"]; parts: PairParts };

/** One that exists, or a new one. */
async function operatorFor(approving: Approving, choosing: Choosing): Promise<{ id: OperatorId } | Refused> {
  const { operatorId } = approving;
  return operatorId === undefined ? newOperator(approving, choosing) : knownOperator(operatorId, choosing);
}

async function knownOperator(id: OperatorId, { actor, parts: { tokens, loosening } }: Choosing) {
  const known = await tokens.operator(id);
  if (known === undefined) return NO_OPERATOR;
  return (known.id === actor.id ? undefined : loosening?.token(actor, known)) ?? known;
}

async function newOperator({ name, scopes = NEW_SCOPES }: Approving, { request, actor, parts }: Choosing) {
  const { tokens, loosening } = parts;
  const called = (name ?? request.name).trim().slice(0, NAME_CHARS_MAX);
  const made = { name: called === "" ? request.personId.slice(0, NAME_CHARS_MAX) : called, scopes };
  const refused = loosening?.token(actor, made);
  if (refused !== undefined) return refused;
  try {
    return (await tokens.create({ ...made, by: actorKey(actor) })).token;
  } catch (error) {
    if (error instanceof StoreRefused) return { refused: error.refusal };
    throw error;
  }
}

const NO_REQUEST = refuse(
  "INVALID_REQUEST",
  "Nobody asks to be paired with this code; it may have expired. See: holdpoint pair list",
);
const NOBODY = refuse("INVALID_REQUEST", "Nobody is paired under this account. See: holdpoint pair list");
const NO_OPERATOR = refuse(
  "INVALID_REQUEST",
  "There is no such operator, or their token was revoked. See: holdpoint tokens list",
);
