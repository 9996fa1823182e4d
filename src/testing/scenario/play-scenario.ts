/** Plays one scenario on a gateway of its own. */
import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join, normalize } from "node:path";
import { z } from "zod";
import { HoldpointError } from "../../client/holdpoint-error.ts";
import { findAction } from "../../protocol/card/availability.ts";
import { type Card, foremost } from "../../protocol/card/card.ts";
import { Json, JsonObject } from "../../protocol/json.ts";
import { readPlan } from "../../plan-mode/read-plan.ts";
import { quiet } from "../fake-clock.ts";
import type { ScriptStep } from "../scripted-model.ts";
import { startTestGateway, type TestGateway } from "../test-gateway.ts";
import type { TestPerson } from "../test-person.ts";
import type { TestSession } from "../test-session.ts";
import { checkExpectation } from "./check-expectation.ts";
import type { ModelStep, Scenario, ScenarioStep } from "./scenario.ts";

const EXPECT_LOOKS_MAX = 400;
const LOOK_EVERY_MS = 25;
const FIRST = "first";
/** As much of an answer as a report holds: the reason stands often at its end. */
const SAID_CHARS_MAX = 4_000;

/** Undefined: it holds. Otherwise why not, with the number of the step. */
export async function playScenario(scenario: Scenario): Promise<string | undefined> {
  const gateway = await startTestGateway({ settings: scenario.settings, script: scriptOf(scenario.model) });
  const play = createPlay(gateway);
  try {
    await writeFiles(gateway, scenario.files);
    for (const [name, { scopes }] of Object.entries(scenario.people))
      play.people.set(name, await gateway.person({ name, scopes }));
    for (const [index, step] of scenario.steps.entries()) {
      const problem = await playStep(step, play).catch((error: unknown) => reason(error));
      if (problem !== undefined) return `step ${index + 1} (${Object.keys(step)[0] ?? ""}): ${problem}`;
    }
    return undefined;
  } finally {
    await gateway.stop();
  }
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const scriptOf = (steps: readonly ModelStep[]): ScriptStep[] =>
  steps.map(({ say, calls, fail, hangs }) => ({
    ...(say === undefined ? {} : { say }),
    ...(calls === undefined ? {} : { calls }),
    ...(fail === undefined ? {} : { fail }),
    ...(hangs === true ? { until: new Promise(() => undefined) } : {}),
  }));

async function writeFiles({ workspace }: TestGateway, files: Readonly<Record<string, string>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const inside = normalize(path);
    if (inside.startsWith("..") || inside.startsWith("/")) throw new Error(`${path} is outside of the workspace`);
    await mkdir(dirname(join(workspace, inside)), { recursive: true });
    await writeFile(join(workspace, inside), text);
  }
}

type Play = {
  gateway: TestGateway;
  people: Map<string, TestPerson>;
  kept: Map<string, string>;
  count(session: TestSession, event: string): number;
  /** The session of this name as this person sees it. */
  session(by: { as?: string | undefined; in?: string | undefined }): Promise<TestSession>;
};

function createPlay(gateway: TestGateway): Play {
  const people = new Map<string, TestPerson>();
  const sessions = new Map<string, TestSession>();
  async function session({ as, in: name = FIRST }: { as?: string | undefined; in?: string | undefined }) {
    const first = sessions.get(name) ?? (await gateway.session());
    sessions.set(name, first);
    if (as === undefined) return first;
    const key = `${name}/${as}`;
    const person = people.get(as);
    if (person === undefined) throw new Error(`nobody is called ${as}: name them under people`);
    const seen = sessions.get(key) ?? (await person.session(first.id));
    sessions.set(key, seen);
    return seen;
  }
  return { gateway, people, kept: new Map(), session, count: (one, event) => one.seen(event) };
}

async function playStep(step: ScenarioStep, play: Play): Promise<string | undefined> {
  const { gateway } = play;
  if ("open" in step) return done(play.session({ in: step.open }));
  if ("advance" in step) return done(settle(() => gateway.clock.advance(step.advance)));
  if ("leap" in step) return done(settle(() => gateway.clock.leap(step.leap)));
  if ("write" in step) return done(writeFiles(gateway, step.write));
  if ("restart" in step) return restart(step.restart, gateway);
  const session = await play.session(step);
  if ("until" in step) return done(session.until(step.until, step.times));
  if ("rest" in step) return done(session.atRest());
  if ("keep" in step) return keep(step.keep, session, play);
  if ("expect" in step) return expectIn(step.expect, session, play);
  return answered(step, session, play);
}

const done = async (work: Promise<unknown>): Promise<undefined> => {
  await work;
};

async function settle(move: () => void): Promise<void> {
  await quiet();
  move();
  await quiet();
}

async function restart(
  how: { kill: boolean; model?: ModelStep[] | undefined },
  gateway: TestGateway,
): Promise<undefined> {
  if (how.kill) await gateway.kill();
  await gateway.restart(how.model === undefined ? undefined : scriptOf(how.model));
}

