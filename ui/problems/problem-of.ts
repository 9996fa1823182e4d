/**
 * What went wrong, in the language of the person. The gateway answers with a code and an English sentence: the code has
 * a text here, and the sentence stands beneath it where it adds something. An unknown code is shown by
 * the sentence alone.
 */
import type { ClientErrorCode } from "../../src/client/holdpoint-error.ts";
import { HoldpointError } from "../../src/client/holdpoint-error.ts";
import type { Json } from "../../src/protocol/json.ts";
import { BUNDLED_REFUSALS } from "../../src/bundled-wording.ts";
import type { RefusalWording, RefusalWordings } from "../../src/protocol/localized/refusal-wording.ts";
import type { RefusalCode } from "../../src/protocol/refusal.ts";
import type { LocalizedLine } from "../../src/protocol/localized/localized-text.ts";
import { sayList } from "../i18n/say.ts";
import { language, t } from "../i18n/t.ts";
import type { PlainKey } from "../i18n/text-types.ts";
import { localizedPhrase, localizedText } from "../localized/localized-text.ts";
import { visibly } from "../text/visibly.ts";

/** `isEnglish`: the gateway's sentence replaces a text. `detail`: its sentence beneath our text; may be empty. */
export type Problem = { text: string; isEnglish: boolean; detail: string };

type Refused = {
  code: string;
  message: string;
  details: { readonly [name: string]: Json };
  said: readonly LocalizedLine[];
};

/** Of the gateway's codes; a plugin's stand in its folder. Where the details allow it, `filled` has a more exact text. */
export const CODE_TEXTS = {
  INVALID_REQUEST: "problems.invalid",
  UNKNOWN_METHOD: "problems.otherVersion",
  UNSUPPORTED_VERSION: "problems.otherVersion",
  UNAUTHENTICATED: "problems.notLoggedIn",
  FORBIDDEN: "problems.forbidden",
  RATE_LIMITED: "problems.tooMany",
  IDEMPOTENCY_KEY_REUSED: "problems.changed",
  SESSION_NOT_FOUND: "app.missing",
  SESSION_EXISTS: "problems.invalid",
  SESSION_ARCHIVED: "problems.archived",
  SESSION_BUSY: "problems.busy",
  QUEUE_FULL: "problems.queueFull",
  TURN_NOT_RUNNING: "problems.noTurn",
  UNKNOWN_SLICE: "problems.noAction",
  ENTRY_TOO_LARGE: "problems.tooLong",
  PLAN_MODE_BLOCKED: "problems.planModeHolds",
  PERMISSION_DENIED: "problems.forbidden",
  APPROVAL_STALE: "problems.nothingWaits",
  APPROVAL_UNKNOWN: "problems.nothingWaits",
  APPROVAL_EXPIRED: "problems.expired",
  APPROVAL_ALREADY_SIGNED: "cards.youSigned",
  APPROVER_NOT_LISTED: "problems.notListed",
  PRESENCE_REQUIRED: "problems.passkeyNeeded",
  PRESENCE_INVALID: "problems.passkeyRefused",
  COMMAND_UNKNOWN: "problems.noCommand",
  COMMAND_USAGE: "problems.usage",
  ACTION_UNKNOWN: "problems.noAction",
  PLUGIN_DISABLED: "problems.pluginOff",
  PLUGIN_FAILED: "problems.pluginFailed",
  PLUGIN_STATE_CHANGED: "problems.changed",
  PLUGIN_STATE_INVALID: "problems.pluginFailed",
  PLUGIN_UNKNOWN: "problems.noPlugin",
  PLUGIN_INVALID: "problems.noPlugin",
  PLUGIN_NOT_AGREED: "problems.notAgreed",
  CONFIG_INVALID: "problems.configInvalid",
  STORE_UNAVAILABLE: "problems.storeAway",
  STORE_FULL: "problems.storeFull",
  STORE_DAMAGED: "problems.storeDamaged",
  DRAINING: "problems.draining",
  INTERNAL: "problems.internal",
  UNREACHABLE: "app.offline",
  CONNECTION_LOST: "problems.connectionLost",
  TIMED_OUT: "problems.timedOut",
  CLOSED: "problems.connectionLost",
} as const satisfies { readonly [Code in RefusalCode | ClientErrorCode]?: PlainKey };

