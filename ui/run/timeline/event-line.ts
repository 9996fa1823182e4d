/** An event of a session for people: its kind, our text for it, and the text of the agent or person in it. */
import type { JsonObject } from "../../../src/protocol/json.ts";
import { t } from "../../i18n/t.ts";
import { sayProgress } from "../../chat/say-progress.ts";
import type { IconName } from "../../parts/icon.ts";
import type { Happening } from "../../state/record/timeline.ts";
import { visibly } from "../../text/visibly.ts";
import { callShownIn } from "../../../src/protocol/card/call-shown.ts";
import { familyOf, shortCallArgs } from "../../chat/tool/call-facts.ts";
import { toolIcon, toolName } from "../../chat/tool/tool-name.ts";
import { localizedPhrase } from "../../localized/localized-text.ts";
import { acceptedByRule, answerOf, nameOf, reasonOf } from "../../localized/name-of.ts";
import { outcomeText } from "../outcome-text.ts";
import { byIn, listIn, recordIn, saidIn, textIn } from "../record-fields.ts";

export const KINDS = ["messages", "decisions", "steps", "refusals", "calls"] as const;
export type Kind = (typeof KINDS)[number];

export type EventLine = {
  /** Undefined: shown only among everything. */
  kind: Kind | undefined;
  icon: IconName;
  tone: "" | "good" | "bad" | "waiting" | "accent";
  /** Ours, in the language of the person. */
  title: string;
  /** Theirs, with everything visible; may be empty. */
  text: string;
};

/** What each call was about, by its id: the facts of a call name its tool only. */
export type CallsAbout = ReadonlyMap<string, string>;

type Teller = (payload: JsonObject, calls: CallsAbout) => EventLine | undefined;

const line = (
  [kind, icon]: readonly [EventLine["kind"], IconName],
  title: string,
  more: Partial<EventLine> = {},
): EventLine => ({
  kind,
  icon,
  tone: "",
  title,
  text: "",
  ...more,
});

/** The name of the actor, from `by`. */
const nameIn = (payload: JsonObject, at = "by"): string => nameOf(byIn(recordIn(payload, at)));
const shown = (payload: JsonObject | undefined, name: string): string => visibly(textIn(payload, name));

/** By a key of a bundled plugin's texts. */
const said = (key: string, args: { [name: string]: string } = {}): string => localizedPhrase(key, args) ?? "";

