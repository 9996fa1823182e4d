/**
 * Checks every signature of a passkey in the audit log again, from the log alone: the challenge is made anew from what
 * the row says was decided, and the public key comes from the row in which it was enrolled. So a decision that was
 * altered is found even where the whole chain was written anew around it.
 *
 * What it cannot prove: that the first key was the right person's. Compare its fingerprint with your own note of it.
 */
import { z } from "zod";
import { AuditFact, type AuditRow } from "../../protocol/audit.ts";
import { PresenceProof, type PresenceStatement } from "../../protocol/presence.ts";
import { digestOf } from "../../plugins/digest-of.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import { checkAssertion } from "./check-assertion.ts";
import { fingerprintOf } from "./passkeys.ts";
import { statementChallenge } from "./statement-challenge.ts";

export type SignedKey = {
  credentialId: string;
  operatorId: string;
  name: string;
  fingerprint: string;
  signatures: number;
};

export type SignedVerdict = {
  /** Signatures that hold. */
  signatures: number;
  keys: SignedKey[];
  faults: { seq: number; reason: string }[];
  /** Rows of approvals that no passkey signed, as most are where none is asked for. */
  unsigned: number[];
};

export type RowPages = (afterSeq: number) => Promise<readonly AuditRow[]>;

const Body = z.object({ facts: z.array(AuditFact) });
const Enrolled = z.object({
  credentialId: z.string(),
  operatorId: z.string(),
  name: z.string(),
  publicKey: z.string(),
  rpId: z.string(),
});

type Key = SignedKey & { publicKey: string; rpId: string; revoked: boolean };
type Walk = {
  keys: Map<string, Key>;
  revokedOperators: Set<string>;
  /** Links that were made for an operator and not used yet. */
  links: Map<string, number>;
  nonces: Set<string>;
  counts: Set<string>;
  out: SignedVerdict;
};

export async function verifySignedRows(pages: RowPages): Promise<SignedVerdict> {
  const out: SignedVerdict = { signatures: 0, keys: [], faults: [], unsigned: [] };
  const walk: Walk = {
    keys: new Map(),
    revokedOperators: new Set(),
    links: new Map(),
    nonces: new Set(),
    counts: new Set(),
    out,
  };
  let afterSeq = 0;
  for (let page = await pages(afterSeq); page.length > 0; page = await pages(afterSeq)) {
    for (const row of page) await look(row, walk);
    afterSeq = page.at(-1)?.seq ?? afterSeq;
  }
  out.keys = [...walk.keys.values()].map(({ publicKey: _key, rpId: _rpId, revoked: _revoked, ...shown }) => shown);
  return out;
}

async function look(row: AuditRow, walk: Walk): Promise<void> {
  const facts = Body.safeParse(parsed(row.body)).data?.facts;
  const fault = (reason: string): void => void walk.out.faults.push({ seq: row.seq, reason });
  if (facts === undefined) return fault("its text cannot be read");
  for (const fact of facts) {
    const signed = fact.detail["presence"];
    const reason =
      signed === undefined ? unsigned(fact, row, walk) : await signedFault({ fact, facts, row, signed }, walk);
    if (reason !== undefined) fault(reason);
    const told = follow(fact, walk);
    if (told !== undefined) fault(told);
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // what is no JSON has no facts
  }
}

function unsigned({ type, detail }: AuditFact, { seq }: AuditRow, { keys, out }: Walk): string | undefined {
  if (type === "plan.decided" && detail["decision"] !== "rejected" && isByPerson(detail)) out.unsigned.push(seq);
  if (type !== "passkey.linked" || keys.size === 0) return undefined;
  return "a link for a passkey was made without a passkey";
}

const By = z.object({ by: z.object({ kind: z.string(), id: z.string() }) });
const isByPerson = (detail: JsonObject): boolean => By.safeParse(detail).data?.by.kind === "operator";

/** Keys come, go, and lose their operator. */
function follow({ type, detail }: AuditFact, { keys, links, revokedOperators }: Walk): string | undefined {
  const operatorId = textIn(detail, "operatorId");
  switch (type) {
    case "passkey.linked":
    case "passkey.recovered":
      links.set(operatorId, (links.get(operatorId) ?? 0) + 1);
      return undefined;
    case "passkey.enrolled": {
      const { data } = Enrolled.safeParse(detail);
      if (data === undefined) return "its passkey cannot be read";
      const open = links.get(operatorId) ?? 0;
      links.set(operatorId, Math.max(0, open - 1));
      if (keys.has(data.credentialId)) return "a passkey was enrolled twice";
      if (keys.size === 0) links.clear(); // links that were made on trust end with the first passkey
      keys.set(data.credentialId, {
        ...data,
        fingerprint: fingerprintOf(data.publicKey),
        signatures: 0,
        revoked: false,
      });
      return open === 0 ? "a passkey was enrolled without a link" : undefined;
    }
    case "passkey.revoked": {
      const key = keys.get(textIn(detail, "credentialId"));
      if (key !== undefined) key.revoked = true;
      return undefined;
    }
    case "token.revoked":
      revokedOperators.add(textIn(detail, "id"));
      return undefined;
    default:
      return undefined;
  }
}

const textIn = (detail: JsonObject, name: string): string => {
  const value = detail[name];
  return typeof value === "string" ? value : "";
};

