/** Watching and ending what `exec` started in the background. Looking reads; ending changes something. */
import { z } from "zod";
import type { Clock } from "../../../plugins/sessions.ts";
import type { Tool, ToolContext, ToolOutput } from "../../../plugins/tool.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import { defineTool } from "../../define-tool.ts";
import type { ProcessTable, Running } from "./process-table.ts";

const WAIT_SECONDS_MAX = 60;

const Args = z.strictObject({
  action: z
    .enum(["list", "poll", "log", "kill"])
    .describe("list: all of this session. poll: what one has said since. log: its output whole. kill: end it."),
  id: z.string().max(64).optional().describe("As exec answered it; for poll, log and kill."),
  waitSeconds: z
    .int()
    .min(0)
    .max(WAIT_SECONDS_MAX)
    .optional()
    .describe("With poll: wait so long for it to say something or to end. Default 0."),
});
type Args = z.infer<typeof Args>;

export const createProcessTool = ({ processes, clock }: { processes: ProcessTable; clock: Clock }): Tool =>
  defineTool<Args>({
    name: "process",
    effect: "dynamic",
    kind: "bash",
    description:
      "Lists, watches and ends the programs that exec started in the background of this session. They go on between turns; as soon as nothing may change in the session, as in plan mode, the gateway ends them.",
    input: Args,
    classify: ({ action }) => (action === "kill" ? "write" : "read"),
    async run({ action, id, waitSeconds = 0 }, context): Promise<ToolOutput> {
      const { sessionId } = context;
      if (action === "list") {
        return { status: "ok", content: { processes: processes.list(sessionId).map((item) => summary(item, clock)) } };
      }
      const found = processes.find(sessionId, id ?? "");
      if (found === undefined)
        return { status: "error", content: `There is no process ${id ?? "without an id"}. List them.` };
      if (action === "kill") await found.kill();
      if (action === "poll") await news(found, { waitSeconds, clock, context });
      const said = action === "log" ? { output: found.output.text() } : { fresh: found.fresh() };
      return { status: "ok", content: { ...summary(found, clock), ...said } };
    },
  });

/** Waits until it prints something or ends; at most this long. */
async function news(
  running: Running,
  { waitSeconds, clock, context }: { waitSeconds: number; clock: Clock; context: ToolContext },
): Promise<void> {
  if (waitSeconds === 0 || running.end() !== undefined) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  const stops = [running.onNews(resolve), clock.wakeAt(clock.now() + waitSeconds * 1_000, resolve)];
  context.signal.addEventListener("abort", () => resolve(), { once: true });
  await promise;
  for (const stop of stops) stop();
}

function summary({ id, command, startedAtMs, end, reason }: Running, clock: Clock): JsonObject {
  const [ended, why] = [end(), reason()];
  return {
    id,
    command,
    secondsSinceStart: Math.round((clock.now() - startedAtMs) / 1_000),
    status: ended === undefined ? "running" : why === undefined ? describeEnd(ended) : `ended by the gateway: ${why}`,
  };
}

function describeEnd(end: NonNullable<ReturnType<Running["end"]>>): string {
  switch (end.ended) {
    case "exit":
      return `ended with exit code ${end.code}`;
    case "killed":
      return `ended by ${end.by}`;
    case "timeout":
      return "ended by its time limit";
    case "not-started":
      return `not started: ${end.reason}`;
    default:
      return "ended by request";
  }
}
