/** A row of the audit chain for people: its facts in words, and its whole text for checking. */
import type { AuditRow } from "../../../src/protocol/audit.ts";
import type { FactType } from "../../../src/protocol/localized/fact-types.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { t } from "../../i18n/t.ts";
import { answerOf, reasonOf } from "../../localized/name-of.ts";
import { visibly } from "../../text/visibly.ts";
import { outcomeText } from "../outcome-text.ts";
import { isRecord, listIn, recordIn, textIn } from "../record-fields.ts";

export type FactLine = { title: string; tone: "" | "good" | "bad" | "waiting" | "accent"; text: string };

type Teller = (detail: JsonObject) => FactLine;

const line = (title: string, tone: FactLine["tone"] = "", text = ""): FactLine => ({ title, tone, text });
const shown = (detail: JsonObject, name: string): string => visibly(textIn(detail, name));

const TELLERS: Readonly<Record<FactType, Teller>> = {
  "session.created": () => line(t("run.fact_sessionCreated")),
  "session.archived": () => line(t("run.fact_sessionArchived")),
  "session.reset": () => line(t("run.fact_sessionReset")),
  "session.deleted": () => line(t("run.fact_sessionDeleted"), "bad"),
  "turn.taken-over": () => line(t("run.fact_turnTakenOver")),
  "turn.aborting": () => line(t("run.fact_turnAborting")),
  "call.claimed": (detail) => line(t("run.fact_callClaimed", { tool: shown(detail, "tool") })),
  "call.rewritten": (detail) => line(t("run.fact_callRewritten", { tool: shown(detail, "tool") }), "waiting"),
  "call.refused": (detail) =>
    line(
      t("run.fact_callRefused", { tool: shown(detail, "tool") }),
      "waiting",
      t("run.byRule", { rule: shown(detail, "rule") }),
    ),
  "call.closed": (detail) =>
    line(
      t("run.fact_callClosed", { tool: shown(detail, "tool"), status: outcomeText(textIn(detail, "status")) }),
      textIn(detail, "status") === "ok" ? "" : "bad",
    ),
  "caller.opened": (detail) => line(t("run.fact_callerOpened"), "", shown(detail, "connection")),
  "caller.resumed": () => line(t("run.fact_callerResumed")),
  "caller.closed": () => line(t("run.fact_callerClosed")),
  "plan.entered": (detail) => line(t("run.fact_planEntered"), "", reasonOf(textIn(detail, "reason"))),
  "plan.left": () => line(t("run.fact_planLeft")),
  "plan.submitted": (detail) => line(t("run.fact_planSubmitted"), "accent", shown(detail, "title")),
  "plan.signed": () => line(t("run.fact_planSigned"), "accent"),
  "plan.decided": (detail) => decided(detail),
  "plan.timed_out": () => line(t("run.fact_planTimedOut"), "waiting"),
  "plan.completed": () => line(t("run.fact_planCompleted"), "good"),
  "plan.auto_set": (detail) =>
    detail["enabled"] === true ? line(t("run.fact_autoOn"), "waiting") : line(t("run.fact_autoOff")),
  "plan.reading": () => line(t("run.fact_planReading")),
  "plan.nudged": () => line(t("run.happened_nudged")),
  "plan.shared": () => line(t("run.fact_planShared"), "waiting"),
  "plan.unshared": () => line(t("run.fact_planUnshared")),
  "notes.moved": () => line(t("run.fact_notesMoved")),
  "note.added": () => line(t("run.fact_noteAdded"), "accent"),
  "note.replied": () => line(t("run.fact_noteAdded"), "accent"),
  "note.resolved": () => line(t("run.fact_noteResolved")),
  "note.reopened": () => line(t("run.fact_noteReopened"), "waiting"),
  "grant.given": () => line(t("run.fact_grantGiven"), "good"),
  "grant.denied": () => line(t("run.fact_grantDenied"), "bad"),
  "grant.spent": () => line(t("run.fact_grantSpent")),
  "permission.set": (detail) => line(t("run.fact_permissionSet", { mode: shown(detail, "mode") }), "waiting"),
  "question.asked": () => line(t("run.fact_questionAsked")),
  "question.answered": (detail) =>
    line(
      t("run.fact_questionAnswered"),
      "",
      answerOf({ answer: textIn(detail, "answer"), optionId: textIn(detail, "optionId") }),
    ),
  "question.closed": () => line(t("run.fact_questionClosed")),
  "device.created": (detail) => line(t("run.fact_deviceCreated"), "accent", shown(detail, "name")),
  "device.revoked": (detail) => line(t("run.fact_tokenRevoked"), "waiting", shown(detail, "name")),
  "token.created": (detail) => line(t("run.fact_tokenCreated"), "accent", shown(detail, "name")),
  "token.revoked": (detail) => line(t("run.fact_tokenRevoked"), "waiting", shown(detail, "name")),
  "backup.created": (detail) => line(t("run.fact_backupCreated"), "", shown(detail, "path")),
  "job.added": (detail) => line(t("run.fact_jobAdded"), "accent", shown(detail, "name")),
  "job.changed": (detail) => line(t("run.fact_jobChanged"), "", shown(detail, "name")),
  "job.removed": (detail) => line(t("run.fact_jobRemoved"), "", shown(detail, "name")),
  "job.fired": (detail) => line(t("run.fact_jobFired"), "", shown(detail, "name")),
  "run.ended": (detail) => line(t("run.fact_runEnded", { outcome: outcomeText(textIn(detail, "outcome")) })),
  "child.spawned": (detail) => line(t("run.fact_childSpawned"), "", shown(detail, "title")),
  "child.ended": (detail) => line(t("run.fact_childEnded", { outcome: outcomeText(textIn(detail, "outcome")) })),
  "plugin.installed": (detail) => line(t("run.fact_pluginInstalled", pluginIn(detail)), "waiting"),
  "plugin.enabled": (detail) => line(t("run.fact_pluginEnabled", pluginIn(detail)), "waiting"),
  "plugin.disabled": (detail) => line(t("run.fact_pluginDisabled", pluginIn(detail))),
  "plugin.trusted": (detail) => line(t("run.fact_pluginTrusted", pluginIn(detail)), "waiting"),
  "plugin.untrusted": (detail) => line(t("run.fact_pluginUntrusted", pluginIn(detail))),
  "plugin.removed": (detail) => line(t("run.fact_pluginRemoved", pluginIn(detail))),
  "plugin.owns": (detail) => line(t("run.fact_pluginOwns", pluginIn(detail)), "", shown(detail, "command")),
  "plugin.committed": (detail) => line(t("run.fact_pluginCommitted", pluginIn(detail)), "", shown(detail, "cause")),
  "plugin.trouble": (detail) => line(t("run.fact_pluginTrouble", pluginIn(detail)), "bad"),
  "plugin.muted": (detail) => line(t("run.fact_pluginMuted", pluginIn(detail)), "bad"),
  "plugin.failed": (detail) => line(t("run.fact_pluginFailed", pluginIn(detail)), "bad"),
  "config.changed": (detail) => line(t("run.fact_configChanged", { paths: pathsIn(detail) }), "waiting"),
  "config.set": (detail) => line(t("run.fact_configSet", { path: shown(detail, "path") }), "waiting"),
  "config.unset": (detail) => line(t("run.fact_configUnset", { path: shown(detail, "path") }), "waiting"),
};

