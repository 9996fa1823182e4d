/**
 * Ordinary hooks, after the trusted policies (GA-02, PG-09). They can only make things stricter: block a call, or put it
 * before a person. Their host contains each plugin's; if the hooks as a whole throw, take too long or answer something
 * else, nothing opens: a call that changes something is then asked about, and where nobody can be asked it is refused. A
 * call that only reads goes on, because the policies have let it pass and a broken plugin must not blind the agent
 * (docs/adr/0011).
 */
import { z } from "zod";
import type { Clock } from "../plugins/sessions.ts";
import type { CalledTool, HookedCall, HookVerdict, ToolHooks } from "../plugins/tool-hooks.ts";
import type { GateRefusal } from "../protocol/gate.ts";
import { withinDeadline } from "./deadline.ts";

/** For all hooks of one call together; each has a limit of its own in its plugin's host. */
export const HOOKS_MS_MAX = 30_000;
const REASON_CHARS_MAX = 1_000;

const reason = z.string().transform((text) => text.slice(0, REASON_CHARS_MAX));
const by = z.string().max(128).optional();
const Verdict = z.discriminatedUnion("verdict", [
  z.object({ verdict: z.literal("pass") }),
  z.object({ verdict: z.literal("block"), reason, by }),
  z.object({ verdict: z.literal("ask"), reason, by }),
]);

/** Undefined: no hook objects. */
export type HookOutcome = { refusal: GateRefusal } | { ask: { reason: string } } | undefined;

type HookParts = { hooks: ToolHooks; clock: Clock; report(error: unknown): void };

export async function askHooks(call: HookedCall, parts: HookParts): Promise<HookOutcome> {
  const verdict = await verdictOf(call, parts);
  if (verdict === undefined) return call.effect === "read" ? undefined : { ask: { reason: UNANSWERED } };
  switch (verdict.verdict) {
    case "pass":
      return undefined;
    case "block":
      return { refusal: refusal(call, verdict, "Do not repeat the call; take another course, or tell the person.") };
    case "ask":
      return call.effect === "read"
        ? { refusal: refusal(call, verdict, "A person's yes is asked for changes only; leave it, and say so.") }
        : { ask: { reason: named(verdict) } };
  }
}

const UNANSWERED = "a hook gave no answer";

async function verdictOf(call: HookedCall, { hooks, clock, report }: HookParts): Promise<HookAnswer | undefined> {
  try {
    const answer = hooks.beforeToolCall(call);
    const settled = isPromise(answer) ? await withinDeadline(answer, { clock, limitMs: HOOKS_MS_MAX }) : answer;
    if (settled?.verdict === "pass") return PASS;
    if (settled === undefined) throw new Error(`hooks before ${call.tool} took more than ${HOOKS_MS_MAX} ms`);
    return Verdict.parse(settled);
  } catch (error) {
    report(error);
    return undefined;
  }
}

type HookAnswer = z.infer<typeof Verdict>;
const PASS: HookAnswer = { verdict: "pass" };

const isPromise = (answer: HookVerdict | Promise<HookVerdict>): answer is Promise<HookVerdict> =>
  answer instanceof Promise;

const named = ({ reason: why, by: whose }: { reason: string; by?: string | undefined }): string =>
  whose === undefined ? why : `${whose}: ${why}`;

function refusal(
  { tool, kind }: HookedCall,
  verdict: Exclude<HookAnswer, { verdict: "pass" }>,
  hint: string,
): GateRefusal {
  return {
    tool_name: tool,
    tool_kind: kind,
    hint,
    entered_at: null,
    entered_reason: null,
    rule: `hook/${verdict.verdict}`,
    matched: named(verdict),
    message: `${tool} was not run: a plugin does not allow it (${named(verdict)}). ${hint}`,
  };
}

/** Hooks after a call cannot change it, and their failures are only reported. */
export function reportCall(called: CalledTool, { hooks, report }: Omit<HookParts, "clock">): void {
  try {
    void Promise.resolve(hooks.afterToolCall(called)).catch(report);
  } catch (error) {
    report(error);
  }
}
