/** The tools of this installation by name, as they are classified: loaded when the first one is asked for. */
import type { ContextFiles } from "../../agent/context-files/context-files.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Sessions } from "../../plugins/sessions.ts";
import type { Tool } from "../../plugins/tool.ts";
import { NO_SANDBOX } from "../../runner/sandbox.ts";
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
  const [builtin, reaching, bundled, host, schema, { systemClock: clock }, skills, table] = await Promise.all([
    import("../../tools/builtin/builtin-tools.ts"),
    import("../../compose/agent-tools.ts"),
    import("../../gateway/plugins/bundled.ts"),
    import("../../plugins/host.ts"),
    import("../../config/config.ts"),
    import("../../engine/clock.ts"),
    import("../../agent/context-files/read-skill.ts"),
    import("../../tools/builtin/exec/process-table.ts"),
  ]);
  const config = schema.Config.parse({});
  const around = {
    clock,
    config: { current: () => config, get: nothingRuns, propose: nothingRuns, set: nothingRuns },
    store: { audit: nothingRuns },
    options: { home: "/", workspace: "/" },
    readTurn,
  };
  const tools = [
    ...builtin.createBuiltinTools({
      commands: {
        protectedFolders: [],
        clock,
        sandbox: NO_SANDBOX, // no tool is run here: only what it says about itself counts
        processes: table.createProcessTable(clock),
        settings: () => config.tools.exec,
      },
      files: { operation: () => async () => ({ status: "error", content: "Not run." }) },
    }),
    ...reaching.createReachingTools(around, NO_SESSIONS),
    ...host.loadPlugins(
      bundled.bundledPlugins({
        scheduler: nothingRuns,
        session: nothingRuns,
        commands: nothingRuns,
        channels: nothingRuns,
        home: "",
        library: nothingRuns,
      }),
    ).tools,
    defineTool(skills.createReadSkill({ context: NO_SKILLS, sessions: NO_SESSIONS, warn: () => undefined })),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}

/** Tools are classified here and never run, so what they would work with is never asked for. */
function nothingRuns(): never {
  throw new Error("a tool was run while calls were only being judged");
}

const NO_SKILLS: ContextFiles = {
  load: async () => ({ files: [], skills: [], warnings: [] }),
  skill: async () => undefined,
  templates: async () => [],
  notes: () => [],
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
