/**
 * A session below others has the strictest mode of them all (I16). For each call that is not proven to read, every
 * ancestor is read from the store, and the trusted policies and the guards of its slices are asked as if the call were
 * its own. A one-off permission that a person gave to an ancestor is not the child's to spend.
 *
 * What is guaranteed: the question is put before the call is claimed and once more between the committed claim and the
 * start of the tool. A call therefore starts only if, at a moment after its claim, every ancestor allowed it. An ancestor
 * that enters plan mode before that moment stops the call; one that enters it later finds a call that had begun.
 */
import {
  askGuards,
  continuationOf,
  isMandated,
  type PermissionPrompt,
  type PolicyQuestion,
  type PolicyVerdict,
  refuseBelowHeld,
  refuseLent,
  type SliceRegistry,
  type TrustedToolPolicy,
} from "../../plugins/sdk.ts";
import type { Clock, Sessions } from "../../plugins/sessions.ts";
import type { Confinement } from "../../protocol/calls/confinement.ts";
import type { GateRefusal } from "../../protocol/gate.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { Session } from "../../protocol/session.ts";

/** Deeper than any chain that can be spawned; a longer one is a circle or a fault. */
const ANCESTORS_MAX = 8;

export type AncestorParts = {
  sessions: Pick<Sessions, "session">;
  slices: SliceRegistry;
  /** The same that judge a session's own calls. */
  policies: readonly TrustedToolPolicy[];
  /** What a session above would have to ask a person about, the one below it may not do. */
  permissionPrompt?: PermissionPrompt | undefined;
  clock: Pick<Clock, "now">;
  settingsFor(session: Session): Readonly<Record<string, unknown>>;
  /** Operators and passkeys; absent: none. */
  revoked?: ReadonlySet<string>;
};

export function ancestorPolicy(parts: AncestorParts): TrustedToolPolicy {
  return {
    id: "sub-agents/ancestors",
    description: "A sub-agent may do only what every session above it may do at this moment.",
    afterClaim: true,
    evaluate({ call, session }) {
      if (session.parentId === undefined || call.effect === "read") return ALLOW;
      // a person signed a plan for this very run of a job; where that is not so, the sessions above are asked
      if (isMandated(session, { context: contextOf(session, parts), slices: parts.slices })) return ALLOW;
      return judgeChain({ call, session }, parts);
    },
  };
}

const ALLOW: PolicyVerdict = { verdict: "allow" };

type Asked = Pick<PolicyQuestion, "call" | "session">;

async function judgeChain({ call, session }: Asked, parts: AncestorParts): Promise<PolicyVerdict> {
  const chain = await ancestorsOf(session, parts.sessions);
  if (chain === "broken") return blocked(broken(call));
  const unlent = lentRefusal({ call, session }, chain, parts);
  if (unlent !== undefined) return blocked(unlent);
  const above: JsonObject = {};
  const confine: Confinement[] = [];
  for (const ancestor of chain) {
    const held = refuseBelowHeld(ancestor, call, parts.settingsFor(ancestor));
    if (held !== undefined) return blocked(inherited(held, ancestor));
    const judged = await judgedBy(ancestor, call, parts);
    if ("refusal" in judged) return blocked(inherited(judged.refusal, ancestor), judged.by);
    confine.push(...judged.confine);
    const guarded = guardsOf(ancestor, { ...call, under: judged.under }, parts);
    if (!guarded.allowed) return blocked(inherited(guarded.refusal, ancestor), guarded.by);
    above[ancestor.id] = guarded.under;
  }
  return { verdict: "allow", under: { above }, ...(confine.length === 0 ? {} : { confine }) };
}

/** A run that only an approved plan above stands behind may change things while that plan has work left, no longer. */
function lentRefusal({ call, session }: Asked, chain: readonly Session[], parts: AncestorParts) {
  const isWorkLeft = chain.some(
    (ancestor) => continuationOf(ancestor, { context: contextOf(ancestor, parts), slices: parts.slices }) === "work",
  );
  return refuseLent(session, call, { isWorkLeft, settings: parts.settingsFor(session) });
}

/** `by`: the policy or the guard of the session above that refused. */
const blocked = (refusal: GateRefusal, by?: string): PolicyVerdict =>
  by === undefined ? { verdict: "block", refusal } : { verdict: "block", refusal, by };

