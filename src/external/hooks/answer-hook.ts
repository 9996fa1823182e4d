/**
 * Answers one event of a hook. Tool events fail closed: what cannot be read, or goes wrong, is a no with a sentence.
 *
 *   tool ─┬─ call ─────▶ gate ─▶ silence · deny
 *         ├─ plan ─────▶ card ─▶ allow (edited) · deny with feedback
 *         └─ question ─▶ card ─▶ answer
 *   settings changed, a project's own command expanded ─▶ blocked while nothing is approved;  the rest ─▶ silence
 */
import { z } from "zod";
import type { ExternalPlace, PlanDecision } from "../../protocol/external/decisions.ts";
import { type JsonObject } from "../../protocol/json.ts";
import type { Asking, Decisions } from "../decisions.ts";
import type { Heartbeat } from "../heartbeat/heartbeat.ts";
import { type HookEvent, type HookLine, type HookReply, readHookLine } from "./hook-line.ts";
import { allowedWith, blocked, denied, SILENT_REPLY, takesInput } from "./hook-replies.ts";
import { toolMeaning } from "./hook-tools.ts";

/** Shorter than what the hook itself waits, which is shorter than what the agent waits for it. */
const HOOK_WAIT_MS = 7_020_000;

const TOOL_EVENTS: ReadonlySet<string> = new Set(["PreToolUse", "BeforeTool", "preToolUse", "tool.execute.before"]);

/** `place`: the run that the asker is known to belong to; it counts instead of what the payload says. */
export type HookParts = {
  service: Decisions;
  asking: Asking;
  place?: ExternalPlace;
  heartbeat?: Pick<Heartbeat, "told">;
};

export async function answerHook(line: HookLine, parts: HookParts): Promise<HookReply> {
  const event = readHookLine(line);
  if (event === undefined) return blocked(UNREAD);
  if (TOOL_EVENTS.has(event.event)) {
    const { agent, tool, caller } = event;
    if (tool === undefined) return denied(agent, UNREAD);
    const answered = parts.heartbeat?.told(agent, caller);
    return answerTool({ ...event, tool }, parts).finally(() => answered?.());
  }
  if (event.event === "ConfigChange") return blocked(SETTINGS);
  if (event.event === "UserPromptExpansion") return answerExpansion(event, parts);
  return SILENT_REPLY;
}

const UNREAD =
  "holdpoint: this agent sent something that no known version of it sends, so the call was refused. Update Holdpoint, or start the agent with holdpoint run.";
const SETTINGS =
  "holdpoint: settings that change while an agent runs could switch its gate off. They take effect when it is started again.";

type ToolEvent = HookEvent & { tool: { name: string; input: JsonObject } };

const placeOf = ({ agent, session, cwd }: HookEvent, { place }: HookParts): ExternalPlace =>
  place ?? { agent, session, workspace: cwd };

async function answerTool(event: ToolEvent, parts: HookParts): Promise<HookReply> {
  const { agent, tool, cwd } = event;
  const meaning = toolMeaning({ ...tool, cwd });
  switch (meaning.kind) {
    case "plan":
      return answerPlan(event, parts);
    case "question":
      return answerQuestions(event, parts);
    case "unreadable":
      return denied(agent, `${tool.name} was not run: it cannot be seen what it would do. Correct its arguments.`);
    case "call": {
      if (meaning.tool === "exec" && isLiveShell(event)) return denied(agent, LIVE_SHELL);
      const request = { ...placeOf(event, parts), tool: meaning.tool, args: meaning.args, waitMs: HOOK_WAIT_MS };
      const { decision, reason } = await parts.service.call(request, parts.asking);
      return decision === "allow" ? SILENT_REPLY : denied(agent, `${reason}${howToPlan(event, parts)}`);
    }
  }
}

const LIVE_SHELL =
  "This was not run: a program that waits for input could be typed into later, past every check. Give it what it should do on its command line.";
const INTERACTIVE =
  /^\s*(?:exec\s+)?(?:\S*\/)?(?:ba|z|da|fi)?sh(?:\s+-[il]+)*\s*$|^\s*(?:\S*\/)?(?:python[\d.]*|node|irb|ghci|psql|mysql|sqlite3)\s*$/;

