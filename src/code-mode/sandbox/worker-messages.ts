/** What the sandbox's process tells the gateway of a cell. It is parsed as if it came from a stranger. */
import { z } from "zod";
import { isTooDeep } from "./json-depth.ts";
import { ERROR_CODES, type OutputItem } from "./sandbox.ts";

const IN_FLIGHT_MAX = 128;
const CALL_ID_CHARS_MAX = 32;
const TARGET_CHARS_MAX = 2_000;
const callId = z.string().max(CALL_ID_CHARS_MAX);
const method = z.enum(["search", "describe", "call", "namespace"]);
const target = z.string().max(TARGET_CHARS_MAX);

/** By hand, as it comes for every line. */
export function readOutput(text: string): OutputItem {
  const item: unknown = isTooDeep(text.slice(1)) ? undefined : JSON.parse(text);
  if (!isOutput(item)) throw new Error("no output");
  return item;
}

function isOutput(item: unknown): item is OutputItem {
  if (item === null || typeof item !== "object" || !("type" in item)) return false;
  if (item.type === "text") return "text" in item && typeof item.text === "string";
  return item.type === "json" && "value" in item; // whatever JSON.parse made of it is JSON
}

const common = {
  cutChars: z.number(),
  /** Waiting behind those that the host was asked. */
  queued: z.array(z.tuple([callId, method, target])).max(IN_FLIGHT_MAX),
  /** What the machine waits for. */
  asked: z.array(callId).max(IN_FLIGHT_MAX),
};
export const OutcomeMessage = z.discriminatedUnion("status", [
  z.object({
    status: z.literal("completed"),
    valueJson: z.string().refine((json) => !isTooDeep(json)),
    timersCancelled: z.number(),
    ...common,
  }),
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