/**
 * Where the gateway did not send the meaning of its sentence, that sentence stands beneath the text: it repeats a value
 * of the configuration, a field of a request, or words of the machine or of a plugin, which cannot be translated.
 */
const TELLS_MORE: ReadonlySet<string> = new Set<keyof typeof CODE_TEXTS>([
  "INVALID_REQUEST",
  "PERMISSION_DENIED",
  "COMMAND_USAGE",
  "PLUGIN_FAILED",
  "PLUGIN_STATE_INVALID",
  "PLUGIN_INVALID",
  "CONFIG_INVALID",
  "STORE_UNAVAILABLE",
  "STORE_DAMAGED",
]);

/** Whatever was thrown; the message of a bug helps in a report. All of them may repeat untrusted text. */
export function problemOf(error: unknown): Problem {
  if (error instanceof HoldpointError) return refusalProblem(error);
  const message = visibly(error instanceof Error ? error.message : String(error));
  return { text: t("app.somethingWrong", { message }), isEnglish: false, detail: "" };
}

/** The texts come with the first problem (`loadProblems`); until then, and without them, the sentence stands alone. */
export function refusalProblem({ code, message, details, said }: Refused): Problem {
  if (said.length > 0) return { text: localizedText(message, said), isEnglish: false, detail: "" };
  const sentence = visibly(message);
  const { locale, texts } = language.get();
  const wording = wordingOf(code);
  if (wording !== undefined) return pluginProblem({ message, details }, wording) ?? inEnglish(sentence);
  const tellsMore = TELLS_MORE.has(code);
  if (!isKnown(code) || [texts["problems"], texts["cards"]].includes(undefined) || (tellsMore && locale === "en")) {
    return inEnglish(sentence);
  }
  const exact = filled(code, details);
  if (exact !== undefined) return { text: exact, isEnglish: false, detail: "" };
  return { text: t(CODE_TEXTS[code]), isEnglish: false, detail: tellsMore ? sentence : "" };
}

const inEnglish = (sentence: string): Problem => ({ text: sentence, isEnglish: true, detail: "" });

const WORDINGS: RefusalWordings = BUNDLED_REFUSALS;

/** A plugin from outside has its text under `refused_<CODE>`, if any. */
function wordingOf(code: string): RefusalWording | undefined {
  if (Object.hasOwn(WORDINGS, code)) return WORDINGS[code];
  const [, plugin, own] = /^([a-z][a-z0-9-]*)\.([A-Z][A-Z0-9_]*)$/.exec(code) ?? [];
  return plugin === undefined || own === undefined ? undefined : { text: `${plugin}.refused_${own}` };
}

/** Undefined where the page has no text for it, or not yet. */
function pluginProblem(
  { message, details }: Pick<Refused, "message" | "details">,
  { text: key, exact, tellsMore }: RefusalWording,
): Problem | undefined {
  if (tellsMore === true && language.get().locale === "en") return undefined;
  const name = exact === undefined ? "" : details[exact.field];
  const isExact = exact !== undefined && typeof name === "string" && name !== "";
  const text = isExact ? localizedPhrase(exact.text, { name }) : localizedPhrase(key);
  return text === undefined
    ? undefined
    : { text, isEnglish: false, detail: tellsMore === true ? visibly(message) : "" };
}

const isKnown = (code: string): code is keyof typeof CODE_TEXTS => Object.hasOwn(CODE_TEXTS, code);

/** The more exact text, where the refusal's details hold what it needs. */
function filled(code: keyof typeof CODE_TEXTS, details: Refused["details"]): string | undefined {
  switch (code) {
    case "FORBIDDEN": {
      const scopes = words(details["scopes"] ?? [details["scope"] ?? ""]);
      return scopes.length === 0 ? undefined : t("problems.scopesNeeded", { scopes: sayList(scopes) });
    }
    case "PRESENCE_REQUIRED": {
      const [address] = words([details["elsewhere"] ?? ""]);
      if (address !== undefined) return t("problems.passkeyElsewhere", { address });
      return details["cancelled"] === true ? t("problems.passkeyCancelled") : undefined;
    }
    case "INTERNAL": {
      const [reference] = words([details["reference"] ?? ""]);
      return reference === undefined ? undefined : t("problems.internalAt", { reference });
    }
    default:
      return undefined;
  }
}

const words = (value: Json | undefined): string[] =>
  Array.isArray(value) ? value.flatMap((word) => (typeof word === "string" && word !== "" ? [visibly(word)] : [])) : [];
