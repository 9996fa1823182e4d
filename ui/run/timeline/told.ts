/** What a fact of a session is for people: of which kind, in which words, with which text of the agent or a person. */
import type { JsonObject } from "../../../src/protocol/json.ts";
import { t } from "../../i18n/t.ts";
import type { IconName } from "../../parts/icon.ts";
import type { Happening } from "../../state/record/timeline.ts";
import { visibly } from "../../text/visibly.ts";
import { callShownIn } from "../../../src/protocol/card/call-shown.ts";
import { familyOf } from "../../chat/tool/call-facts.ts";
import { answerOf, nameOf, reasonOf } from "../../said/name-of.ts";
import { outcomeText } from "../outcome-text.ts";
import { byIn, listIn, recordIn, saidIn, textIn } from "../read-payload.ts";

export const KINDS = ["messages", "decisions", "steps", "refusals", "calls"] as const;
export type Kind = (typeof KINDS)[number];

export type Told = {
  /** Undefined: shown only among everything. */
  kind: Kind | undefined;
  icon: IconName;
  tone: "" | "good" | "bad" | "waiting" | "accent";
  /** Ours, in the language of the person. */
  title: string;
  /** Theirs, with everything visible; may be empty. */
  text: string;
};

type Teller = (payload: JsonObject) => Told | undefined;

const told = ([kind, icon]: readonly [Told["kind"], IconName], title: string, more: Partial<Told> = {}): Told => ({
  kind,
  icon,
  tone: "",
  title,
  text: "",
  ...more,
});

/** The name of whoever did it, as it stands in `by`. */
const nameIn = (payload: JsonObject, at = "by"): string => nameOf(byIn(recordIn(payload, at)));
const shown = (payload: JsonObject | undefined, name: string): string => visibly(textIn(payload, name));

const TELLERS: Readonly<Record<string, Teller>> = {
  "session.created": () => told([undefined, "add"], t("run.happened_sessionCreated")),
  "session.renamed": (payload) =>
    told([undefined, "sign"], t("run.happened_sessionRenamed"), { text: shown(payload, "title") }),
  "session.archived": () => told([undefined, "archive"], t("run.happened_sessionArchived")),
  "session.reset": () => told([undefined, "archive"], t("run.happened_sessionReset")),
  "message.queued": (payload) => {
    const message = recordIn(payload, "message");
    return told(["messages", "send"], t("run.happened_wrote", { name: shown(message, "from") }), {
      text: shown(message, "text"),
    });
  },
  "entry.appended": (payload) => entryTold(recordIn(payload, "entry")),
  "turn.aborting": (payload) =>
    told([undefined, "stop"], t("run.happened_turnStopped", { name: shown(payload, "by") }), { tone: "waiting" }),
  "turn.finished": (payload) =>
    textIn(payload, "outcome") === "failed"
      ? told([undefined, "bad"], t("run.happened_turnFailed"), { tone: "bad", text: saidIn(payload, "message") })
      : undefined,
  "call.claimed": (payload) => told(["calls", "tool"], t("run.happened_called", { tool: shown(payload, "tool") })),
  "call.closed": (payload) => closedTold(payload),
  "call.refused": (payload) => {
    const refusal = recordIn(payload, "refusal");
    return told(["refusals", "bad"], t("run.happened_callRefused", { tool: shown(refusal, "tool_name") }), {
      tone: "waiting",
      text: t(`chat.rule_${familyOf(ruleIn(refusal))}`),
    });
  },
  "plan.entered": (payload) =>
    told(["decisions", "plan"], t("run.happened_entered"), {
      text: reasonOf(textIn(recordIn(payload, "cycle"), "reason")),
    }),
  "plan.left": (payload) => told(["decisions", "plan"], t("run.happened_left", { name: nameIn(payload) })),
  "plan.submitted": (payload) => {
    const submission = recordIn(payload, "submission");
    const revision = Number(submission?.["revision"] ?? 1);
    return told(["decisions", "plan"], t("run.happened_submitted", { revision }), {
      tone: "accent",
      text: shown(submission, "title"),
    });
  },
  "plan.approved": (payload) =>
    told(["decisions", "check"], t("run.happened_approved", { name: nameIn(payload) }), { tone: "good" }),
  "plan.signed": (payload) =>
    told(["decisions", "sign"], t("run.happened_signed", { name: nameIn(recordIn(payload, "signature") ?? {}) }), {
      tone: "accent",
    }),
  "plan.rejected": (payload) =>
    told(["decisions", "back"], t("run.happened_rejected", { name: nameIn(payload) }), {
      tone: "bad",
      text: shown(payload, "feedback"),
    }),
  "plan.timed_out": () => told(["decisions", "waiting"], t("run.happened_expired"), { tone: "waiting" }),
  "plan.updated": (payload) => updatedTold(payload),
  "plan.completed": (payload) =>
    told(["steps", "check"], t("run.happened_completed"), { tone: "good", text: shown(payload, "title") }),
  "plan.nudged": () => told([undefined, "clock"], t("run.happened_nudged")),
  "plan.auto_set": (payload) => {
    const values = { name: nameIn(payload) };
    return told(
      ["decisions", "settings"],
      payload["enabled"] === true ? t("run.happened_autoOn", values) : t("run.happened_autoOff", values),
    );
  },
  "plan.shared": (payload) => told(["decisions", "send"], t("run.happened_shared", { name: nameIn(payload) })),
  "plan.unshared": (payload) => told(["decisions", "bad"], t("run.happened_unshared", { name: nameIn(payload) })),
  "question.asked": (payload) =>
    told(["decisions", "waiting"], t("run.happened_asked"), {
      tone: "waiting",
      text: questionTold(recordIn(payload, "question")),
    }),
  "question.answered": (payload) =>
    told(["decisions", "check"], t("run.happened_answered", { name: nameIn(payload) }), {
      text: answerOf({ answer: textIn(payload, "answer"), optionId: textIn(payload, "optionId") }),
    }),
  "question.closed": (payload) =>
    told(["decisions", "bad"], t("run.happened_questionClosed"), { text: shown(payload, "said") }),
  "grant.given": (payload) =>
    told(["decisions", "check"], t("run.happened_grantGiven", { name: nameIn(recordIn(payload, "grant") ?? {}) }), {
      tone: "good",
      text: shown(recordIn(recordIn(payload, "grant"), "call"), "matched"),
    }),
  "grant.denied": (payload) =>
    told(["decisions", "bad"], t("run.happened_grantDenied", { name: nameIn(payload) }), {
      text: shown(recordIn(payload, "call"), "matched"),
    }),
  "permission.set": (payload) =>
    told(
      ["decisions", "settings"],
      t("run.happened_permission", { name: nameIn(payload), mode: shown(payload, "mode") }),
    ),
  "note.added": (payload) => {
    const note = recordIn(payload, "note");
    return noteTold(t("run.happened_note", { name: nameIn(note ?? {}) }), shown(note, "text"));
  },
  "note.replied": (payload) => {
    const reply = recordIn(payload, "reply");
    return noteTold(t("run.happened_noteReplied", { name: nameIn(reply ?? {}) }), shown(reply, "text"));
  },
  "note.resolved": (payload) => noteTold(t("run.happened_noteResolved", { name: nameIn(payload) })),
  "note.reopened": (payload) => noteTold(t("run.happened_noteReopened", { name: nameIn(payload) })),
  "job.added": (payload) => jobTold(t("run.fact_jobAdded"), recordIn(payload, "job")),
  "job.changed": (payload) => jobTold(t("run.fact_jobChanged"), recordIn(payload, "job")),
  "job.removed": (payload) => jobTold(t("run.fact_jobRemoved"), payload),
  "job.fired": () => jobTold(t("run.fact_jobFired"), undefined),
  "run.ended": (payload) => {
    const past = recordIn(payload, "past");
    return jobTold(t("run.fact_runEnded", { outcome: outcomeText(textIn(past, "outcome")) }), past);
  },
  "child.spawned": (payload) =>
    told([undefined, "agent"], t("run.fact_childSpawned"), { text: shown(payload, "title") }),
  "child.ended": (payload) =>
    told([undefined, "agent"], t("run.fact_childEnded", { outcome: outcomeText(textIn(payload, "outcome")) })),
};

