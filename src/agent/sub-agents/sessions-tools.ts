/** `sessions_spawn` and `sessions_send`: tools whose result is a command, so that an order is given exactly once. */
import { z } from "zod";
import { SessionId } from "../../protocol/ids.ts";
import { MESSAGE_CHARS_MAX, TITLE_CHARS_MAX } from "../../protocol/session.ts";
import { SUB_AGENTS_SLICE, SubAgentSettings } from "./protocol/sub-agents.ts";
import type { StateTool } from "../../plugins/sdk.ts";

const TASK_CHARS_MAX = MESSAGE_CHARS_MAX - 1_000;
const text = z.string().min(1).max(TASK_CHARS_MAX);

/** Where no sub-agent may run, the agent is not told that there could be any. */
function isSwitchedOn(settings: Readonly<Record<string, unknown>>): boolean {
  const parsed = SubAgentSettings.safeParse(settings[SUB_AGENTS_SLICE] ?? {});
  return parsed.success && parsed.data.max > 0;
}

const spawnInput = z.strictObject({
  task: text.describe("All that the sub-agent needs to know: it does not see this conversation."),
  title: z.string().max(TITLE_CHARS_MAX).optional().describe("What it is about, in a few words."),
  replaces: z
    .string()
    .optional()
    .describe("The session_id of a running sub-agent: it is stopped and this one takes its place."),
});

export const sessionsSpawn: StateTool<z.infer<typeof spawnInput>> = {
  name: "sessions_spawn",
  description:
    "Hand a self-contained task to a sub-agent with a conversation of its own, in this workspace. " +
    "It is gated as this session is: while you plan, it can only read. Its last answer comes back to you.",
  input: spawnInput,
  kind: "delegate",
  effect: "state",
  slice: SUB_AGENTS_SLICE,
  offered: (_session, settings) => isSwitchedOn(settings),
  async toCommand({ task, title, replaces }) {
    const replaced = SessionId.optional().safeParse(replaces);
    if (!replaced.success) return { error: "replaces: give the session_id that sessions_spawn answered with." };
    if (task.trim() === "") return { error: "task is empty: say what the sub-agent is to do." };
    const others = {
      ...(title === undefined ? {} : { title }),
      ...(replaced.data === undefined ? {} : { replaces: replaced.data }),
    };
    return { command: { type: "spawn", task, ...others } };
  },
};

const sendInput = z.strictObject({
  session_id: z.string().describe("A sub-agent of this session, as sessions_spawn named it."),
  text,
});

export const sessionsSend: StateTool<z.infer<typeof sendInput>> = {
  name: "sessions_send",
  description: "Say something more to one of your sub-agents; it takes it up and returns again.",
  input: sendInput,
  kind: "delegate",
  effect: "state",
  slice: SUB_AGENTS_SLICE,
  offered: (_session, settings) => isSwitchedOn(settings),
  async toCommand({ session_id, text: said }) {
    const child = SessionId.safeParse(session_id);
    if (!child.success) return { error: "session_id: give the one that sessions_spawn answered with." };
    if (said.trim() === "") return { error: "text is empty." };
    return { command: { type: "send", childId: child.data, text: said } };
  },
};