type Signed = { fact: AuditFact; facts: readonly AuditFact[]; row: AuditRow; signed: Json };

async function signedFault({ fact, facts, row, signed }: Signed, walk: Walk): Promise<string | undefined> {
  const { data: proof } = PresenceProof.safeParse(signed);
  if (proof === undefined) return "its signature cannot be read";
  const { statement, ...response } = proof;
  if (!isAbout(statement, { fact, facts, row })) return "its signature is for another decision";
  const key = walk.keys.get(proof.credentialId);
  if (key === undefined) return "its passkey is not in this log";
  if (key.operatorId !== statement.person) return "its passkey is another person's";
  if (key.revoked || walk.revokedOperators.has(key.operatorId)) return "its passkey was revoked before";
  const { rpId, publicKey } = key;
  const challenge = statementChallenge(statement);
  const checked = await checkAssertion({
    response,
    challenge,
    rpId,
    publicKey,
    isOurs: (origin) => isAt(origin, rpId),
  });
  if ("fault" in checked) return `its signature does not hold (${checked.fault})`;
  const count = `${proof.credentialId} ${checked.counter}`;
  const isRepeated = walk.nonces.has(statement.nonce) || (checked.counter > 0 && walk.counts.has(count));
  walk.nonces.add(statement.nonce);
  walk.counts.add(count);
  if (isRepeated) return "its signature was used before";
  key.signatures += 1;
  walk.out.signatures += 1;
  return undefined;
}

const isAt = (origin: string, rpId: string): boolean => {
  const hostname = URL.canParse(origin) ? new URL(origin).hostname : "";
  return hostname === rpId || hostname.endsWith(`.${rpId}`);
};

type Told = Pick<Signed, "fact" | "facts" | "row">;

/** Whether this statement is the decision that the row tells. */
const isAbout = (statement: PresenceStatement, told: Told): boolean =>
  isBy(statement, told) && isDecision(statement, told);

function isBy({ person, sessionId }: PresenceStatement, { fact, row }: Told): boolean {
  const by = By.safeParse(fact.detail).data?.by.id ?? row.actor;
  return person === row.actor && by === row.actor && sessionId === row.sessionId;
}

function isDecision(statement: PresenceStatement, { fact, facts }: Told): boolean {
  const { detail } = fact;
  const [, action = "", runs] = DECISION.exec(statement.decision) ?? [];
  switch (fact.type) {
    case "plan.decided":
      if (runs !== undefined)
        return isStanding(detail, { action, runs: Number(runs) }) && isPlan(statement, { detail, facts, action });
      return UNLOCKS[action] === detail["decision"] && isPlan(statement, { detail, facts, action });
    case "plan.signed":
      return UNLOCKS[action] === detail["unlock"] && isPlan(statement, { detail, facts, action });
    case "grant.given":
      return statement.decision === "allow-once" && statement.digest === callDigest(detail);
    case "loosening.signed":
      return statement.digest === detail["digest"] && statement.digest === digestOf(detail["what"] ?? null);
    case "passkey.linked":
      return statement.decision === "enrol" && statement.approvalId === detail["operatorId"];
    default:
      return isNamed(statement, detail);
  }
}

/** With the limits of a plan that stands for a job. */
const DECISION = /^(.*?)(?:_steps_[\d,-]+)?(?:_standing_(\d+)_\d+)?(?:_over_rejection_\d+)?$/;

/** Of several signers the one who allows least decides; nobody signs more than their own limit. */
const isStanding = (detail: JsonObject, { action, runs }: { action: string; runs: number }): boolean =>
  detail["decision"] === "standing" && UNLOCKS[action] === detail["unlock"] && Number(detail["runs"]) <= runs;

const UNLOCKS: Readonly<Record<string, string>> = {
  approve: "approved",
  edit: "edited",
  approve_edited: "approved",
  approve_edited_allowing_edits: "edited",
};

type Plan = { detail: JsonObject; facts: readonly AuditFact[]; action: string };

/** An edition is signed together with the revision that it was made of; its own id is minted with the decision. */
function isPlan({ approvalId, digest }: PresenceStatement, { detail, facts, action }: Plan): boolean {
  if (digest !== detail["digest"]) return false;
  if (approvalId === detail["approvalId"]) return true;
  const submitted = facts.find(({ type }) => type === "plan.submitted")?.detail ?? {};
  const isEdition = action.startsWith("approve_edited") && submitted["approvalId"] === detail["approvalId"];
  return isEdition && submitted["supersedes"] === approvalId;
}

const CALL_FIELDS = ["gate", "tool", "kind", "argsDigest", "folder", "rule", "matched"];

/** Rows of earlier versions do not say within what the call was to run. */
const callDigest = (detail: JsonObject): string => {
  const within = detail["within"] === undefined ? {} : { within: detail["within"] };
  return digestOf({ ...Object.fromEntries(CALL_FIELDS.map((name) => [name, detail[name] ?? null])), ...within });
};

/** Of decisions that are told in other words: whatever both sides name must be the same. */
const isNamed = (statement: PresenceStatement, detail: JsonObject): boolean =>
  (["approvalId", "digest"] as const).every((name) => detail[name] === undefined || detail[name] === statement[name]);
