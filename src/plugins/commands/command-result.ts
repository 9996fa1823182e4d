/** Checks what a handler answered: a plugin's code is outside of our types, whichever process it runs in. */
import { z } from "zod";
import { LocalizedLines } from "../../protocol/localized/localized-lines.ts";
import { Refusal } from "../../protocol/refusal.ts";
import type { CommandResult } from "../api/command.ts";

const Refused = z.strictObject({ refusal: Refusal });
const Answered = z.strictObject({
  message: z.string().optional(),
  said: LocalizedLines.optional(),
  continueAgent: z.boolean().optional(),
  delivery: z.enum(["ephemeral", "channel", "silent"]).optional(),
});

/** The message is the reason, in words for the person who ran it. */
export class BadResult extends Error {}

export function commandResult(given: unknown): CommandResult {
  if (typeof given !== "object" || given === null || Array.isArray(given))
    throw new BadResult(`expected an object, got ${kindOf(given)}`);
  const parsed = ("refusal" in given ? Refused : Answered).safeParse(given);
  if (!parsed.success) throw new BadResult(reasonOf(parsed.error));
  return given;
}

function kindOf(given: unknown): string {
  if (given === undefined || given === null) return String(given);
  return Array.isArray(given) ? "a list" : `a ${typeof given}`;
}

function reasonOf({ issues }: z.ZodError): string {
  const [issue] = issues;
  const path = issue?.path.join(".") ?? "";
  return `${path === "" ? "" : `${path}: `}${issue?.message ?? "it does not fit"}`;
}
