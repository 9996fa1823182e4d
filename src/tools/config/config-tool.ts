/**
 * The tool config: the gateway's configuration for the agent. Reading and proposing run in every mode and change nothing;
 * applying is a change like any other, waits for approval, and reaches no setting that the agent itself is held by.
 */
import { z } from "zod";
import type { SessionId } from "../../protocol/ids.ts";
import { Json, type JsonObject } from "../../protocol/json.ts";
import type { Tool, ToolOutput } from "../../plugins/tool.ts";
import { defineTool } from "../define-tool.ts";

const PATH_CHARS_MAX = 256;

export type ProposedSetting = { before: Json; after: Json; diff: string[] };

/** The configuration as this tool sees it: secrets are masked, and a problem is a text that the model can act on. */
export type ConfigAccess = {
  read(path: string): { value: Json } | { error: string };
  /** Checks the change as if it were made, and makes none. */
  propose(path: string, value: Json): Promise<ProposedSetting | { error: string }>;
  apply(
    path: string,
    value: Json,
    by: { sessionId: SessionId },
  ): Promise<{ applied: boolean; restartNeeded: boolean } | { error: string }>;
};

const Args = z.strictObject({
  action: z
    .enum(["read", "propose", "apply"])
    .describe("read: what is set; propose: what a change would do, without making it; apply: make it."),
  path: z.string().max(PATH_CHARS_MAX).optional().describe("agents.defaults.model; for read, none is all of it."),
  value: Json.optional().describe("For propose and apply."),
});
type Args = z.infer<typeof Args>;

/**
 * What an agent may apply. Everything else (approvals, plan mode, permissions, tools, servers, plugins, addresses,
 * folders, the log, runs that nobody attends) is what holds or watches it: that is a person's to set (PL-19).
 */
const APPLICABLE = [
  "agents.defaults.model",
  "agents.defaults.queueMode",
  "agents.defaults.contextTokens",
  "agents.defaults.contextFiles",
  "agents.defaults.skills",
  "agents.defaults.overlays",
  "models",
] as const;

export const createConfigTool = (config: ConfigAccess): Tool =>
  defineTool<Args>({
    name: "config",
    effect: "dynamic",
    kind: "config",
    description:
      "The gateway's configuration, secrets hidden. read shows a setting or all of them; propose checks a change and shows its difference; " +
      "apply makes it, which waits for approval. What guards you (plan mode, approvals, permissions, tools, plugins) you can only propose.",
    input: Args,
    offered: (session) => session.kind === "chat",
    classify: ({ action }) => (action === "apply" ? "write" : "read"),
    async run(args, { sessionId }, permit): Promise<ToolOutput> {
      if (args.action === "read") return answered(config.read(args.path ?? ""));
      const { path = "", value } = args;
      if (path === "" || value === undefined) return failed(`${args.action} needs path and value.`);
      if (args.action === "propose") return answered(proposed(path, await config.propose(path, value)));
      if (permit === undefined) return failed("apply was not allowed.");
      if (!isApplicable(path)) return failed(personsOnly(path));
      return answered(await config.apply(path, value, { sessionId }));
    },
  });

const isApplicable = (path: string): boolean =>
  APPLICABLE.some((setting) => path === setting || path.startsWith(`${setting}.`));

const personsOnly = (path: string): string =>
  `${path} is for a person to set, because it decides what you may do. Propose it, show them the difference, and ask them to run: holdpoint config set ${path} <value>.`;

function proposed(path: string, found: ProposedSetting | { error: string }): JsonObject {
  if ("error" in found) return found;
  return { path, before: found.before, after: found.after, diff: found.diff, applicable: isApplicable(path) };
}

const failed = (content: string): ToolOutput => ({ status: "error", content });

function answered(found: JsonObject | { error: string }): ToolOutput {
  return "error" in found && typeof found.error === "string" ? failed(found.error) : { status: "ok", content: found };
}