/** Codex types into a shell that it holds open, and no hook sees what. */
const isLiveShell = ({ agent, tool }: ToolEvent): boolean =>
  agent === "codex" && typeof tool.input["command"] === "string" && INTERACTIVE.test(tool.input["command"]);

/** Agents that have a way of their own to hand a plan over. */
const PLANNERS: ReadonlySet<HookEvent["agent"]> = new Set(["claude-code", "gemini-cli", "qwen-code"]);

function howToPlan(event: ToolEvent, parts: HookParts): string {
  if (PLANNERS.has(event.agent)) return "";
  const { session } = placeOf(event, parts);
  return ` Hand your plan over with the tool submit_plan of the MCP server holdpoint, with run: ${JSON.stringify(session)}.`;
}

async function answerPlan(event: ToolEvent, parts: HookParts): Promise<HookReply> {
  const { agent, tool } = event;
  const given = [event.plan, tool.input["plan"], tool.input["summary"]].find((one) => typeof one === "string");
  const text = typeof given === "string" ? given : "";
  if (text.trim() === "") return denied(agent, NO_PLAN);
  const request = { ...placeOf(event, parts), plan: { text }, waitMs: HOOK_WAIT_MS };
  const decision = await parts.service.plan(request, parts.asking);
  return decision.outcome === "approved" ? approved(event, decision) : denied(agent, decision.message);
}

const NO_PLAN = "No plan was found. Write the plan first, with its steps as a list, and hand it over again.";

function approved({ agent, tool, plan }: ToolEvent, { edited, message }: PlanDecision): HookReply {
  if (takesInput(agent)) return allowedWith({ ...tool.input, ...(edited === undefined ? {} : { plan: edited }) });
  if (edited === undefined) return SILENT_REPLY;
  return plan === undefined ? denied(agent, `${message}\n\n${edited}`) : { ...SILENT_REPLY, plan: edited };
}

const Questions = z.looseObject({
  questions: z
    .array(
      z.looseObject({
        question: z.string().min(1),
        options: z.array(z.looseObject({ label: z.string().min(1), description: z.string().optional() })).default([]),
      }),
    )
    .min(1)
    .max(4),
});
const OPTIONS_MAX = 6;

async function answerQuestions(event: ToolEvent, parts: HookParts): Promise<HookReply> {
  const { agent, tool } = event;
  const { data } = Questions.safeParse(tool.input);
  if (data === undefined) return denied(agent, "The question cannot be read. Give each question two options or more.");
  const answers: Record<string, string> = {};
  for (const { question, options } of data.questions) {
    const offered = options.slice(0, OPTIONS_MAX).map(({ label, description }) => optionOf(label, description));
    const asked = {
      ...placeOf(event, parts),
      question,
      options: offered.length < 2 ? [...offered, ...["Yes", "No"].slice(0, 2 - offered.length)] : offered,
      allowFreetext: true,
      waitMs: HOOK_WAIT_MS,
    };
    const { outcome, answer, message } = await parts.service.question(asked, parts.asking);
    if (outcome !== "answered" || answer === undefined) return denied(agent, message);
    answers[question] = answer;
  }
  if (takesInput(agent)) return allowedWith({ ...tool.input, answers });
  const lines = Object.entries(answers).map(([question, answer]) => `${question} → ${answer}`);
  return denied(agent, `The person has answered already; go on with this: ${lines.join("; ")}`);
}

const optionOf = (label: string, description: string | undefined) =>
  description === undefined ? { label } : { label, description };

/** Shell parts of a project's own commands run before any tool does, and no tool hook sees them. */
async function answerExpansion(event: HookEvent, parts: HookParts): Promise<HookReply> {
  if (event.payload["command_source"] === "userSettings") return SILENT_REPLY;
  const { status } = await parts.service.wait(placeOf(event, parts), parts.asking);
  return status === "approved" ? SILENT_REPLY : blocked(EXPANSION);
}

const EXPANSION =
  "holdpoint: commands that a project brings may start programs unseen, so they are held until a plan is approved.";