const LINES: Readonly<Record<string, Teller>> = {
  "session.created": () => line([undefined, "add"], t("run.happened_sessionCreated")),
  "session.renamed": (payload) =>
    line([undefined, "sign"], t("run.happened_sessionRenamed"), { text: shown(payload, "title") }),
  "session.archived": () => line([undefined, "archive"], t("run.happened_sessionArchived")),
  "session.reset": () => line([undefined, "archive"], t("run.happened_sessionReset")),
  "message.queued": (payload) => {
    const message = recordIn(payload, "message");
    return line(["messages", "send"], t("run.happened_wrote", { name: shown(message, "from") }), {
      text: shown(message, "text"),
    });
  },
  "entry.appended": (payload) => entryLine(recordIn(payload, "entry")),
  "turn.aborting": (payload) =>
    line([undefined, "stop"], t("run.happened_turnStopped", { name: shown(payload, "by") }), { tone: "waiting" }),
  "turn.finished": (payload) =>
    textIn(payload, "outcome") === "failed"
      ? line([undefined, "bad"], t("run.happened_turnFailed"), { tone: "bad", text: saidIn(payload, "message") })
      : undefined,
  "call.claimed": (payload, calls) => {
    const tool = textIn(payload, "tool");
    const title = toolName(tool) ?? t("run.happened_called", { tool: visibly(tool) });
    return line(["calls", toolIcon(tool)], title, { text: aboutIn(payload, calls) });
  },
  "call.closed": (payload, calls) => closedLine(payload, calls),
  "call.refused": (payload) => {
    const refusal = recordIn(payload, "refusal");
    return line(["refusals", "bad"], t("run.happened_callRefused", { tool: toolIn(refusal, "tool_name") }), {
      tone: "waiting",
      text: t(`chat.rule_${familyOf(ruleIn(refusal))}`),
    });
  },
  "caller.opened": (payload) =>
    line([undefined, "tool"], t("run.fact_callerOpened"), { text: shown(recordIn(payload, "caller"), "connection") }),
  "caller.resumed": () => line([undefined, "tool"], t("run.fact_callerResumed")),
  "caller.closed": () => line([undefined, "tool"], t("run.fact_callerClosed")),
  "plan.entered": (payload) =>
    line(["decisions", "plan"], t("run.happened_entered"), {
      text: reasonOf(textIn(recordIn(payload, "cycle"), "reason")),
    }),
  "plan.seeded": (payload) =>
    line(["decisions", "plan"], said("fact_planSeeded"), { text: shown(recordIn(payload, "seed"), "skill") }),
  "plan.archetype_set": (payload) =>
    line(["decisions", "plan"], said("fact_archetypeSet"), {
      text: said(`archetype_${textIn(payload, "archetype").replaceAll("-", "_")}`),
    }),
  "plan.left": (payload) => line(["decisions", "plan"], t("run.happened_left", { name: nameIn(payload) })),
  "plan.submitted": (payload) => {
    const submission = recordIn(payload, "submission");
    const revision = Number(submission?.["revision"] ?? 1);
    return line(["decisions", "plan"], t("run.happened_submitted", { revision }), {
      tone: "accent",
      text: shown(submission, "title"),
    });
  },
  "plan.approved": (payload) => {
    const byRule = acceptedByRule(byIn(recordIn(payload, "by")));
    const title = byRule ?? t("run.happened_approved", { name: nameIn(payload) });
    return line(["decisions", "check"], title, { tone: byRule === undefined ? "good" : "waiting" });
  },
  "plan.signed": (payload) =>
    line(["decisions", "sign"], t("run.happened_signed", { name: nameIn(recordIn(payload, "signature") ?? {}) }), {
      tone: "accent",
    }),
  "plan.rejected": (payload) =>
    line(["decisions", "back"], t("run.happened_rejected", { name: nameIn(payload) }), {
      tone: "bad",
      text: shown(payload, "feedback"),
    }),
  "plan.standing_signed": (payload) =>
    line(["decisions", "sign"], said("fact_planDecided_standing"), { tone: "accent", text: nameIn(payload) }),
  "plan.standing_begun": () => line(["decisions", "check"], said("fact_standingBegun"), { tone: "good" }),
  "standing.signed": (payload) =>
    line(["decisions", "sign"], said("fact_standingSigned"), {
      tone: "accent",
      text: shown(recordIn(payload, "standing"), "jobName"),
    }),
  "standing.ended": (payload) =>
    line(["decisions", "bad"], said("fact_standingEnded"), {
      text: [shown(payload, "name"), shown(payload, "why")].join(" · "),
    }),
  "plan.timed_out": () => line(["decisions", "waiting"], t("run.happened_expired"), { tone: "waiting" }),
  "plan.updated": (payload) => updatedLine(payload),
  "plan.completed": (payload) =>
    line(["steps", "check"], t("run.happened_completed"), { tone: "good", text: shown(payload, "title") }),
  "plan.staged": (payload) => line(["decisions", "sign"], said("fact_planStaged"), { text: nameIn(payload) }),
  "plan.changed": () => undefined, // the call itself is told
  "evidence.captured": (payload) =>
    line(["steps", "check"], said("fact_evidenceCaptured"), {
      text: shown(recordIn(payload, "evidence"), "criterion"),
    }),
  "evidence.given": (payload) =>
    line(["decisions", "sign"], said("fact_evidenceGiven"), {
      text: shown(recordIn(payload, "evidence"), "criterion"),
    }),
  "plan.amended": (payload) =>
    line(["decisions", "sign"], said("fact_planAmended"), {
      tone: "waiting",
      text: nameIn(recordIn(payload, "amendment") ?? {}),
    }),
  // Otherwise the call itself is told, and the files stand among the changes.
  "changes.recorded": (payload) =>
    recordIn(payload, "failure") === undefined && textIn(payload, "failure") === ""
      ? undefined
      : line(["calls", "bad"], said("fact_unrecorded"), { tone: "waiting" }),
  "changes.listed": () => undefined,
  "changes.drifted": () => line(["steps", "bad"], said("fact_drifted"), { tone: "waiting" }),
  "changes.resumed": (payload) => line(["decisions", "check"], said("fact_resumed"), { text: nameIn(payload) }),
  "changes.rollback_ordered": (payload) =>
    line(["decisions", "back"], said("fact_rollbackOrdered"), { text: nameIn(payload) }),
  "changes.rolled_back": (payload) =>
    line(["decisions", "back"], said("fact_rolledBack"), { tone: "good", text: nameIn(payload) }),
  "plan.nudged": () => line([undefined, "clock"], said("fact_planNudged")),
  // When `reminds` is false only the level rose: nobody got a reminder.
  "approval.reminded": (payload) =>
    payload["reminds"] === false ? undefined : line([undefined, "clock"], said("fact_reminded")),
  "approval.undelivered": (payload) =>
    line([undefined, "bad"], said("fact_undelivered"), {
      tone: "waiting",
      text: [shown(payload, "place"), shown(payload, "why")].filter((part) => part !== "").join(" · "),
    }),
  "plan.auto_set": (payload) => {
    const values = { name: nameIn(payload) };
    return line(
      ["decisions", "settings"],
      payload["enabled"] === true ? t("run.happened_autoOn", values) : t("run.happened_autoOff", values),
    );
  },
  "run.gated": ({ gated }) =>
    gated === true
      ? line(["decisions", "check"], said("fact_runGated"), { tone: "good" })
      : line(["decisions", "waiting"], said("fact_runUngated"), { tone: "bad" }),
  // how many others follow stands on the card
  "run.tried": (payload) =>
    payload["others"] === 0
      ? line(["refusals", "waiting"], said("fact_runTried"), {
          tone: "waiting",
          text: [shown(payload, "path"), shown(payload, "program")].filter((part) => part !== "").join(" · "),
        })
      : undefined,
  "hold.set": (payload) =>
    line(["decisions", "waiting"], said("fact_holdSet"), {
      tone: "waiting",
      text: nameIn(recordIn(payload, "hold") ?? {}),
    }),
  "hold.lifted": (payload) =>
    line(["decisions", "check"], said("fact_holdLifted"), { tone: "good", text: nameIn(payload) }),
  "loosening.signed": (payload) =>
    line(["decisions", "sign"], said("fact_looseningSigned"), {
      tone: "accent",
      text: nameIn(recordIn(payload, "signature") ?? {}),
    }),
  "plan.shared": (payload) => line(["decisions", "send"], t("run.happened_shared", { name: nameIn(payload) })),
  "plan.unshared": (payload) => line(["decisions", "bad"], t("run.happened_unshared", { name: nameIn(payload) })),
  "question.asked": (payload) =>
    line(["decisions", "waiting"], t("run.happened_asked"), {
      tone: "waiting",
      text: questionText(recordIn(payload, "question")),
    }),
  "question.answered": (payload) =>
    line(["decisions", "check"], t("run.happened_answered", { name: nameIn(payload) }), {
      text: answerOf({ answer: textIn(payload, "answer"), optionId: textIn(payload, "optionId") }),
    }),
  "question.closed": (payload) =>
    line(["decisions", "bad"], t("run.happened_questionClosed"), { text: shown(payload, "said") }),
  "grant.given": (payload) =>
    line(["decisions", "check"], t("run.happened_grantGiven", { name: nameIn(recordIn(payload, "grant") ?? {}) }), {
      tone: "good",
      text: shown(recordIn(recordIn(payload, "grant"), "call"), "matched"),
    }),
  "grant.denied": (payload) =>
    line(["decisions", "bad"], t("run.happened_grantDenied", { name: nameIn(payload) }), {
      text: shown(recordIn(payload, "call"), "matched"),
    }),
  "permission.set": (payload) =>
    line(
      ["decisions", "settings"],
      t("run.happened_permission", { name: nameIn(payload), mode: shown(payload, "mode") }),
    ),
  "note.added": (payload) => {
    const note = recordIn(payload, "note");
    return noteLine(t("run.happened_note", { name: nameIn(note ?? {}) }), shown(note, "text"));
  },
  "note.replied": (payload) => {
    const reply = recordIn(payload, "reply");
    return noteLine(t("run.happened_noteReplied", { name: nameIn(reply ?? {}) }), shown(reply, "text"));
  },
  "note.resolved": (payload) => noteLine(t("run.happened_noteResolved", { name: nameIn(payload) })),
  "note.reopened": (payload) => noteLine(t("run.happened_noteReopened", { name: nameIn(payload) })),
  "job.added": (payload) => jobLine(said("fact_jobAdded"), recordIn(payload, "job")),
  "job.changed": (payload) => jobLine(said("fact_jobChanged"), recordIn(payload, "job")),
  "job.removed": (payload) => jobLine(said("fact_jobRemoved"), payload),
  "job.fired": () => jobLine(said("fact_jobFired"), undefined),
  "run.ended": (payload) => {
    const past = recordIn(payload, "past");
    return jobLine(said("fact_runEnded", { outcome: outcomeText(textIn(past, "outcome")) }), past);
  },
  "child.spawned": (payload) =>
    line([undefined, "agent"], said("fact_childSpawned"), { text: shown(payload, "title") }),
  "child.stopping": () => line([undefined, "agent"], said("fact_childStopping")),
  "session.stopped": () => line([undefined, "stop"], t("run.happened_sessionStopped")),
  "child.ended": (payload) =>
    line([undefined, "agent"], said("fact_childEnded", { outcome: outcomeText(textIn(payload, "outcome")) })),
};