/** Steps of the machinery that mean nothing to a reader. */
const SILENT =
  /^(?:turn\.|timer\.|injection\.|slice\.|call\.rewritten|plan\.(?:refreshed|reading|rested)|notes\.moved|grant\.spent|job\.(?:due|passed)|index\.changed|child\.(?:sent|resumed)|plugin\.committed|session\.deleted)/;

/** Undefined for what needs no telling. A fact of a plugin is told by its name. */
export function toldOf({ event, payload }: Happening): Told | undefined {
  const teller = Object.hasOwn(TELLERS, event) ? TELLERS[event] : undefined;
  if (teller !== undefined) return teller(payload);
  return SILENT.test(event) ? undefined : told([undefined, "record"], visibly(event));
}

/** The lines that every channel gets alike: here the fact itself is told. */
const FROZEN_LINE = /^\[plan-mode\] /;

function entryTold(entry: JsonObject | undefined): Told | undefined {
  const text = shown(entry, "text");
  switch (entry?.["kind"]) {
    case "assistant":
      return text.trim() === "" ? undefined : told(["messages", "agent"], t("run.happened_agentSaid"), { text });
    case "notice":
      return FROZEN_LINE.test(text)
        ? undefined
        : told([undefined, "record"], t("run.happened_notice"), { text: saidIn(entry, "text") });
    case "summary":
      return told([undefined, "archive"], t("run.happened_summarised"));
    default:
      return undefined; // what goes into the model was told as the message that it came from
  }
}

const jobTold = (title: string, job: JsonObject | undefined): Told =>
  told([undefined, "clock"], title, { text: shown(job, "name") });

/** What waits about one call is that call; the gateway's words around it are said elsewhere. */
function questionTold(question: JsonObject | undefined): string {
  const text = textIn(question, "question");
  return visibly(recordIn(question, "call") === undefined ? text : (callShownIn(text) ?? text));
}

const ruleIn = (refusal: JsonObject | undefined) => {
  const entered = textIn(refusal, "entered_at");
  return { rule: textIn(refusal, "rule"), entered_at: entered === "" ? null : entered };
};

function closedTold(payload: JsonObject): Told | undefined {
  const tool = shown(payload, "tool");
  const status = textIn(payload, "status");
  if (status === "error") return told(["calls", "bad"], t("run.happened_callFailed", { tool }), { tone: "bad" });
  if (status === "unknown") return told(["calls", "bad"], t("run.happened_callUnknown", { tool }), { tone: "waiting" });
  return undefined;
}

function updatedTold(payload: JsonObject): Told {
  const steps = listIn(payload, "steps");
  const statuses = Array.isArray(payload["statuses"]) ? payload["statuses"] : steps.map(({ status }) => status ?? null);
  const done = statuses.filter((status) => status === "completed" || status === "cancelled").length;
  const current = steps.find(({ status }) => status === "in_progress");
  const text = shown(current, "activeForm") || shown(current, "step");
  return told(["steps", "plan"], t("run.doneCount", { done, total: statuses.length }), { text });
}

const noteTold = (title: string, text = ""): Told => told(["decisions", "sign"], title, { text });
