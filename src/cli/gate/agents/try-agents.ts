/**
 * What holds the agents that are installed on this machine: each is told to write, in the mode in which it asks nobody,
 * with the person's own settings. What is open is said, whether it can be helped or not.
 *
 *   hooks, gateway runs · hooks, gateway stopped ─▶ must be closed, where hooks are installed
 *   hooks, a repository or an option that switches them off ─▶ a known door, told as open or closed
 *   the kernel, all of that together ─▶ must be closed
 */
import { homedir } from "node:os";
import type { Environment } from "../../../config/home.ts";
import { decisionSocketPath } from "../../../external/socket/socket-paths.ts";
import { isHookInstalled } from "../../hooks/is-installed.ts";
import { agentProgram } from "../../run/agent-programs.ts";
import { canHold } from "../../run/can-hold.ts";
import type { Attempt } from "../doctor/try-probe.ts";
import { AGENT_PROBES, type AgentProbe } from "./agent-probes.ts";
import { agentVersion } from "./agent-version.ts";
import { onPath, type Trial, tryAgent, type TrialEnd } from "./agent-trial.ts";

/** `setting`: what holds it, and what stands against that. */
export type AgentSeen = TrialEnd & { agent: string; version: string; setting: string; by: "hooks" | "kernel" };

type Parts = { env: Environment; gatewayHome: string; report(attempt: Attempt): void };

export async function tryAgents({ env, gatewayHome, report }: Parts): Promise<AgentSeen[]> {
  const seen: AgentSeen[] = [];
  const cannotHold = await canHold();
  for (const probe of AGENT_PROBES) {
    const file = onPath(probe.program, env["PATH"] ?? "");
    if (file === undefined) continue;
    const version = await agentVersion(file);
    if (version !== probe.tested) report(otherVersion(probe, version));
    for (const one of trialsOf(probe, { file, env, gatewayHome, cannotHold })) {
      const end = "trial" in one ? await tried(one.trial) : one.end;
      const now = { agent: probe.agent, version, setting: one.setting, by: one.by, ...end };
      seen.push(now);
      report(attemptOf(now, { ...one, ...probe }));
    }
  }
  return seen;
}

const tried = (trial: Trial): Promise<TrialEnd> =>
  tryAgent(trial).catch((error: unknown) => ({
    outcome: "untried" as const,
    detail: error instanceof Error ? error.message : String(error),
  }));

const otherVersion = ({ agent, tested }: AgentProbe, version: string): Attempt => ({
  source: agent,
  what: "version",
  held: true,
  door: "untried",
  detail: `${version} is here; these trials were written for ${tested}`,
});

/** `isPromise`: it must be closed; otherwise it is a door that is known, and told. */
type Planned = { setting: string; by: AgentSeen["by"]; isPromise: boolean } & ({ trial: Trial } | { end: TrialEnd });

type Found = { file: string; env: Environment; gatewayHome: string; cannotHold: string | undefined };

function trialsOf(probe: AgentProbe, { file, env, gatewayHome, cannotHold }: Found): Planned[] {
  const program = agentProgram(probe.agent);
  if (program === undefined) return [];
  const person = { home: env["HOME"] || homedir(), env };
  const socket = decisionSocketPath(gatewayHome);
  const trial = (by: Trial["by"], isHostile: boolean, args: readonly string[] = []): Trial => ({
    probe,
    program,
    file,
    person,
    by,
    isHostile,
    args,
  });
  const hooks = isHookInstalled(probe.agent, env)
    ? [
        { setting: "hooks", isPromise: true, trial: trial({ hooks: socket }, false) },
        { setting: "hooks, gateway stopped", isPromise: true, trial: trial({ hooks: `${socket}.gone` }, false) },
        ...(Object.keys(probe.hostile).length === 0
          ? []
          : [{ setting: "hooks, hostile repository", isPromise: false, trial: trial({ hooks: socket }, true) }]),
        ...probe.doors.map(({ what, args }) => ({
          setting: `hooks, ${what}`,
          isPromise: false,
          trial: trial({ hooks: socket }, false, args),
        })),
      ]
    : [{ setting: "no hooks", isPromise: false, end: NO_HOOKS }];
  const kernel =
    cannotHold === undefined
      ? { trial: trial("kernel", true), isPromise: true }
      : { end: { outcome: "untried", detail: cannotHold } as const, isPromise: false };
  return [
    ...hooks.map((one) => ({ ...one, by: "hooks" as const })),
    { setting: "holdpoint run, hostile repository, no hooks", by: "kernel", ...kernel },
  ];
}

const NO_HOOKS: TrialEnd = {
  outcome: "open",
  detail: "no hooks are installed: start it with holdpoint run, or use holdpoint hooks install",
};

type Meaning = { isPromise: boolean; whenOpen?: string };

function attemptOf({ agent, setting, outcome, detail, by }: AgentSeen, { isPromise, whenOpen }: Meaning): Attempt {
  const hint = isPromise && outcome === "open" && by === "hooks" && whenOpen !== undefined ? `. ${whenOpen}` : "";
  const about = { source: agent, what: `write with ${setting}`, detail: `${detail}${hint}` };
  return isPromise && outcome !== "untried"
    ? { ...about, held: outcome === "closed" }
    : { ...about, held: true, door: outcome };
}