/** What its arguments say best, as code. */
function aboutIn(payload: JsonObject, calls: CallsAbout): string {
  const about = calls.get(textIn(payload, "callId")) ?? "";
  return about === "" ? "" : `\`${visibly(about).replaceAll("`", "'")}\``;
}

const toolIn = (payload: JsonObject | undefined, name = "tool"): string =>
  toolName(textIn(payload, name)) ?? shown(payload, name);

/** What was called by now, from the answers of the model in these facts. */
export function callsIn(items: readonly Pick<Happening, "event" | "payload">[]): CallsAbout {
  const calls = items.flatMap(({ event, payload }) => {
    const entry = event === "entry.appended" ? recordIn(payload, "entry") : undefined;
    return entry?.["kind"] === "call" ? [entry] : listIn(entry, "calls");
  });
  return new Map(calls.map((call) => [textIn(call, "callId"), shortCallArgs(recordIn(call, "args"))]));
}

/** Steps of the machinery that mean nothing to a reader. */
const SILENT =
  /^(?:turn\.|timer\.|injection\.|slice\.|call\.(?:rewritten|opened)|caller\.(?:renewed|suspended)|plan\.(?:refreshed|reading|rested)|notes\.moved|library\.|approval\.put_off|grant\.spent|job\.(?:due|passed)|run\.(?:charged|discharged|signed)|index\.changed|child\.(?:sent|resumed)|plugin\.committed|session\.(?:deleted|ordered))/;

