/**
 * The gate of a plan that unlocks only what it declares (BY-02). A call outside of it is held and put before a person as
 * an amendment of the plan. What passes is confined to the scope, for whoever acts for it to enforce.
 */
import { z } from "zod";
import { isGlob } from "../../protocol/calls/confinement.ts";
import type { GateRefusal } from "../../protocol/gate.ts";
import { type PolicyQuestion, type PolicyVerdict, type TrustedToolPolicy } from "../../plugins/sdk.ts";
import { aboutCall } from "../machine/grant/about-call.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { scopeKey, scopeOf } from "../machine/scope/plan-scope.ts";
import { scopeLines } from "../protocol/step/step-lines.ts";
import type { Need, ScopeMatcher } from "../machine/scope/scope-match.ts";
import { scopeProblem } from "../machine/scope/scope-problem.ts";
import type { PlanModeState } from "../protocol/state.ts";
import { ANY_WORDS, type ScopePart, StepScope } from "../protocol/step/scope.ts";
import { askOrder, grantFor, shownCall } from "./asking.ts";
import { folderOf } from "./real-place.ts";
import { hasLinks, needsOf, scopeFor } from "./scope-call.ts";
import { stateOf } from "./stored-state.ts";

/** All that a call needs which no scope limits. */
const Scoped = z.object({ now: z.object({ scoped: z.literal(true).optional() }) });

const ALLOW: PolicyVerdict = { verdict: "allow" };
const MATCHED_CHARS_MAX = 1_000;

export const scopePolicy: TrustedToolPolicy = {
  id: "plan-mode/scope",
  description: "While a plan with a scope is carried out: only what it declares, and what people added to that.",
  evaluate(question): PolicyVerdict {
    const { call, session } = question;
    const stored = session.slices[PLAN_MODE_SLICE];
    if (stored === undefined || call.effect === "read") return ALLOW;
    if (Scoped.parse(stored).now.scoped === undefined) return ALLOW; // unreadable state throws, and that blocks
    const state = stateOf(stored);
    const scope = scopeOf(state.now);
    return scope === undefined ? ALLOW : judged(question, state, scope);
  },
};

function judged(question: PolicyQuestion, state: PlanModeState, scope: ScopeMatcher): PolicyVerdict {
  const { call, session } = question;
  const asked = needsOf(call, session.workspace);
  if ("unreadable" in asked) return { verdict: "block", refusal: unreadable(question, state, asked.unreadable) };
  const missing = asked.needs.filter((need) => !scope.covers(need));
  const isLed = call.caller?.kind === "external" && hasLinks(asked.needs, session.workspace);
  if (isLed) return { verdict: "block", refusal: unreadable(question, state, "a path without links") };
  const grant = missing.length === 0 ? undefined : grantFor(question, state, "scope");
  if (missing.length > 0 && grant === undefined) return block(question, state, missing);
  const under = { scope: scopeKey(state.now) ?? "" };
  const { paths, network } = scope;
  if (grant === undefined) return { verdict: "allow", under, confine: [{ paths, network }] };
  const own = missing.flatMap((need) => (need.part === "paths" ? [need.path] : []));
  return {
    verdict: "allow",
    under,
    grant: { slice: PLAN_MODE_SLICE, id: grant.id },
    confine: [{ paths: [...paths, ...own], network }],
  };
}

const RULE = "plan-mode/outside-scope";

function block(question: PolicyQuestion, state: PlanModeState, missing: readonly Need[]): PolicyVerdict {
  const { call, session } = question;
  const { tool, kind, argsDigest } = call;
  const amend = scopeFor(missing);
  const matched = scopeLines(amend).join("; ").slice(0, MATCHED_CHARS_MAX);
  const folder = folderOf(session.workspace, call.args);
  const asked = {
    shown: shownCall(call),
    call: { gate: "scope", tool, kind, argsDigest, folder, rule: RULE, matched } as const,
    amend,
  };
  const problem = scopeProblem(amend) ?? wouldOpenMore(amend);
  const asking = problem === undefined ? askOrder(question, state, asked) : { unasked: problem };
  const hint = "unasked" in asking ? asking.unasked : `${ASKED} ${tool} again as it is.`;
  const refusal: GateRefusal = {
    ...aboutCall(state.now, call),
    hint,
    rule: RULE,
    matched,
    message: `${tool} was not run: the approved plan does not declare it (${matched}). ${hint}`,
  };
  return { verdict: "block", refusal, ...("also" in asking ? { also: asking.also } : {}) };
}

/** What would be read as a pattern, or as another name, cannot be declared: the plan would open more than was asked for. */
function wouldOpenMore(amend: StepScope): string | undefined {
  if (!StepScope.safeParse(amend).success) return "It is too long for a plan to declare: do it in smaller parts.";
  const found = OPENS_MORE.find(({ part, test }) => amend[part]?.some(test));
  return found === undefined ? undefined : `A plan cannot declare ${found.what}.`;
}

const LEAVE_IT = "leave it, and say so in your answer";

const OPENS_MORE: readonly { part: ScopePart; test: (entry: string) => boolean; what: string }[] = [
  { part: "paths", test: isGlob, what: `a file whose name holds * or ?: ${LEAVE_IT}` },
  {
    part: "paths",
    test: (path) => path !== path.trim(),
    what: `a file whose name begins or ends with a space: ${LEAVE_IT}`,
  },
  { part: "hosts", test: isGlob, what: `a host whose name holds *: ${LEAVE_IT}` },
  { part: "tools", test: isGlob, what: `a tool whose name holds *: ${LEAVE_IT}` },
  {
    part: "commands",
    test: (command) => command.endsWith(ANY_WORDS),
    what: `a command that ends with${ANY_WORDS}: write the words out`,
  },
];

const ASKED =
  "A person has been asked whether the plan is amended by it. Stop here and wait for the answer; if they say yes, call";

function unreadable({ call }: PolicyQuestion, { now }: PlanModeState, what: string): GateRefusal {
  const hint = "Correct the arguments and call it again.";
  return {
    ...aboutCall(now, call),
    hint,
    rule: "plan-mode/scope-unreadable",
    matched: what,
    message: `${call.tool} was not run: the plan is limited to what it declares, and from the arguments it cannot be told what this would change (${what}). ${hint}`,
  };
}