/** What is expected may come about in a moment; what is said to be so after the last look is not. */
async function expectIn(
  expected: Extract<ScenarioStep, { expect: unknown }>["expect"],
  session: TestSession,
  { gateway, count }: Play,
): Promise<string | undefined> {
  let difference: string | undefined;
  for (let look = 0; look < EXPECT_LOOKS_MAX; look++) {
    difference = await checkExpectation(expected, { gateway, session, count: (event) => count(session, event) });
    if (difference === undefined) return undefined;
    await new Promise((resolve) => void setTimeout(resolve, LOOK_EVERY_MS));
  }
  return difference;
}

type Acting = Exclude<
  ScenarioStep,
  | { open: string }
  | { advance: number }
  | { leap: number }
  | { write: unknown }
  | { restart: unknown }
  | { until: string }
  | { rest: true }
  | { keep: unknown }
  | { expect: unknown }
>;

async function answered(step: Acting, session: TestSession, play: Play): Promise<string | undefined> {
  let said: string;
  try {
    said = await act(step, session, play);
  } catch (error) {
    if (!(error instanceof HoldpointError)) throw error;
    if (step.refused === undefined) return `refused: ${error.code}: ${error.message}`;
    if (error.code !== step.refused) return `refused with ${error.code}, expected ${step.refused}: ${error.message}`;
    return missingIn(error.message, step.reply);
  }
  if (step.refused !== undefined)
    return `answered ${JSON.stringify(said.slice(0, SAID_CHARS_MAX))}, expected ${step.refused}`;
  return missingIn(said, step.reply);
}

function missingIn(said: string, wanted: readonly string[] | undefined): string | undefined {
  const absent = wanted?.find((text) => !said.includes(text));
  return absent === undefined
    ? undefined
    : `the answer does not hold ${JSON.stringify(absent)}: ${said.slice(0, SAID_CHARS_MAX)}`;
}

async function act(step: Acting, session: TestSession, play: Play): Promise<string> {
  if ("say" in step) return session.say(filledText(step.say, await values(session, play)));
  if ("run" in step) return session.run(filledText(step.run, await values(session, play)));
  if ("act" in step) return session.run(await shownCommand(session, step.act));
  const given = await values(session, play);
  const { client } = step.as === undefined ? play.gateway : (play.people.get(step.as) ?? play.gateway);
  if ("patch" in step) {
    const field = Object.entries(step.patch)[0];
    if (field === undefined) throw new Error("patch names no field");
    const value = Json.parse(filled(field[1], given));
    return JSON.stringify(
      (await client.call("sessions.patch", { sessionId: session.id, field: field[0], value })).reply,
    );
  }
  const params = JsonObject.parse(filled(step.params, { ...given, sessionId: session.id }));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway itself refuses what it does not know
  return JSON.stringify(await client.call(step.call as "sessions.get", params as never));
}

async function shownCommand(session: TestSession, action: string): Promise<string> {
  const cards = await cardsOf(session);
  const command = cards.map((card) => findAction(card, action)?.command).find((found) => found !== undefined);
  if (command === undefined) throw new Error(`no card offers ${action}`);
  return command;
}

const cardsOf = async (session: TestSession): Promise<readonly Card[]> => (await session.view()).cards ?? [];

/** What waits now, by name, and what was kept before. */
async function values(session: TestSession, { kept }: Play): Promise<Record<string, string>> {
  const { slices, cards = [] } = await session.view();
  const card = foremost(cards);
  const code = card === undefined ? undefined : findAction(card, "approve")?.command?.split(" ").at(-1);
  const now = { ...waitingIds(slices), code, ...Object.fromEntries(kept) };
  return Object.fromEntries(Object.entries(now).filter((entry): entry is [string, string] => entry[1] !== undefined));
}

function waitingIds(slices: Readonly<Record<string, unknown>>): Record<string, string | undefined> {
  const state = readPlan(slices);
  if (state === undefined) return {};
  const { now, question } = state;
  const submission = "submission" in now ? now.submission : undefined;
  return {
    approvalId: question?.approvalId ?? submission?.approvalId,
    planId: submission?.planId,
    questionId: question?.questionId,
  };
}

async function keep(
  names: Readonly<Record<string, string>>,
  session: TestSession,
  play: Play,
): Promise<string | undefined> {
  const now = await values(session, play);
  for (const [name, what] of Object.entries(names)) {
    const value = now[what];
    if (value === undefined) return `there is no ${what} now`;
    play.kept.set(name, value);
  }
  return undefined;
}

const Filled = z.json();

const filledText = (text: string, given: Readonly<Record<string, string>>): string =>
  text.replaceAll(/\$(\w+)/g, (whole, name: string) => given[name] ?? whole);

function filled(value: Json, given: Readonly<Record<string, string>>): Json {
  if (typeof value === "string") return value.replaceAll(/\$(\w+)/g, (whole, name: string) => given[name] ?? whole);
  if (Array.isArray(value)) return value.map((item) => filled(item, given));
  if (typeof value !== "object" || value === null) return value;
  return Filled.parse(Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, given)])));
}
