/** What the sandbox's process tells the gateway of a cell. It is parsed as if it came from a stranger. */
import { z } from "zod";
import { ERROR_CODES } from "./sandbox.ts";

const IN_FLIGHT_MAX = 128;
const callId = z.string().max(32);
const method = z.enum(["search", "describe", "call", "namespace"]);
const target = z.string().max(2_000);

export const RequestsMessage = z.array(z.tuple([callId, method, target, z.string()])).max(IN_FLIGHT_MAX);
export type RequestsMessage = z.infer<typeof RequestsMessage>;

export const OutputMessage = z.union([
  z.strictObject({ type: z.literal("text"), text: z.string() }),
  z.strictObject({ type: z.literal("json"), value: z.json() }),
]);

const common = {
  cutChars: z.number(),
  /** Waiting behind those that the host was asked. */
  queued: z.array(z.tuple([callId, method, target])).max(IN_FLIGHT_MAX),
  /** What the machine waits for. */
  asked: z.array(callId).max(IN_FLIGHT_MAX),
};
export const OutcomeMessage = z.discriminatedUnion("status", [
  z.object({ status: z.literal("completed"), valueJson: z.string(), timersCancelled: z.number(), ...common }),
  z.object({ status: z.literal("failed"), error: z.string(), code: z.enum(ERROR_CODES).exactOptional(), ...common }),
  z.object({ status: z.literal("suspended"), reason: z.enum(["pending_tools", "yield"]), ...common }),
]);
export type OutcomeMessage = z.infer<typeof OutcomeMessage>;

/** What is sealed with a machine: the calls of its run. */
export const KeptCalls = z.object({
  receipts: z.array(z.object({ callId, method, target, state: z.enum(["not_started", "started", "ok", "error"]) })),
  pending: z.array(z.object({ callId, method, target, argsJson: z.string() })),
  /** Answered, and the machine was suspended before the answer arrived. */
  undelivered: z.array(z.tuple([callId, z.boolean(), z.string()])),
});
export type KeptCalls = z.infer<typeof KeptCalls>;
