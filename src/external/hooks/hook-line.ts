/** What the hook program sends, whatever agent started it, and what it is told to do: print, and leave with a code. */
import { z } from "zod";
import { JsonObject } from "../../protocol/json.ts";

export const HOOK_AGENTS = ["claude-code", "codex", "gemini-cli", "opencode", "copilot-cli", "qwen-code"] as const;
export const HookAgent = z.enum(HOOK_AGENTS);
export type HookAgent = z.infer<typeof HookAgent>;

const PLAN_CHARS_MAX = 262_144;

export const HookLine = z.strictObject({
  do: z.literal("hook"),
  agent: HookAgent,
  /** As the configuration says; an agent's own word for it may be missing in the payload. */
  event: z.string().max(64),
  payload: JsonObject,
  /** The plan that lies in a file which only the hook can find. */
  plan: z.string().max(PLAN_CHARS_MAX).optional(),
});
export type HookLine = z.infer<typeof HookLine>;

export const HookReply = z.strictObject({
  stdout: z.string(),
  stderr: z.string(),
  exit: z.int(),
  /** The plan as people changed it, for the file that it came from. */
  plan: z.string().optional(),
});
export type HookReply = z.infer<typeof HookReply>;

/** One event of a hook, in one form for all agents. */
export type HookEvent = {
  agent: HookAgent;
  event: string;
  session: string;
  /** What the agent itself calls who calls: of a sub-agent another name than that of the session it belongs to. */
  caller: string;
  cwd: string;
  tool?: { name: string; input: JsonObject };
  payload: JsonObject;
  plan?: string;
};

const Snake = z.looseObject({
  session_id: z.string().min(1),
  cwd: z.string().min(1),
  hook_event_name: z.string().optional(),
  tool_name: z.string().min(1).optional(),
  tool_input: JsonObject.optional(),
});
const Camel = z.looseObject({
  sessionId: z.string().min(1),
  /** Of a sub-agent: who started it, in Copilot CLI; its own session, in opencode, whose plugin finds the one above. */
  parentAgentId: z.string().min(1).optional(),
  ownSessionId: z.string().min(1).optional(),
  cwd: z.string().min(1),
  toolName: z.string().min(1).optional(),
  /** An object, or the same as a text. */
  toolArgs: z.union([JsonObject, z.string()]).optional(),
});

/** Undefined for what no version of these agents is known to send: then the call is refused. */
export function readHookLine({ agent, event, payload, plan }: HookLine): HookEvent | undefined {
  const rest = { agent, payload, ...(plan === undefined ? {} : { plan }) };
  const snake = Snake.safeParse(payload).data;
  if (snake !== undefined) {
    const tool =
      snake.tool_name === undefined ? {} : { tool: { name: snake.tool_name, input: snake.tool_input ?? {} } };
    const { session_id: session, cwd } = snake;
    return { ...rest, event: snake.hook_event_name ?? event, session, caller: session, cwd, ...tool };
  }
  const camel = Camel.safeParse(payload).data;
  if (camel === undefined) return undefined;
  const input = typeof camel.toolArgs === "string" ? parsed(camel.toolArgs) : (camel.toolArgs ?? {});
  if (input === undefined) return undefined;
  const tool = camel.toolName === undefined ? {} : { tool: { name: camel.toolName, input } };
  return { ...rest, event, ...belonging(camel), cwd: camel.cwd, ...tool };
}

const belonging = ({ sessionId, parentAgentId, ownSessionId }: z.infer<typeof Camel>) => ({
  session: parentAgentId ?? sessionId,
  caller: ownSessionId ?? sessionId,
});

function parsed(text: string): JsonObject | undefined {
  try {
    return JsonObject.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
