/**
 * What loosens the gate outside of a session's own commands: settings, roles, tokens, trusted plugins. Where approvals
 * are limited, whoever could not have approved alone does none of it here (PL-19). The file on the gateway's machine
 * stays theirs who run the gateway.
 */
import type { Config } from "../config/config.ts";
import type { OperatorActor } from "../http/method-table.ts";
import { samePerson } from "../plan-mode/machine/signature/approvers.ts";
import { refuseAlone, refuseSigner } from "../plan-mode/machine/signature/loosening.ts";
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

const holdsAgents = (path: string): boolean =>
  !HARMLESS.some((setting) => path === setting || path.startsWith(`${setting}.`));

/** Why this person may not change what holds agents; undefined where they could have approved alone everywhere. */
export function refuseSetting(config: Config, actor: OperatorActor, path: string): Refused | undefined {
  if (!holdsAgents(path)) return undefined;
  const refused = everywhere(config)
    .map((settings) => refuseAlone({ actor, settings }))
    .find(isRefused);
  return refused === undefined ? undefined : guarded(path, refused);
}

/**
 * A new operator who could sign is a signer. Whoever could not have approved alone makes none, or one person would sign
 * as several, or under the name of another. A further token of one's own is no further person.
 */
export function refuseToken(
  config: Config,
  actor: OperatorActor,
  { name, scopes }: { name: string; scopes: readonly Scope[] },
): Refused | undefined {
  const made = { ...actor, id: OperatorId.parse("opr_new"), name, scopes: [...scopes] };
  if (!hasScope(scopes, "operator.approvals") || samePerson(actor, made)) return undefined;
  const refused = everywhere(config)
    .filter((settings) => refuseSigner({ actor: made, settings }) === undefined)
    .map((settings) => refuseAlone({ actor, settings }))
    .find(isRefused);
  if (refused === undefined) return undefined;
  const why = `${name} could sign plans, and approvals are limited here: ${refused.refused.message}`;
  return refuse("FORBIDDEN", `${why} Whoever runs the gateway can change the limit in its configuration file.`, {
    because: refused.refused.code,
  });
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
