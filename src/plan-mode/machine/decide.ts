/**
 * What plan mode answers to a command. Three walls before any of them: the right actor, the feature switched on for
 * whatever begins planning, and (further in) a phase in which the command has a meaning.
 */
import type { PlanModeCommand } from "../protocol/command.ts";
import type { PlanModeState } from "../protocol/state.ts";
import type { Refused } from "../../protocol/refusal.ts";
import { refuse } from "../protocol/refuse.ts";
import { never } from "../../plugins/sdk.ts";
import { askCall } from "./grant/ask-call.ts";
import { critique } from "./critic/critique.ts";
import type { PlanDecision } from "./decision.ts";
import { decide as decideApproval, resolve } from "./signature/decide.ts";
import { destructive, enter, leave } from "./plan/enter.ts";
import { setPermissionMode } from "./permission/set-permission-mode.ts";
import { expire } from "./plan/expire.ts";
import { askQuestion } from "./question/decide.ts";
import { submit } from "./plan/submit.ts";
import { update } from "./plan/update.ts";
import { write } from "./plan/write.ts";
import { read } from "./reading/reading.ts";
import { setGated } from "./hold/gated.ts";
import { setTried } from "./hold/tried.ts";
import { decideNote } from "./note/decide.ts";
import { setArchetype } from "./seed/archetype.ts";
import { seed } from "./seed/decide.ts";
import { share, unshare } from "./share/share.ts";
import { approveEdition } from "./signature/approve-edition.ts";
import { nudge } from "./nudge/nudge.ts";
import { remind, undelivered } from "./reach/reach.ts";
import { statusOf } from "./status.ts";
import { type PlanContext, refuseActor } from "./actors.ts";

export function decide(state: PlanModeState, command: PlanModeCommand, context: PlanContext): PlanDecision {
  const refused = refuseActor(command.type, context) ?? refuseDisabled(state, command, context);
  if (refused !== undefined) return refused;
  switch (command.type) {
    case "enter":
      return enter(state, command, context);
    case "seed":
      return seed(state, command, context);
    case "set-archetype":
      return setArchetype(state, command.archetype, context);
    case "leave":
      return leave(state, context);
    case "submit":
      return submit(state, command, context);
    case "write":
      return write(state, command, context);
    case "decide":
      return decideApproval(state, command.approval, context);
    case "resolve":
      return resolve(state, command, context);
    case "approve-edition":
      return approveEdition(state, command, context);
    case "note":
      return decideNote(state, command.note, context);
    case "reading":
      return read(state, command.approvalId, context);
    case "share":
      return share(command, context);
    case "unshare":
      return unshare(command, context);
    case "update":
      return update(state, command.patch, context);
    case "ask":
      return askQuestion(state, command, context);
    case "ask-call":
      return askCall(state, command, context);
    case "destructive":
      return destructive(state, command, context);
    case "gated":
      return setGated(state, command.gated, context);
    case "tried":
      return setTried(state, command.tried, context);
    case "set-permission-mode":
      return setPermissionMode(state, command, context);
    case "nudge":
      return nudge(state, command, context);
    case "remind":
      return remind(state, command, context);
    case "undelivered":
      return undelivered(state, command, context);
    case "critique":
      return critique(state, command, context);
    case "expire":
      return expire(state, command.approvalId, context);
    case "status":
      return { events: [], reply: statusOf(state, context) };
    default:
      return never(command);
  }
}

/** When switched off, no cycle begins. One that has begun goes on until it ends: nothing that people wait for is lost. */
function refuseDisabled(
  { now }: PlanModeState,
  command: PlanModeCommand,
  { settings }: PlanContext,
): Refused | undefined {
  if (settings.enabled || !needsFeature(command)) return undefined;
  if (now.phase !== "off" && continuesCycle(command)) return undefined;
  return refuse(
    "PLAN_MODE_DISABLED",
    "Plan mode is off here. Turn it on with agents.defaults.planMode.enabled (or for this agent or binding) in the configuration.",
  );
}

/** Entering begins a cycle, and approving by rule loosens it: both need the feature, whatever is under way. */
const continuesCycle = ({ type }: PlanModeCommand): boolean => type !== "enter" && type !== "decide";

function needsFeature(command: PlanModeCommand): boolean {
  switch (command.type) {
    case "enter":
    case "submit":
    case "write":
    case "update":
    case "ask":
      return true;
    case "ask-call":
      return command.call.gate !== "permission"; // beside plan mode, not part of it
    case "decide":
      return command.approval.action === "auto" && command.approval.enabled;
    default:
      return false;
  }
}
