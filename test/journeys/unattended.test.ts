/** Scheduled work with nobody there, over the whole gateway: it reads, and what it would change stays as it is. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { ModelRequest } from "../../src/agent/model.ts";
import { renderCard } from "../../src/channels/render/render-card.ts";
import { cardLines } from "../../src/cli/cards/card-lines.ts";
import { NO_PAINT } from "../../src/cli/text/paint.ts";
import { cardWords } from "../../src/plan-mode/render/render-card.ts";
import type { Card } from "../../src/protocol/card/card.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { cardText } from "../../ui/cards/card-text.ts";
import { quiet } from "../kit/fake-clock.ts";
import { present } from "../kit/served-gateway.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

const MINUTE = 60_000;

const lastOf = (request: ModelRequest) => request.entries.at(-1);

/** Writes a file whenever it is told something, and then says what came of it. */
const writing = (path: string) =>
  scriptedModel((request) =>
    lastOf(request)?.kind === "result"
      ? { say: "I tried." }
      : { calls: [{ tool: "write", args: { path, content: "x" } }] },
  );

/** With plan mode off everywhere: the hold does not depend on it. */
async function opened(person: Person): Promise<SessionId> {
  await person.client.call("config.set", { path: "agents.defaults.planMode.enabled", value: false });
  const sessionId = await person.open();
  await person.client.call("sessions.patch", { sessionId, planMode: "normal" });
  return sessionId;
}

it("[GA-14, AU-07] a job that wakes a conversation only reads, after a restart too; the person in it may write", async () => {
  const { start, stop, person, clock, workspace } = story();
  const first = writing("by-person.txt");
  await start(first);
  const alice = await person();
  const sessionId = await opened(alice);
  await alice.say(sessionId, "write it");
  await alice.until("turn.finished");
  expect(existsSync(join(workspace, "by-person.txt"))).toBe(true);
  await alice.client.call("cron.add", { sessionId, job: { when: { delayMs: MINUTE }, message: "tidy up" } });
  await stop();

  clock.leap(2 * MINUTE);
  const second = writing("by-job.txt");
  await start(second);
  const refused = await second.asked(2);
  expect(lastOf(refused)).toMatchObject({
    kind: "result",
    status: "refused",
    content: { tool_name: "write", rule: "unattended/held", matched: "no person started this turn" },
  });
  expect(existsSync(join(workspace, "by-job.txt"))).toBe(false);
});

it("[GA-14, AU-07] an isolated run is held, until the configuration says open, which the status names", async () => {
  const { start, person, clock, workspace } = story();
  const model = writing("by-run.txt");
  await start(model);
  const alice = await person();
  const sessionId = await opened(alice);
  const job = { when: { delayMs: MINUTE }, message: "nightly", isolated: true };
  await alice.client.call("cron.add", { sessionId, job });
  await quiet();
  clock.advance(MINUTE);
  expect(lastOf(await model.asked(2))).toMatchObject({
    status: "refused",
    content: { rule: "unattended/held", matched: "a cron run" },
  });
  expect(existsSync(join(workspace, "by-run.txt"))).toBe(false);
  expect((await alice.client.call("status", {})).notes).toEqual([]);

  await alice.client.call("config.set", { path: "automation.unattended", value: "open" });
  expect((await alice.client.call("status", {})).notes).toEqual([
    expect.stringContaining("automation.unattended is open"),
  ]);
  await alice.client.call("cron.add", { sessionId, job });
  await quiet();
  clock.advance(MINUTE);
  expect(lastOf(await model.asked(4))).toMatchObject({ status: "ok" });
  expect(existsSync(join(workspace, "by-run.txt"))).toBe(true);
});

const LIMIT = { max: 4_000, unit: "utf16" } as const;
const WHO = { look: { columns: 2_000, paint: NO_PAINT }, nowMs: 0, person: { id: "opr_x", name: "X", scopes: [] } };
const OPEN = "Runs that nobody attends may change things here (automation.unattended: open).";

/** As each surface shows a card, warnings and all. */
const shownOn = (card: Card): string[] => [
  [cardText(card.status), ...(card.warnings ?? []).map(cardText)].join("\n"), // the page
  cardLines(card, WHO).join("\n"), // the terminal
  cardWords(card).text, // chats that take text
  renderCard(card, { format: "plain" }, LIMIT).body.text, // channels
];

it("[GA-14] runs that may change things with nobody there are labelled on every surface, for as long as they may", async () => {
  const { start, person, clock } = story();
  const plan = { title: "Paint the shed", plan: [{ step: "Buy paint", status: "pending" }] };
  const model = scriptedModel((request) =>
    lastOf(request)?.kind === "result" ? { say: "Done." } : { calls: [{ tool: "exit_plan_mode", args: plan }] },
  );
  await start(model);
  const alice = await person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "/plan on");
  await alice.say(sessionId, "Plan it.");
  await alice.until("plan.submitted");
  const set = (value: string) => alice.client.call("config.set", { path: "automation.unattended", value });
  const cardsIn = async (id: SessionId): Promise<Card[]> =>
    (await alice.client.call("sessions.get", { sessionId: id })).session.cards ?? [];
  const listed = async () => (await alice.client.call("cron.list", {})).warnings;
  expect([await listed(), (await cardsIn(sessionId)).filter(isLabelled)]).toEqual([undefined, []]);

  await set("open");
  const job = { when: { delayMs: MINUTE }, message: "nightly", isolated: true };
  await alice.client.call("cron.add", { sessionId, job });
  await quiet();
  clock.advance(MINUTE);
  await model.asked(2);
  const { sessions } = await alice.client.call("sessions.list", {});
  const run = present(sessions.find(({ kind }) => kind === "cron")).id;
  expect((await listed())?.map(cardText)).toEqual([OPEN]);
  for (const id of [sessionId, run]) {
    const cards = await cardsIn(id);
    expect(cards).not.toEqual([]);
    for (const card of cards) expect(shownOn(card).filter((text) => !text.includes(OPEN))).toEqual([]);
  }

  await set("held");
  expect([await listed(), (await cardsIn(sessionId)).filter(isLabelled), await cardsIn(run)]).toEqual([
    undefined,
    [],
    [],
  ]);
});

const isLabelled = (card: Card): boolean => JSON.stringify(card).includes("automation.unattended");
