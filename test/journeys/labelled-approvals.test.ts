/** A plan that no person approved, on every surface that speaks of it: each says that a rule did. */
import { beforeAll, expect, it } from "vitest";
import { renderCard } from "../../src/channels/render/render-card.ts";
import { cardLines } from "../../src/cli/cards/card-lines.ts";
import { planLines } from "../../src/cli/cards/plan-lines.ts";
import { NO_PAINT } from "../../src/cli/text/paint.ts";
import { decidedPlan } from "../../src/external/decided.ts";
import { PlanModeEvent } from "../../src/plan-mode/protocol/event.ts";
import { cardWords } from "../../src/plan-mode/render/render-card.ts";
import { approvalIn } from "../../src/protocol/card/card.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { statusText } from "../../ui/cards/card-text.ts";
import { loadLocalized, speak, withTexts } from "../../ui/i18n/t.ts";
import { acceptedByRule } from "../../ui/localized/name-of.ts";
import { factsOf } from "../../ui/run/audit/fact-line.ts";
import { runOf } from "../../ui/run/steps/run-of.ts";
import { eventLineOf } from "../../ui/run/timeline/event-line.ts";
import { present } from "../kit/served-gateway.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

beforeAll(async () => {
  await withTexts(() => speak(["en"]), "cards", "run", "localized");
  await loadLocalized();
});

const LIMIT = { max: 4_000, unit: "utf16" } as const;
const WHO = { look: { columns: 2_000, paint: NO_PAINT }, nowMs: 0, person: { id: "opr_x", name: "X", scopes: [] } };
const PLAN = { title: "Paint the shed", plan: [{ step: "Buy paint", status: "pending" }] };

const planning = () =>
  scriptedModel(({ entries }) =>
    entries.some(({ kind }) => kind === "assistant")
      ? { say: "I begin." }
      : { calls: [{ tool: "exit_plan_mode", args: PLAN }] },
  );

type Rule = (person: Person, sessionId: SessionId) => Promise<unknown>;
const RULES: [name: string, says: string, Rule][] = [
  ["/plan auto on", "plan auto on", (alice, sessionId) => alice.say(sessionId, "/plan auto on")],
  [
    "requireApproval: false",
    "no approval required here",
    (alice) => alice.client.call("config.set", { path: "agents.defaults.planMode.requireApproval", value: false }),
  ],
];

/** By RPC, by command, in the terminal, on channels, in documents, and as the page draws it. */
async function surfacesOf({ client, say, plan }: Person, sessionId: SessionId): Promise<Record<string, string>> {
  const { session } = await client.call("sessions.get", { sessionId });
  const card = present(approvalIn(session.cards ?? []));
  const planId = present(card.planId);
  const state = await plan(sessionId);
  const exported = async (format: "markdown" | "html") =>
    (await client.call("plans.export", { planId, format })).text ?? "";
  const { items } = await client.call("sessions.timeline", { sessionId, limit: 100 });
  const happened = present(items.find(({ event }) => event === "plan.approved"));
  const approved = PlanModeEvent.parse({
    ...Object.fromEntries(Object.entries(happened.payload).filter(([name]) => name !== "sessionId")),
    type: "plan.approved",
    atMs: happened.atMs,
  });
  const { rows } = await client.call("audit.list", { sessionId, limit: 100 });
  const decided = present(rows.find(({ body }) => body.includes('"plan.decided"')));
  const { decisions } = await client.call("plans.notes", { planId });
  return {
    "the card on the page": statusText(card, undefined),
    "the card in the terminal": cardLines(card, WHO).join("\n"),
    "the card as text": cardWords(card).text,
    "the card on a channel": renderCard(card, { format: "plain" }, LIMIT).body.text,
    "the event in the terminal": planLines(approved, state, WHO).join("\n"),
    "/plan status": await say(sessionId, "/plan status"),
    "the export as Markdown": await exported("markdown"),
    "the export as HTML": await exported("html"),
    "the timeline on the page": present(eventLineOf(happened)).title,
    "the run on the page": present(runOf(state, items)).byRule ?? "",
    "the history on the page": acceptedByRule(present(decisions.at(-1)).by) ?? "",
    "the audit on the page": present(factsOf(decided).find(({ text }) => text !== "")).text,
    "the answer to an agent of others": decidedPlan({ session, plan: state } as never, undefined).message,
  };
}

it.each(RULES)("[BY-01, PL-16] %s: every surface says that a rule approved the plan", async (_name, rule, apply) => {
  const { start, person } = story();
  const model = planning();
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await apply(alice, sessionId);
  await alice.say(sessionId, "Plan it.");
  await alice.until("plan.approved");
  const surfaces = await surfacesOf(alice, sessionId);
  const silent = Object.entries(surfaces).filter(([, text]) => !text.includes(rule));
  expect(silent).toEqual([]);
  const unlabelled = Object.entries(surfaces).filter(([, text]) => !/\brule\b|not by a person/.test(text));
  expect(unlabelled).toEqual([]);
  const told = JSON.stringify((await model.asked(2)).entries);
  expect(told).toContain(`a rule (${rule}), not a person`);
});
