/**
 * What loosens the gate outside of a session's own commands: settings, roles, tokens, trusted plugins. Where approvals
 * are limited, whoever could not have approved alone does none of it here (PL-19). The file on the gateway's machine
 * stays theirs who run the gateway.
 */
import type { Config } from "../config/config.ts";
import type { OperatorActor } from "../http/method-table.ts";
import { refuseAlone, refuseSigner, isLimited } from "../plan-mode/machine/signature/loosening.ts";
import type { PlanModeSettings } from "../plan-mode/protocol/settings.ts";
import { resolvePlanMode } from "../plan-mode/settings.ts";
import { hasScope, type Scope } from "../protocol/actor.ts";
import { OperatorId } from "../protocol/ids.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";

/** Settings that hold nobody. Every other one, also one that comes later, counts as part of what holds agents. */
const HARMLESS = [
  "gateway.requestsPerSecond",
  "gateway.connectionsMax",
  "agents.defaults.model",
  "agents.defaults.queueMode",
  "agents.defaults.autoContinue",
  "agents.defaults.contextTokens",
  "agents.defaults.contextFiles",
  "agents.defaults.skills",
  "agents.defaults.overlays",
  "agents.defaults.heartbeat",
  "providers",
  "models",
  "memory",
  "logging",
] as const;

export const holdsAgents = (path: string): boolean =>
  !HARMLESS.some((setting) => path === setting || path.startsWith(`${setting}.`));

/** Why this person may not change what holds agents; undefined where they could have approved alone everywhere. */
export function refuseSetting(config: Config, actor: OperatorActor, path: string): Refused | undefined {
  if (!holdsAgents(path)) return undefined;
  const refused = everywhere(config)
    .map((settings) => refuseAlone({ actor, settings }))
    .find(isRefused);
  return refused === undefined ? undefined : guarded(path, refused);
}

/** Who may not sign makes no signer: neither for a name on the list nor with a scope on it. */
export function refuseToken(
  config: Config,
  actor: OperatorActor,
  token: { name: string; scopes: readonly Scope[] },
): Refused | undefined {
  if (!hasScope(token.scopes, "operator.approvals")) return undefined;
  const made = { ...actor, id: OperatorId.parse("opr_new"), name: token.name, scopes: [...token.scopes] };
  const barred = everywhere(config).find(
    (settings) =>
      isLimited(settings) &&
      refuseSigner({ actor, settings }) !== undefined &&
      refuseSigner({ actor: made, settings }) === undefined,
  );
  return barred === undefined ? undefined : refuseSigner({ actor, settings: barred });
}

const isRefused = (refused: Refused | undefined): refused is Refused => refused !== undefined;

/** By the rules of the file as it is in force: for all agents and bindings, since a setting may reach any of them. */
function everywhere(config: Config): PlanModeSettings[] {
  const { agents, bindings } = config;
  return [undefined, ...agents.list].flatMap((agent) =>
    [undefined, ...bindings].map((binding) =>
      resolvePlanMode({ root: config, agentDefaults: agents.defaults, agent, binding }),
    ),
  );
}

const guarded = (path: string, { refused }: Refused): Refused =>
  refuse(
    "FORBIDDEN",
    `${path} is part of what holds agents, and approvals are limited here: ${refused.message} Whoever runs the gateway can change it in its configuration file.`,
    { path, because: refused.code },
  );
