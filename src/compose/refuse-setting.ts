/**
 * What loosens the gate outside of a session's own commands: settings, roles, tokens, trusted plugins. Where approvals
 * are limited, whoever could not have approved alone does none of it here (PL-19). The file on the gateway's machine
 * stays theirs who run the gateway.
 */
import type { Config } from "../config/config.ts";
import type { LiveConfig } from "../config/live-config.ts";
import type { OperatorActor } from "../http/method-table.ts";
import { maySign, samePerson } from "../plan-mode/machine/signature/approvers.ts";
import { isLooser } from "../plan-mode/machine/signature/is-looser.ts";
import { refuseAlone } from "../plan-mode/machine/signature/loosening.ts";
import type { PlanModeSettings } from "../plan-mode/protocol/settings.ts";
import { resolvePlanMode } from "../plan-mode/settings.ts";
import { hasScope, type Scope } from "../protocol/actor.ts";
import type { Json } from "../protocol/json.ts";
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

/** Of these it can be told whether a change makes things only stricter, which is no decision. */
const COMPARED = ["approvals", "agents.defaults.planMode", "agents.defaults.permissionMode"] as const;

const isCompared = (path: string): boolean =>
  COMPARED.some((setting) => path === setting || path.startsWith(`${setting}.`));

type Change = { path: string; value: Json | undefined };
type Configured = Pick<LiveConfig, "current" | "preview">;

/** Why this person may not change what holds agents; undefined where they could have approved alone everywhere. */
export async function refuseSetting(
  config: Configured,
  actor: OperatorActor,
  { path, value }: Change,
): Promise<Refused | undefined> {
  if (!holdsAgents(path)) return undefined;
  const before = everywhere(config.current());
  const refused = before.map((settings) => refuseAlone({ actor, settings })).find(isRefused);
  if (refused === undefined) return undefined;
  if (!isCompared(path)) return guarded(path, refused);
  const after = everywhere(await config.preview(path, value));
  const isStricter = before.every((settings, n) => after[n] !== undefined && !isLooser(settings, after[n]));
  return isStricter ? undefined : guarded(path, refused);
}

/**
 * Where approvers are listed, a new operator who is on the list is a signer. Whoever could not have approved alone makes
 * none, or they would sign under the name of another. A further token of one's own is no further person.
 */
export function refuseToken(
  config: Config,
  actor: OperatorActor,
  { name, scopes }: { name: string; scopes: readonly Scope[] },
): Refused | undefined {
  const made = { ...actor, id: OperatorId.parse("opr_new"), name, scopes: [...scopes] };
  if (!hasScope(scopes, "operator.approvals") || samePerson(actor, made)) return undefined;
  const refused = everywhere(config)
    .filter(({ approvals }) => approvals.approvers !== undefined && maySign(made, approvals))
    .map((settings) => refuseAlone({ actor, settings }))
    .find(isRefused);
  if (refused === undefined) return undefined;
  const why = `${name} could sign plans, and approvals are limited here: ${refused.refused.message}`;
  return refuse(
    "FORBIDDEN",
    `${why} Make the token before the limit is set; whoever runs the gateway can change it in its file.`,
    {
      because: refused.refused.code,
    },
  );
}

const isRefused = (refused: Refused | undefined): refused is Refused => refused !== undefined;

/** By the rules of the file as it is in force: for all agents and bindings, since a setting may reach any of them. */
function everywhere(config: Config): PlanModeSettings[] {
  const { agents, bindings } = config;
  return [undefined, ...agents.list].flatMap((agent) =>
    [undefined, ...bindings].map((binding) =>
      resolvePlanMode({ root: config, tools: {}, agentDefaults: agents.defaults, agent, binding }),
    ),
  );
}

const guarded = (path: string, { refused }: Refused): Refused =>
  refuse(
    "FORBIDDEN",
    `${path} is part of what holds agents, and approvals are limited here: ${refused.message} Whoever runs the gateway can change it in its configuration file.`,
    { path, because: refused.code },
  );