/** Some facts call it `id`, some `plugin`. */
const pluginIn = (detail: JsonObject): { plugin: string } => ({
  plugin: shown(detail, "plugin") || shown(detail, "id"),
});

function pathsIn({ paths }: JsonObject): string {
  const named = Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  return visibly(named.slice(0, PATHS_SHOWN_MAX).join(", "));
}

const PATHS_SHOWN_MAX = 10;

const isOwn = (type: string): type is FactType => Object.hasOwn(TELLERS, type);

function decided(detail: JsonObject): FactLine {
  switch (detail["decision"]) {
    case "rejected":
      return line(t("run.fact_planDecided_rejected"), "bad", shown(detail, "feedback"));
    case "edited":
      return line(t("run.fact_planDecided_edited"), "good");
    default:
      return line(t("run.fact_planDecided_approved"), "good");
  }
}

/** The facts of a row; where they cannot be read, nothing is made up. */
export function factsOf({ body }: Pick<AuditRow, "body">): FactLine[] {
  return listIn(bodyOf(body), "facts").map((fact) => {
    const type = textIn(fact, "type");
    const teller = isOwn(type) ? TELLERS[type] : undefined;
    return teller?.(recordIn(fact, "detail") ?? {}) ?? line(visibly(type)); // facts of plugins go by their name
  });
}

export function wholeOf({ body }: Pick<AuditRow, "body">): string {
  const parsed = bodyOf(body);
  return visibly(parsed === undefined ? body : JSON.stringify(parsed, null, 2));
}

function bodyOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const OF_THE_GATEWAY: ReadonlySet<string> = new Set(["plugins", "first-start"]);

/** An operator's id, an agent's session or a part of the gateway. */
export function actorText(actor: string): string {
  if (actor.startsWith("agent:")) return t("run.agent");
  if (actor.startsWith("system:") || OF_THE_GATEWAY.has(actor)) return t("run.system");
  if (actor === "config-file") return t("run.configFile");
  if (actor === "command-line") return t("run.terminal");
  return visibly(actor);
}