/** From the parent up; `broken` when one of them is not there or there are too many. */
export async function ancestorsOf(
  session: Pick<Session, "parentId">,
  sessions: Pick<Sessions, "session">,
): Promise<Session[] | "broken"> {
  const chain: Session[] = [];
  let above: SessionId | undefined = session.parentId;
  while (above !== undefined) {
    if (chain.length >= ANCESTORS_MAX) return "broken";
    const ancestor = await sessions.session(above);
    if (ancestor === undefined) return "broken";
    chain.push(ancestor);
    above = ancestor.parentId;
  }
  return chain;
}

type Judged = { refusal: GateRefusal; by: string } | { under: JsonObject; confine: readonly Confinement[] };

/** A policy that throws is not caught here: the pipeline takes it for a no. What binds the session above binds this one. */
async function judgedBy(
  ancestor: Session,
  call: PolicyQuestion["call"],
  { policies, permissionPrompt, settingsFor }: AncestorParts,
): Promise<Judged> {
  const under: JsonObject = {};
  const confine: Confinement[] = [];
  const question = { call, session: ancestor, settings: settingsFor(ancestor), allowed: {} };
  for (const policy of [...policies, ...(permissionPrompt === undefined ? [] : [permissionPrompt])]) {
    const verdict = await policy.evaluate(question);
    const { id: by } = policy;
    if (verdict.verdict === "block") return { refusal: verdict.refusal, by };
    if (verdict.verdict !== "allow") return { refusal: unsettled(call, verdict.reason), by };
    if (verdict.grant !== undefined) return { refusal: lent(call), by };
    Object.assign(under, verdict.under);
    confine.push(...(verdict.confine ?? []));
  }
  return { under, confine };
}

function guardsOf(ancestor: Session, call: PolicyQuestion["call"], parts: AncestorParts) {
  const { tool, kind, effect, argsDigest, under = {} } = call;
  const world = { context: contextOf(ancestor, parts), slices: parts.slices };
  return askGuards(ancestor, { tool, kind, effect, argsDigest, under }, world);
}

const contextOf = (ancestor: Session, { clock, settingsFor, revoked = NOBODY }: AncestorParts) => ({
  nowMs: clock.now(),
  actor: { kind: "agent" as const, sessionId: ancestor.id },
  fresh: [],
  settings: settingsFor(ancestor),
  revoked,
});

const NOBODY: ReadonlySet<string> = new Set();

const inherited = (refusal: GateRefusal, ancestor: Session): GateRefusal => ({
  ...refusal,
  rule: `${refusal.rule} (inherited)`,
  matched: `${refusal.matched} of ${ancestor.id}`,
  hint: "The session that you work for does not allow it now. Finish by reading, and report what should be changed.",
  message: `${refusal.tool_name} was not run: a session above this one does not allow it now. Finish by reading, and report what should be changed.`,
});

const lent = ({ tool, kind }: PolicyQuestion["call"]): GateRefusal => ({
  tool_name: tool,
  tool_kind: kind,
  hint: "Report back; the session that was allowed it can do it itself.",
  entered_at: null,
  entered_reason: null,
  rule: "sub-agents/permission-of-another",
  matched: "a one-off permission",
  message: `${tool} was not run: it was allowed once to the session above, not to this one.`,
});

/** Above it the call would be asked about, or changed first: as it stands it is not allowed there. */
const unsettled = ({ tool, kind }: PolicyQuestion["call"], reason: string): GateRefusal => ({
  tool_name: tool,
  tool_kind: kind,
  hint: "Report back; the session above can do it itself.",
  entered_at: null,
  entered_reason: null,
  rule: "sub-agents/not-as-it-stands",
  matched: reason,
  message: `${tool} was not run: the session above may not make this call as it stands (${reason}).`,
});

const broken = ({ tool, kind }: PolicyQuestion["call"]): GateRefusal => ({
  tool_name: tool,
  tool_kind: kind,
  hint: "Report what you found; nothing can be changed from here.",
  entered_at: null,
  entered_reason: null,
  rule: "sub-agents/ancestor-gone",
  matched: "the session above this one",
  message: `${tool} was not run: the session that you work for cannot be found, so nobody can have allowed it.`,
});
