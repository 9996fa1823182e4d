/** `holdpoint/client`: talk to a gateway from Node or a browser. No dependencies; the types are the protocol's own. */
export {
  type ClientStatus,
  connectHoldpoint,
  type ConnectOptions,
  type HoldpointClient,
  type SubscribeOptions,
} from "./client.ts";
export { type BrowserLogin, createBrowserLogin, loginCodeIn, type LoginPlaces } from "./browser-login.ts";
export type { EventName, EventPayloads, HoldpointEvent } from "./events.ts";
export { type ClientErrorCode, HoldpointError } from "./holdpoint-error.ts";
export type { Scope } from "../protocol/actor.ts";
export type { SessionId } from "../protocol/ids.ts";
export type { MethodName, ParamsOf, ResultOf } from "../all-methods.ts";
export type { SessionSummary, SessionView } from "../protocol/methods.ts";
export type { PlanApproval } from "../plan-mode/protocol/command.ts";
export type { PlanModeState } from "../plan-mode/protocol/state.ts";
export type { PlanRevision, PlanStep } from "../plan-mode/protocol/plan.ts";
export type { Signature } from "../plan-mode/protocol/approvals.ts";
export type { DiffPart, StepChange } from "../plan-mode/protocol/plan-diff.ts";
export type { Note, NoteAnchor, PlanDecided, PlanDiff, PlanNote } from "../plan-mode/protocol/review.ts";
export type { Refusal, RefusalCode } from "../protocol/refusal.ts";
export type { Entry } from "../protocol/transcript-entry.ts";
