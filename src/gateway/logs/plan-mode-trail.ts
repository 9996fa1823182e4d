/**
 * The debug trail of plan mode (GW-07): what it decided, and what that caused, in the order of commits. Switched on by
 * HOLDPOINT_DEBUG_PLAN_MODE=1 or `planMode.debug`; the variable counts more. Off, a commit costs one look at a flag.
 */
import type { Logger } from "pino";
import type { Config } from "../../config/config.ts";
import type { Committed } from "../../engine/commit-feed.ts";
import type { Engine } from "../../engine/engine.ts";
import { PlanModeSettings } from "../../plan-mode/protocol/settings.ts";
import { PlanModeState } from "../../plan-mode/protocol/state.ts";
import { Json, type JsonObject } from "../../protocol/json.ts";
import type { Session, SessionEvent } from "../../protocol/session.ts";
import { redactSecrets } from "../process/redact-secrets.ts";

const SLICE = "planMode";
const TEXT_CHARS_MAX = 300;
const TOOLS: ReadonlySet<string> = new Set([
  "enter_plan_mode",
  "exit_plan_mode",
  "update_plan",
  "ask_user_question",
  "plan_mode_status",
]);

export type TrailParts = {
  engine: Pick<Engine, "onCommitted">;
  log: Pick<Logger, "info">;
  /** Read at each commit: a changed setting counts without a restart. */
  config(): Pick<Config, "agents" | "bindings">;
  settingsFor(session: Session): Readonly<Record<string, unknown>>;
  env: Readonly<Record<string, string | undefined>>;
};

export function followPlanMode(parts: TrailParts): () => void {
  return parts.engine.onCommitted((committed) => {
    const { session, before } = committed;
    const of = session ?? before;
    if (of !== undefined && isOn(of, parts)) writeTrail(committed, parts.log);
  });
}

function isOn(session: Session, { env, config, settingsFor }: TrailParts): boolean {
  const asked = env["HOLDPOINT_DEBUG_PLAN_MODE"];
  if (asked !== undefined && asked !== "") return asked !== "0" && asked !== "false";
  if (!isAnywhere(config())) return false;
  return PlanModeSettings.safeParse(settingsFor(session)[SLICE]).data?.debug === true;
}

/** Almost always it is nowhere, and no session's settings need be made to know it. */
function isAnywhere({ agents, bindings }: Pick<Config, "agents" | "bindings">): boolean {
  return (
    agents.defaults.planMode.debug === true || [...agents.list, ...bindings].some((level) => level.planMode?.debug)
  );
}

function writeTrail({ sessionId, session, before, events }: Committed, log: Pick<Logger, "info">): void {
  const [was, is] = [standing(before), standing(session)];
  for (const { event, cursor } of events) {
    const step = stepOf(event);
    if (step === undefined) continue;
    const { what, text, ...fields } = step;
    const moved = what === "state" ? { from: was, to: is } : {};
    log.info({ sessionId, cursor, ...moved, ...fields }, `[plan-mode/${what}] ${text}`);
  }
}

/** Mode, approval and cycle; undefined where the state cannot be read. */
function standing(session: Session | undefined): JsonObject | undefined {
  const { data } = PlanModeState.safeParse(session?.slices[SLICE]);
  if (data === undefined) return undefined;
  const { now, auto } = data;
  return { mode: now.mode, approval: now.approval, auto, cycleId: now.phase === "off" ? null : now.cycle.id };
}

type Step = { what: "state" | "gate" | "tool" | "injection" | "timer" | "turn"; text: string } & JsonObject;

function stepOf(event: SessionEvent): Step | undefined {
  switch (event.type) {
    case "slice.changed":
      return event.slice === SLICE ? { what: "state", text: event.event.type, fact: shown(event.event) } : undefined;
    case "call.refused": {
      const { tool_name, tool_kind, rule, matched } = event.refusal;
      const by = event.by ?? null;
      return { what: "gate", text: `refused ${tool_name}`, kind: tool_kind, rule, by, matched: shown(matched) };
    }
    case "call.claimed":
      return { what: "gate", text: `allowed ${event.tool}`, under: shown(event.under) };
    case "call.closed":
      return TOOLS.has(event.tool) ? { what: "tool", text: event.tool, status: event.status } : undefined;
    case "injection.queued":
      return { what: "injection", text: `queued ${event.injection.kind}`, id: event.injection.id };
    case "injection.dropped":
      return { what: "injection", text: `dropped ${event.id}`, reason: event.reason };
    case "timer.set":
      return event.timer.slice === SLICE
        ? { what: "timer", text: `set ${event.timer.key}`, at: new Date(event.timer.atMs).toISOString() }
        : undefined;
    case "timer.cleared":
      return event.key.startsWith(`${SLICE}/`) ? { what: "timer", text: `cleared ${event.key}` } : undefined;
    case "turn.requested":
      return { what: "turn", text: `requested by ${event.cause}` };
    default:
      return undefined; // the rest is no decision of plan mode
  }
}

/** Texts shortened and without secrets, to any depth. */
function shown(value: unknown): Json {
  if (typeof value === "string") return redactSecrets(value).slice(0, TEXT_CHARS_MAX).toWellFormed();
  if (Array.isArray(value)) return value.map(shown);
  if (typeof value !== "object" || value === null) return Json.safeParse(value).data ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shown(part)]));
}
