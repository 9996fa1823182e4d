/** Entering and leaving plan mode. */
import type { PlanModeCommand } from "../../protocol/command.ts";
import type { PlanEventOf, PlanModeEvent } from "../../protocol/event.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import type { PlanProgress } from "../../protocol/plan.ts";
import type { PlanModeState, PlanPhase } from "../../protocol/state.ts";
import type { By } from "../../../protocol/actor.ts";
import { REASON_CHARS_MAX } from "../../protocol/command.ts";
import type { Refused } from "../../../protocol/refusal.ts";
import { refuse } from "../../protocol/refuse.ts";
import { ENGLISH } from "../../texts/en.ts";
import { localized } from "../../texts/localized.ts";
import { hasPerson } from "../../../protocol/session.ts";
import { seenIn } from "../evidence/refuse-unproven.ts";
import { holdSet } from "../hold/decide.ts";
import { openingPermission } from "../permission/set-permission-mode.ts";
import { autoEnabledBy } from "./auto-enable.ts";
import { beginCycle, closeQuestion, submissionOf } from "./cycle.ts";
import type { PlanDecision } from "../decision.ts";
import { archetypeSet, setArchetype } from "../seed/archetype.ts";
import { refuseAlone } from "../signature/loosening.ts";
import { planExcerpt } from "../text/notify-lines.ts";
import { rfc3339 } from "../text/rfc3339.ts";
import { ENTER_INSTRUCTIONS } from "../text/texts.ts";
import { byOf, byPolicy, type PlanContext } from "../actors.ts";
import { isBlank } from "../../../plugins/sdk.ts";

type CommandOf<Type extends PlanModeCommand["type"]> = Extract<PlanModeCommand, { type: Type }>;

/**
 * Events of a new session: none, or plan mode where the settings or the binding's role require it. A reset forgets the
 * conversation but keeps plan mode and a hold: leaving them needs the right to decide, and a reset needs less.
 */
export function onCreate(initial: PlanModeState, context: PlanContext, before?: PlanModeState): PlanModeEvent[] {
  const mode = openingMode(initial, context, before);
  const isStillHeld = before?.held !== undefined && mode.length === 0;
  const held = isStillHeld ? [holdSet(byPolicy("reset", ENGLISH.rule_reset), context)] : [];
  return [...openingPermission(context, before), ...mode, ...held];
}

function openingMode(initial: PlanModeState, context: PlanContext, before?: PlanModeState): PlanModeEvent[] {
  const { settings, session } = context;
  if (before?.now.mode === "plan") {
    const by = byPolicy("reset", ENGLISH.rule_reset);
    return beginCycle(initial, { by, reason: before.now.cycle.reason }, context);
  }
  if (!settings.enabled || !hasPerson(session.kind)) return [];
  const rule = openingRule(settings, session.role);
  return rule === undefined ? [] : beginCycle(initial, rule, context);
}

/**
 * Where sessions begin in plan mode, each new request does too: a finished plan covered only what it said. A person who
 * switched plan mode off keeps it off.
 */
export function onMessage(state: PlanModeState, context: PlanContext): PlanModeEvent[] {
  const rule = nextRequestRule(state, context);
  return rule === undefined ? [] : beginCycle(state, rule, context);
}

/** Undefined where the next request starts no cycle by itself. */
export function nextRequestRule(
  { now }: PlanModeState,
  { settings, session }: Pick<PlanContext, "settings" | "session">,
): OpeningRule | undefined {
  if (now.phase !== "off" || now.left !== "completed") return undefined;
  return settings.enabled && hasPerson(session.kind) ? openingRule(settings, session.role) : undefined;
}

type OpeningRule = { by: By; reason: string };

/** Why a new chat session starts in plan mode: the setting, the role of its binding, or its model. */
function openingRule(settings: PlanModeSettings, role: string | undefined): OpeningRule | undefined {
  if (startsActive(settings, role)) {
    return { by: byPolicy("default-active", ENGLISH.rule_default_active), reason: "default-active" };
  }
  const pattern = settings.defaultActive === null ? autoEnabledBy(settings) : undefined;
  if (pattern === undefined) return undefined;
  const by = byPolicy("auto-enable", ENGLISH.rule_auto_enable);
  return { by, reason: `auto-enable: ${settings.model ?? ""} (${pattern})`.slice(0, REASON_CHARS_MAX) };
}

const startsActive = ({ defaultActive }: PlanModeSettings, role: string | undefined): boolean =>
  defaultActive ?? role === "coordinator";

export function enter(state: PlanModeState, command: CommandOf<"enter">, context: PlanContext): PlanDecision {
  const refused = refuseKind(context) ?? refuseAutomatic(state, context);
  if (refused !== undefined) return refused;
  const { archetype } = command;
  if (state.now.mode === "plan") {
    const { cycle } = state.now;
    const chosen = archetype === undefined ? undefined : setArchetype(state, archetype, context);
    return {
      events: [
        { type: "plan.refreshed", atMs: context.nowMs },
        ...(chosen !== undefined && "events" in chosen ? chosen.events : []),
      ],
      reply: entered({ already: true, reason: cycle.reason, enteredAtMs: cycle.enteredAtMs }),
    };
  }
  const by = byOf(context.actor);
  const reason = isBlank(command.reason) ? defaultReason(by) : command.reason.trim();
  const begun = beginCycle(state, { by, reason }, context);
  const cycleId = begun.find((event) => event.type === "plan.entered")?.cycle.id;
  const chosen =
    cycleId === undefined || archetype === undefined ? [] : [archetypeSet({ cycleId, archetype, by }, context)];
  return { events: [...begun, ...chosen], reply: entered({ already: false, reason, enteredAtMs: context.nowMs }) };
}

