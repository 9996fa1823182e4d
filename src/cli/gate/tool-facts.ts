/** The tools of this installation by name, as they are classified: loaded when the first one is asked for. */
import type { ContextFiles } from "../../agent/context-files/context-files.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Sessions } from "../../plugins/sessions.ts";
import type { Tool } from "../../plugins/tool.ts";
import { defineTool } from "../../tools/define-tool.ts";
import type { ToolFacts } from "./judge-line.ts";

export function createToolFacts(): (tool: string, args: JsonObject) => Promise<ToolFacts | undefined> {
  let loading: Promise<ReadonlyMap<string, Tool>> | undefined;
  return async (name, args) => {
    const tool = (await (loading ??= loadTools())).get(name);
    return tool === undefined ? undefined : { kind: tool.kind, effect: effectOf(tool, args) };
  };
}

async function loadTools(): Promise<ReadonlyMap<string, Tool>> {
  const [builtin, reaching, planMode, subAgents, host, schema, { systemClock: clock }, skills] = await Promise.all([
    import("../../tools/builtin/builtin-tools.ts"),
    import("../../compose/agent-tools.ts"),
    import("../../plan-mode/plugin.ts"),
    import("../../agent/sub-agents/plugin.ts"),
    import("../../plugins/host.ts"),
    import("../../config/config.ts"),
    import("../../engine/clock.ts"),
    import("../../agent/context-files/read-skill.ts"),
  ]);
  const config = schema.Config.parse({});
  const around = { clock, config: { current: () => config }, options: { home: "/", workspace: "/" }, readTurn };
  const tools = [
    ...builtin.createBuiltinTools({ protectedFolders: [], clock }),
    ...reaching.createReachingTools(around, NO_SESSIONS),
    ...host.loadPlugins([planMode.planModePlugin, subAgents.subAgentsPlugin]).tools,
    defineTool(skills.createReadSkill({ context: NO_SKILLS, sessions: NO_SESSIONS, warn: () => undefined })),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

const NO_SKILLS: ContextFiles = {
  load: async () => ({ files: [], skills: [], warnings: [] }),
  skill: async () => undefined,
};

const readTurn = async (): Promise<undefined> => undefined;

/** No tool is run here, so there is no session. */
const NO_SESSIONS: Sessions = {
  session: async () => undefined,
  dispatch: async () => ({ ok: false, refusal: { code: "SESSION_NOT_FOUND", message: "There is no session." } }),
  onCommitted: () => () => undefined,
  subscribe: () => () => undefined,
};

/** As the registry takes it: a tool that changes only its own session reads, and what cannot be proven to read writes. */
function effectOf(tool: Tool, args: JsonObject): "read" | "write" {
  if (tool.effect === "state" || tool.effect === "read") return "read";
  if (tool.effect === "write") return "write";
  const parsed = tool.input.safeParse(args);
  if (!parsed.success) return "write";
  return tool.classify(parsed.data, { workspace: process.cwd() });
}
