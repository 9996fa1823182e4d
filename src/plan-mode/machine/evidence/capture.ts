/** Takes evidence from the results of real calls, and counts changes, so that older evidence shows as older. */
import type { Json, JsonObject } from "../../../protocol/json.ts";
import { digestOf, type FinishedCall, type GatedCall } from "../../../plugins/sdk.ts";
import { plainPath } from "../../../protocol/calls/confinement.ts";
import type { PlanModeEvent } from "../../protocol/event.ts";
import type { PhaseOf, PlanModeState } from "../../protocol/state.ts";
import { type Evidence, EXCERPT_CHARS_MAX } from "../../protocol/step/evidence.ts";
import type { Proof } from "../../protocol/step/proof.ts";
import { changesIn } from "../../protocol/step/proof-standing.ts";
import { asksForProof } from "./refuse-unproven.ts";

type Executing = PhaseOf<"executing">;
type Asked = { step: string; proof: Proof };

/** Marks the claim of a command that a proof names: it looks at the work and is no change of it. */
export const PROOF_MARK = "proof";

/** A change was claimed: whatever was seen before it may no longer be so. */
export function countChange({ now }: PlanModeState, { under }: GatedCall, nowMs: number): PlanModeEvent[] {
  if (now.phase !== "executing" || !asksForProof(now) || under?.[PROOF_MARK] !== undefined) return [];
  return [{ type: "plan.changed", count: changesIn(now) + 1, atMs: nowMs }];
}

/** A change ended. What was seen while it was under way may have missed it, so that is older now. */
export function countEnd({ now }: PlanModeState, call: FinishedCall, nowMs: number): PlanModeEvent[] {
  if (now.phase !== "executing" || !asksForProof(now) || call.claimed !== true || isProof(now, call)) return [];
  const count = changesIn(now);
  const isSeenMeanwhile = (now.evidence ?? []).some(({ after, atMs }) => after === count && atMs >= call.startedAtMs);
  return isSeenMeanwhile ? [{ type: "plan.changed", count: count + 1, atMs: nowMs }] : [];
}

const isProof = ({ submission }: Executing, { tool, args }: FinishedCall): boolean =>
  tool === "exec" &&
  submission.steps.some(({ proof = [] }) =>
    proof.some((one) => one.by === "command" && one.command === provingCommand(args)),
  );

type PeerFact = { slice: string; event: { type: string } };

/** Files were put back, or a sub-agent is done: neither made a call in this session, and both change the work. */
export function countPeerChange({ now }: PlanModeState, { event }: PeerFact, nowMs: number): PlanModeEvent[] {
  if (now.phase !== "executing" || !asksForProof(now) || !PEER_CHANGES.has(event.type)) return [];
  return [{ type: "plan.changed", count: changesIn(now) + 1, atMs: nowMs }];
}

const PEER_CHANGES: ReadonlySet<string> = new Set(["changes.rollback_ordered", "changes.rolled_back", "child.ended"]);

/** A call ended: what it shows of the criteria of steps that are still open. */
export function captureEvidence({ now }: PlanModeState, call: FinishedCall, nowMs: number): PlanModeEvent[] {
  if (now.phase !== "executing" || !asksForProof(now) || isOlder(now, call)) return [];
  return openProofs(now)
    .flatMap((asked) => seenBy(asked, call, { atMs: nowMs, after: changesIn(now) }))
    .map((evidence) => ({ type: "evidence.captured", evidence, atMs: nowMs }));
}

/** It began before the plan was carried out, or before the last change: it cannot have seen that. */
const isOlder = ({ decidedAtMs, changes }: Executing, { startedAtMs }: FinishedCall): boolean =>
  startedAtMs < Math.max(decidedAtMs, changes?.atMs ?? 0);

const openProofs = ({ steps }: Executing): Asked[] =>
  steps
    .filter(({ status }) => status === "pending" || status === "in_progress")
    .flatMap(({ step, proof = [] }) => proof.map((one) => ({ step: step.trim(), proof: one })));

type When = Pick<Evidence, "atMs" | "after">;

function seenBy({ step, proof }: Asked, call: FinishedCall, when: When): Evidence[] {
  const about = { step, criterion: proof.criterion, ...when, callId: call.callId };
  const content = fieldsOf(call.content);
  switch (proof.by) {
    case "command": {
      const { exitCode, output } = content;
      if (call.tool !== "exec" || provingCommand(call.args) !== proof.command) return [];
      if (typeof exitCode !== "number" || typeof output !== "string") return [];
      const excerpt = output.trimEnd().slice(-EXCERPT_CHARS_MAX).toWellFormed();
      const seen = { command: proof.command, exitCode, outputDigest: digestOf(output), excerpt };
      return [{ kind: "command", ...about, ...seen, passed: exitCode === proof.exitCode }];
    }
    case "file": {
      const sha256 = textOf(content["hash"]);
      if (call.tool !== "read" || call.status !== "ok" || sha256 === "") return [];
      if (textOf(content["path"]) !== plainPath(proof.path)) return [];
      return [{ kind: "file", ...about, path: plainPath(proof.path), sha256, passed: isAsAsked(proof, content) }];
    }
    case "person":
      return [];
  }
}

/** A proof is signed for the workspace: in another folder the same words may be any program. Undefined: it proves nothing. */
export function provingCommand({ command, cwd, background }: JsonObject): string | undefined {
  if (typeof command !== "string" || background === true) return undefined;
  return cwd === undefined || cwd === "." || cwd === "./" ? command.trim() : undefined;
}

/** A file that need only be there is there: it was read. */
function isAsAsked({ contains, sha256 }: Extract<Proof, { by: "file" }>, content: JsonObject): boolean {
  if (sha256 !== undefined && content["hash"] !== sha256) return false;
  return contains === undefined || textOf(content["text"]).includes(contains);
}

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");
const fieldsOf = (content: Json): JsonObject =>
  typeof content === "object" && content !== null && !Array.isArray(content) ? content : {};
