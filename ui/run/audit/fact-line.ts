/** A row of the audit chain for people: its facts in words, and its whole text for checking. */
import type { AuditRow } from "../../../src/protocol/audit.ts";
import type { FactType } from "../../../src/protocol/localized/fact-types.ts";
import type { JsonObject } from "../../../src/protocol/json.ts";
import { t } from "../../i18n/t.ts";
import { toolName } from "../../chat/tool/tool-name.ts";
import { visibly } from "../../text/visibly.ts";
import { outcomeText } from "../outcome-text.ts";
import { isRecord, listIn, recordIn, textIn } from "../record-fields.ts";
import { wordedFact } from "./worded-fact.ts";

export type FactLine = { title: string; tone: "" | "good" | "bad" | "waiting" | "accent"; text: string };

type Teller = (detail: JsonObject) => FactLine;

const line = (title: string, tone: FactLine["tone"] = "", text = ""): FactLine => ({ title, tone, text });
const shown = (detail: JsonObject, name: string): string => visibly(textIn(detail, name));

const toolIn = (detail: JsonObject): string => toolName(textIn(detail, "tool")) ?? shown(detail, "tool");

/** Of the gateway's own facts. */
const TELLERS: Readonly<Record<FactType, Teller>> = {
  "session.created": () => line(t("run.fact_sessionCreated")),
  "session.archived": () => line(t("run.fact_sessionArchived")),
  "session.reset": () => line(t("run.fact_sessionReset")),
  "session.deleted": () => line(t("run.fact_sessionDeleted"), "bad"),
  "turn.taken-over": () => line(t("run.fact_turnTakenOver")),
  "turn.aborting": () => line(t("run.fact_turnAborting")),
  "call.claimed": (detail) =>
    line(toolName(textIn(detail, "tool")) ?? t("run.fact_callClaimed", { tool: shown(detail, "tool") })),
  "call.rewritten": (detail) => line(t("run.fact_callRewritten", { tool: shown(detail, "tool") }), "waiting"),
  "call.refused": (detail) =>
    line(
      t("run.fact_callRefused", { tool: toolIn(detail) }),
      "waiting",
      t("run.byRule", { rule: shown(detail, "rule") }),
    ),
  "call.closed": (detail) =>
    line(
      t("run.fact_callClosed", { tool: toolIn(detail), status: outcomeText(textIn(detail, "status")) }),
      textIn(detail, "status") === "ok" ? "" : "bad",
    ),
  "caller.opened": (detail) => line(t("run.fact_callerOpened"), "", shown(detail, "connection")),
  "caller.resumed": () => line(t("run.fact_callerResumed")),
  "caller.closed": () => line(t("run.fact_callerClosed")),
  "device.created": (detail) => line(t("run.fact_deviceCreated"), "accent", shown(detail, "name")),
  "device.revoked": (detail) => line(t("run.fact_tokenRevoked"), "waiting", shown(detail, "name")),
  "token.created": (detail) => line(t("run.fact_tokenCreated"), "accent", shown(detail, "name")),
  "token.revoked": (detail) => line(t("run.fact_tokenRevoked"), "waiting", shown(detail, "name")),
  "backup.created": (detail) => line(t("run.fact_backupCreated"), "", shown(detail, "path")),
  "store.restored": (detail) => line(t("run.fact_storeRestored"), "", shown(detail, "path")),
  "documents.removed": () => line(t("run.fact_documentsRemoved")),
  "audit.trimmed": (detail) => line(t("run.fact_auditTrimmed", { row: shown(detail, "upTo") }), "waiting"),
  "passkey.linked": (detail) => line(t("run.fact_passkeyLinked"), "waiting", shown(detail, "name")),
  "passkey.enrolled": (detail) => line(t("run.fact_passkeyEnrolled"), "waiting", shown(detail, "name")),
  "passkey.revoked": (detail) => line(t("run.fact_passkeyRevoked"), "waiting", shown(detail, "name")),
  "passkey.recovered": (detail) => line(t("run.fact_passkeyRecovered"), "bad", shown(detail, "name")),
  "presence.refused": (detail) => line(t("run.fact_presenceRefused"), "bad", shown(detail, "reason")),
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

/** The facts of a row; where they cannot be read, nothing is made up. */
export function factsOf({ body }: Pick<AuditRow, "body">): FactLine[] {
  return listIn(bodyOf(body), "facts").map((fact) => {
    const type = textIn(fact, "type");
    const detail = recordIn(fact, "detail") ?? {};
    return isOwn(type) ? TELLERS[type](detail) : (wordedFact(type, detail) ?? line(visibly(type)));
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
