/** The ids of everything that has one. */
import { z } from "zod";

/** Ids name files and rows, so their alphabet is closed before any path or query is built from one. */
const id = <Name extends string>(prefix: string, name: Name) =>
  z
    .string()
    .max(64)
    .regex(new RegExp(`^${prefix}_[A-Za-z0-9_-]+$`), `expected an id that starts with "${prefix}_"`)
    .brand(name);

export const SessionId = id("ses", "SessionId");
export const TurnId = id("trn", "TurnId");
export const MessageId = id("msg", "MessageId");
export const CycleId = id("cyc", "CycleId");
export const PlanId = id("pln", "PlanId");
export const ApprovalId = id("apr", "ApprovalId");
export const QuestionId = id("qst", "QuestionId");
export const OperatorId = id("opr", "OperatorId");
export const NoteId = id("nte", "NoteId");
export const ShareId = id("shr", "ShareId");
export const CallerId = id("clr", "CallerId");

export type SessionId = z.infer<typeof SessionId>;
export type TurnId = z.infer<typeof TurnId>;
export type MessageId = z.infer<typeof MessageId>;
export type CycleId = z.infer<typeof CycleId>;
export type PlanId = z.infer<typeof PlanId>;
export type ApprovalId = z.infer<typeof ApprovalId>;
export type QuestionId = z.infer<typeof QuestionId>;
export type OperatorId = z.infer<typeof OperatorId>;
export type NoteId = z.infer<typeof NoteId>;
export type ShareId = z.infer<typeof ShareId>;
export type CallerId = z.infer<typeof CallerId>;