/** After a destructive call in normal mode: the gate refuses the call, and the session enters plan mode. */
export function destructive(
  state: PlanModeState,
  command: CommandOf<"destructive">,
  context: PlanContext,
): PlanDecision {
  const { enabled, autoEnterOnDestructive } = context.settings;
  if (!enabled || !autoEnterOnDestructive || state.now.mode !== "normal") {
    return { events: [], reply: { entered_plan_mode: false } };
  }
  const refused = refuseKind(context);
  if (refused !== undefined) return refused;
  const reason = `auto-destructive: ${command.check}`.slice(0, REASON_CHARS_MAX);
  const by = byPolicy("auto-destructive", ENGLISH.rule_auto_destructive);
  return {
    events: beginCycle(state, { by, reason }, context),
    reply: {
      ...entered({ already: false, reason, enteredAtMs: context.nowMs }),
      refusal: enteredNow(reason, context),
    },
  };
}

/** For the refusal that brought it about. */
const enteredNow = (reason: string, { nowMs }: PlanContext) => ({
  entered_at: rfc3339(nowMs),
  entered_reason: reason,
});

/**
 * A person can always leave, whatever the settings say. That they did is remembered. Where they could not have approved
 * alone, the session is held from then on: leaving is no way around a signature (PL-19).
 */
export function leave(state: PlanModeState, context: PlanContext): PlanDecision {
  const { now } = state;
  const isAlone = refuseAlone(context) === undefined;
  if (now.phase === "off" && (now.left === "off" || (now.left === "never" && !isAlone))) return notLeft(state);
  const held = isAlone ? [] : [holdSet(byOf(context.actor), context)];
  const reply = { mode: "normal", left: now.phase !== "off", ...(isAlone ? {} : { held: true }) };
  return { events: [...leaveCycle(state, byOf(context.actor), context), ...held], reply };
}

/** The facts by which a cycle is left, whoever leaves it. */
export function leaveCycle(state: PlanModeState, by: By, context: PlanContext): PlanModeEvent[] {
  const { now } = state;
  const left: PlanModeEvent = {
    type: "plan.left",
    by,
    ...(now.phase === "off" ? {} : { cycleId: now.cycle.id, ...excerptOf(state), ...progressOf(now) }),
    atMs: context.nowMs,
  };
  return [...(now.phase === "off" ? [] : closeQuestion(state, "left", context)), left];
}

const notLeft = ({ held }: PlanModeState): PlanDecision => ({
  events: [],
  reply: { mode: "normal", left: false, ...(held === undefined ? {} : { held: true }) },
});

/** What the state no longer holds afterwards. */
function excerptOf(state: PlanModeState): Pick<PlanEventOf<"plan.left">, "plan" | "turn" | "executing"> {
  const { now } = state;
  const submission = submissionOf(state);
  const plan = planExcerpt(submission?.title ?? "", now.steps);
  return {
    ...(plan === "" ? {} : { plan }),
    ...(submission?.turn === undefined ? {} : { turn: submission.turn }),
    ...(now.phase === "executing" ? { executing: now.submission.planId } : {}),
  };
}

const progressOf = (now: PlanPhase): { progress?: PlanProgress } =>
  now.phase === "executing" && now.standing === undefined // each run of a standing plan begins anew
    ? { progress: { planId: now.submission.planId, steps: now.steps, ...seenIn(now).seen } }
    : {};

function refuseKind({ session }: PlanContext): Refused | undefined {
  if (hasPerson(session.kind)) return undefined;
  return refuse("PERMISSION_DENIED", localized("kindCannotPlan", { kind: localized(`kind_${session.kind}`) }), {
    session_kind: session.kind,
    reason: "nobody could approve",
  });
}

/** Plan mode starts automatically only where no person has decided: it overrides no `/plan off` and no approval. */
function refuseAutomatic({ now }: PlanModeState, { actor }: PlanContext): Refused | undefined {
  if (actor.kind !== "system" || now.mode === "plan") return undefined;
  if (now.phase === "off" && now.left !== "off") return undefined;
  const why = now.phase === "off" ? "a person switched plan mode off" : "an approved plan is being carried out";
  return refuse("PERMISSION_DENIED", `Plan mode is not entered automatically here: ${why}.`, { reason: why });
}

const defaultReason = (by: By): string =>
  ({ agent: "model", operator: "operator", policy: by.id, system: by.id })[by.kind];

function entered({ already, reason, enteredAtMs }: { already: boolean; reason: string; enteredAtMs: number }) {
  return {
    entered_plan_mode: true,
    already_in_plan_mode: already,
    entered_at: rfc3339(enteredAtMs),
    reason,
    instructions: ENTER_INSTRUCTIONS,
  };
}
