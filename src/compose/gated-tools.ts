/** Every tool that an agent can be offered, behind the one gate that all calls pass. */
import { join } from "node:path";
import { BUNDLED_IDS } from "../bundled.ts";
import { createBuiltinTools } from "../tools/builtin/builtin-tools.ts";
import type { ProcessTable } from "../tools/builtin/exec/process-table.ts";
import { createWorkspacePins } from "../tools/builtin/workspace-pins.ts";
import { createOutsideRegistry } from "../external/outside-tools.ts";
import { fileNames } from "../gateway/tools/file-names.ts";
import { createFileRunners } from "../tools/builtin/files/file-runners.ts";
import { machineSandbox } from "../runner/sandbox.ts";
import { createToolbox, type Toolbox, type ToolboxParts } from "../tools/call-tool.ts";
import type { McpSource } from "../tools/mcp/mcp-source.ts";
import type { RunningCalls } from "../tools/running-calls.ts";
import { createRegistry, type Registry } from "../tools/registry.ts";
import type { Tool } from "../plugins/tool.ts";
import { createReachingTools, startMcp } from "./agent-tools.ts";
import type { ComposedEngine } from "./engine.ts";
import type { State } from "./state.ts";
import { workspacePolicy } from "../gateway/workspace/workspace-policy.ts";
import { workspacesOf } from "./workspaces.ts";
import { livePolicies } from "../gateway/tools/live-policies.ts";
import { readTurnLog } from "../gateway/logs/turn-log.ts";
import type { ReadTurn } from "../tools/session/session-logs.ts";

/** Who brought the tools that came with the gateway: nobody besides it, or a plugin of its own. */
const SHIPPED: ReadonlySet<string | undefined> = new Set([undefined, ...BUNDLED_IDS]);

export type GatedTools = {
  tools: Toolbox;
  /** The same gate for agents that run their tools themselves. */
  outside: Toolbox;
  registry: Registry;
  mcp: McpSource;
  /** Ends the processes that work on files. */
  endRunners(): Promise<void>;
};

type Around = Pick<ToolboxParts, "onOutput" | "report" | "redaction"> & {
  processes: ProcessTable;
  running: RunningCalls;
  own: readonly Tool[];
};

/**
 * Policies, hooks and the permission prompt are looked up at each call, because plugins are enabled and disabled at run
 * time.
 */
export function createGatedTools(state: State, machine: ComposedEngine, around: Around): GatedTools {
  const { clock, config, options } = state;
  const { engine, host, settingsFor } = machine;
  const { processes, running, own, redaction, onOutput, report } = around;
  const protectedFolders = [options.home];
  const sandbox = machineSandbox();
  const workspaces = createWorkspacePins(fileNames(join(options.home, "workspaces.json")));
  const files = createFileRunners({ sandbox, protectedFolders, clock });
  const settings = () => config.current().tools.exec;
  const commands = { protectedFolders, clock, commandJudge: host.commandJudge, sandbox, processes, settings };
  const builtin = createBuiltinTools({ commands, files });
  const { strict } = config.current().tools;
  const registry = createRegistry(
    [...builtin, ...createReachingTools({ ...state, readTurn: turnsOf(state, engine) }, engine), ...own, ...host.tools],
    {
      strict,
      isStricter: (name) => host.metadataOf(name).some(({ effect }) => effect === "write"),
      isShipped: (name) => SHIPPED.has(host.ownerOf(name)),
    },
  );
  const mcp = startMcp(state, registry);
  const isDestructive = (tool: string): boolean => mcp.isDestructive(tool);
  const ports = (): number[] => [config.current().gateway.port];
  const workspace = workspacePolicy(workspacesOf(state));
  const policies = livePolicies({
    host,
    sessions: engine,
    clock,
    settingsFor,
    revoked: machine.revoked,
    isDestructive,
    protectedFolders,
    ports,
    workspace,
  });
  const gate: Omit<ToolboxParts, "registry" | "workspaces"> = {
    get policies() {
      return policies();
    },
    get permission() {
      return host.permissionPrompt;
    },
    get projection() {
      return host.projection;
    },
    get witness() {
      return host.callWitness;
    },
    ownerOf: (tool) => host.ownerOf(tool),
    hooks: host.toolHooks,
    sessions: engine,
    clock,
    settingsFor,
    protectedFolders,
    running,
    redaction,
    onOutput,
    report,
  };
  const tools = createToolbox(withRegistry(gate, { registry, workspaces }));
  const outside = createToolbox(
    withRegistry(gate, { registry: createOutsideRegistry(registry, outsideJudge(host, protectedFolders)) }),
  );
  const endRunners = async (): Promise<void> => {
    workspaces.close();
    await files.endAll();
  };
  return { tools, outside, registry, mcp, endRunners };
}

/** Looked up at each call: the plugin that judges may be switched off. */
const outsideJudge = (host: ComposedEngine["host"], protectedFolders: readonly string[]) => ({
  protectedFolders,
  get commandJudge() {
    return host.commandJudge;
  },
});

/** Policies and the permission prompt stay looked up at each call. */
const withRegistry = (
  gate: Omit<ToolboxParts, "registry" | "workspaces">,
  own: Pick<ToolboxParts, "registry" | "workspaces">,
): ToolboxParts => Object.defineProperties({ ...own }, Object.getOwnPropertyDescriptors(gate)) as ToolboxParts; // oxlint-disable-line typescript/no-unsafe-type-assertion -- both halves together

/** The turn before the running one is the last that has ended. */
function turnsOf({ store }: State, { session: read }: ComposedEngine["engine"]): ReadTurn {
  return async (sessionId, turn) => {
    const session = await read(sessionId);
    return session === undefined ? undefined : readTurnLog(store, session, turn ?? session.turnCount - 1);
  };
}