/** Undefined for what need not be shown. A plugin's event is shown by its name. */
export function eventLineOf(
  { event, payload }: Pick<Happening, "event" | "payload">,
  calls: CallsAbout = new Map(),
): EventLine | undefined {
  const lineFor = Object.hasOwn(LINES, event) ? LINES[event] : undefined;
  if (lineFor !== undefined) return lineFor(payload, calls);
  return SILENT.test(event) ? undefined : line([undefined, "record"], visibly(event));
}

/** Notices that every channel gets: here the event itself is shown. */
const FROZEN_LINE = /^\[plan-mode\] /;

function entryLine(entry: JsonObject | undefined): EventLine | undefined {
  const text = shown(entry, "text");
  switch (entry?.["kind"]) {
    case "assistant":
      return text.trim() === "" ? undefined : line(["messages", "agent"], t("run.happened_agentSaid"), { text });
    case "notice":
      return FROZEN_LINE.test(text)
        ? undefined
        : line([undefined, "record"], t("run.happened_notice"), { text: saidIn(entry, "text") });
    case "summary":
      return line([undefined, "archive"], t("run.happened_summarised"));
    default:
      return undefined; // what is sent to the model was shown as the message that it came from
  }
}

const jobLine = (title: string, job: JsonObject | undefined): EventLine =>
  line([undefined, "clock"], title, { text: shown(job, "name") });

/** An approval of one call is shown as that call; the gateway's message about it is shown elsewhere. */
function questionText(question: JsonObject | undefined): string {
  const text = textIn(question, "question");
  return visibly(recordIn(question, "call") === undefined ? text : (callShownIn(text) ?? text));
}

const ruleIn = (refusal: JsonObject | undefined) => {
  const entered = textIn(refusal, "entered_at");
  return { rule: textIn(refusal, "rule"), entered_at: entered === "" ? null : entered };
};

function closedLine(payload: JsonObject, calls: CallsAbout): EventLine | undefined {
  const tool = toolIn(payload);
  const text = aboutIn(payload, calls);
  const status = textIn(payload, "status");
  if (status === "error") return line(["calls", "bad"], t("run.happened_callFailed", { tool }), { tone: "bad", text });
  if (status === "unknown")
    return line(["calls", "bad"], t("run.happened_callUnknown", { tool }), { tone: "waiting", text });
  return undefined;
}

function updatedLine(payload: JsonObject): EventLine {
  const steps = listIn(payload, "steps");
  const statuses = Array.isArray(payload["statuses"]) ? payload["statuses"] : steps.map(({ status }) => status ?? null);
  const counted = statuses.map((status) => ({ status: typeof status === "string" ? status : "" }));
  const current = steps.find(({ status }) => status === "in_progress");
  const text = shown(current, "activeForm") || shown(current, "step");
  return line(["steps", "plan"], sayProgress(counted), { text });
}

const noteLine = (title: string, text = ""): EventLine => line(["decisions", "sign"], title, { text });
