/** Composes what agents of others are served with: the decision service, its socket and its plain addresses. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { resolveRole } from "../config/resolve.ts";
import type { Decisions } from "../external/decisions.ts";
import { createDecisionRoute, type IdentifyBearer } from "../external/decision-route.ts";
import { createHeartbeat, type Heartbeat } from "../external/heartbeat/heartbeat.ts";
import { watchTranscripts } from "../external/heartbeat/watch-transcripts.ts";
import { createMcpRoute } from "../external/mcp/mcp-route.ts";
import { type DecisionSocket, type LineAnswer, openDecisionSocket } from "../external/socket/decision-socket.ts";
import { decisionSocketPath, runSocketPath } from "../external/socket/socket-paths.ts";
import type { HttpRoute } from "../http/http-route.ts";
import type { ExternalParts } from "../external/external-runs.ts";
import type { ExternalPlace } from "../protocol/external/decisions.ts";
import { VERSION } from "../gateway/version.ts";
import type { ComposedEngine } from "./engine.ts";
import type { State } from "./state.ts";

const AGENT = "main";

const hookFolder = (home: string): string => join(home, "hooks");

export type External = {
  routes(identify: IdentifyBearer): HttpRoute[];
  /** What an operator should know. */
  notes(): string[];
  start(address: () => string): Promise<void>;
  stop(): Promise<void>;
};

const ungatedNote = ({ agent, workspace }: ExternalPlace): string =>
  `${agent} in ${workspace} works past its hooks: its transcript grows, and they report nothing. Start it with holdpoint run.`;

type Parts = { state: State; machine: ComposedEngine; callers: ExternalParts["callers"] };

const runSockets =
  (home: string) =>
  (sessionId: string, answer: LineAnswer): Promise<DecisionSocket | string> =>
    openDecisionSocket(runSocketPath(home, sessionId), answer);

function openHeartbeat({ options }: State, service: () => Promise<Decisions>): Heartbeat {
  const { env = process.env, home } = options;
  return createHeartbeat({
    person: { home: env["HOME"] || homedir(), env },
    startedAtMs: Date.now(),
    async isHooked(agent) {
      const { isHookInstalled } = await import("../cli/hooks/is-installed.ts");
      return isHookInstalled(agent, { ...env, HOLDPOINT_HOME: home });
    },
    onChange: async (place, gated) => (await service()).markGated(place, gated),
  });
}

export function openExternal({ state, machine, callers }: Parts): External {
  const { clock, config, options, log } = state;
  const { engine } = machine;
  const notes: string[] = [];
  let address: (() => string) | undefined;
  let loaded: Promise<Decisions> | undefined;
  let socket: DecisionSocket | undefined;
  const parts: ExternalParts = {
    sessions: engine,
    clock,
    callers,
    protectedFolders: [options.home],
    review: (sessionId) => `${address?.() ?? ""}/sessions/${sessionId}/plan`,
    async createSession({ sessionId, agent, session, workspace, title }) {
      const role = resolveRole(config.current(), { agentId: AGENT, surface: agent });
      const named = title ?? `${agent} in ${workspace.split(/[\\/]/).at(-1) || workspace}`;
      const command = {
        type: "session.create",
        sessionId,
        agentId: AGENT,
        kind: "external",
        surface: agent,
        workspace,
        title: named.slice(0, 200),
        ...(role === undefined ? {} : { role }),
      } as const;
      log.info({ sessionId, agent, run: session }, "an agent outside is connected");
      return engine.dispatch(sessionId, command, { actor: { kind: "system", reason: "an agent outside" } });
    },
  };
  const report = (error: unknown): void => log.warn({ err: error }, "the hook program could not be renewed");
  /** Agents go on starting the file that was installed; after an update it must be this version's. */
  async function renewHookFiles(): Promise<void> {
    const { writeHookFiles } = await import("../cli/hooks/hook-files.ts");
    await writeHookFiles(options.home);
  }
  const service = (): Promise<Decisions> =>
    (loaded ??= import("../external/decisions.ts").then(({ createDecisions }) => createDecisions(parts)));
  async function lineAnswer(): Promise<LineAnswer> {
    const { createLineAnswer } = await import("../external/socket/answer-line.ts");
    return createLineAnswer({ service: await service(), openRunSocket: runSockets(options.home), heartbeat });
  }
  const heartbeat = openHeartbeat(state, service);
  const watch = watchTranscripts(heartbeat, {
    clock,
    isWanted: () => existsSync(hookFolder(options.home)),
    report: (error) => log.warn({ err: error }, "the transcripts of agents could not be read"),
  });
  return {
    notes: () => [...notes, ...heartbeat.ungated().map(ungatedNote)],
    routes: (identify) => [
      createDecisionRoute({ service, identify }),
      createMcpRoute({ identify, lineAnswer, version: VERSION }),
    ],
    async start(at) {
      address = at;
      const opened = await openDecisionSocket(decisionSocketPath(options.home), async (line, asked) =>
        (await lineAnswer())(line, asked),
      );
      if (typeof opened === "string") notes.push(`Agents outside cannot be connected by hooks: ${opened}.`);
      else socket = opened;
      watch.start();
      if (existsSync(hookFolder(options.home))) void renewHookFiles().catch(report);
    },
    async stop() {
      watch.stop();
      await socket?.close();
    },
  };
}
