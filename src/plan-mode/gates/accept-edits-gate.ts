/**
 * The second gate, while a plan is carried out that a person accepted "with edits" (AE): open, except for three classes
 * of calls. It is asked with the live state, so the permission ends in the moment in which the approval does (AE-01);
 * under a plain approval there is none to limit (docs/adr/0009).
 */
import { z } from "zod";
import type { GateRefusal } from "../../protocol/gate.ts";
import { PlanModeState } from "../protocol/state.ts";
import { type PolicyQuestion, type PolicyVerdict, type TrustedToolPolicy } from "../../plugins/sdk.ts";
import { aboutCall } from "../machine/grant/about-call.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { ASKED, askOrder, grantFor, shownCall } from "./asking.ts";
import { judgeInEdits } from "./edit-call.ts";
import type { EditCallVerdict, HeldInEdits } from "./edit-verdict.ts";
import { declaredDestructive } from "./foreign-call.ts";
import { editPlaceOf, folderOf, placeOf } from "./real-place.ts";

const Approval = z.object({ now: z.object({ approval: z.string() }) });

const ALLOW: PolicyVerdict = { verdict: "allow" };

export const acceptEditsPolicy: TrustedToolPolicy = {
  id: "plan-mode/accept-edits",
  description: "While a plan accepted with edits is carried out: nothing destructive, nothing of the gateway's own.",
  evaluate: (question) =>
    judgedWith(question, ({ call, session }) =>
      judgeInEdits(call, editPlaceOf(placeOf(folderOf(session.workspace, call.args)))),
    ),
};

/** The gateway's own folders and port, wherever they are; only the gateway knows. */
export const ownFoldersPolicy = (folders: readonly string[], ports?: () => readonly number[]): TrustedToolPolicy => ({
  id: "plan-mode/own-folders",
  description: "While a plan accepted with edits is carried out: nothing in the gateway's own folders.",
  evaluate: (question) =>
    judgedWith(question, ({ call, session }) => {
      const place = editPlaceOf(placeOf(folderOf(session.workspace, call.args)));
      return judgeInEdits(call, { ...place, folders, ...(ports === undefined ? {} : { ports: ports() }) });
    }),
});

/** For tools of others that say of themselves that they destroy; whoever knows them tells which they are. */
export const declaredDestructivePolicy = (isDeclared: (tool: string) => boolean): TrustedToolPolicy => ({
  id: "plan-mode/declared-destructive",
  description: "While a plan accepted with edits is carried out: no tool that declares itself destructive.",
  evaluate: (question) =>
    judgedWith(question, ({ call }) => (isDeclared(call.tool) ? declaredDestructive(call.tool) : { allowed: true })),
});

function judgedWith(question: PolicyQuestion, judge: (question: PolicyQuestion) => EditCallVerdict): PolicyVerdict {
  const { call, session } = question;
  const stored = session.slices[PLAN_MODE_SLICE];
  if (stored === undefined || call.effect === "read") return ALLOW;
  if (Approval.parse(stored).now.approval !== "edited") return ALLOW;
  const held = judge(question);
  if (held.allowed) return ALLOW;
  const state = PlanModeState.parse(stored);
  const grant = grantFor(question, state, "accept-edits");
  if (grant !== undefined) return { verdict: "allow", grant: { slice: PLAN_MODE_SLICE, id: grant.id } };
  return block(question, state, held);
}

function block(question: PolicyQuestion, state: PlanModeState, held: HeldInEdits): PolicyVerdict {
  const { call, session } = question;
  const { code, matched, reason } = held;
  const { tool, kind, argsDigest } = call;
  const folder = folderOf(session.workspace, call.args);
  const asking =
    held.class === "unreadable"
      ? undefined
      : askOrder(question, state, {
          shown: shownCall(call),
          call: { gate: "accept-edits", tool, kind, argsDigest, folder, rule: code, matched },
        });
  const also = asking !== undefined && "also" in asking ? asking.also : undefined;
  const hint = also === undefined ? reason : `${ASKED} ${tool} again with exactly the same arguments.`;
  const refusal: GateRefusal = {
    ...aboutCall(state.now, call),
    hint,
    rule: code,
    matched,
    message: `${tool} was not run: ${WHY[held.class]} (${code}: ${matched}). ${hint}`,
  };
  return { verdict: "block", refusal, ...(also === undefined ? {} : { also }) };
}

const WHY: Readonly<Record<HeldInEdits["class"], string>> = {
  destructive: "the approval with edits does not cover what removes or erases something, or hides what it runs",
  "gateway-control": "the approval with edits does not cover stopping or restarting the gateway",
  "config-change": "the approval with edits does not cover the configuration of the gateway or of an agent",
  unreadable: "it cannot be seen what it would touch",
};
