/**
 * What the doctor tries on a gateway of its own, in memory, about decisions rather than about tools: signatures, runs that
 * nobody attends, plans that stand for a job, places to work in, secrets that an agent writes, and tools that change what
 * they say of themselves. Each line names the control that succeeded beside it; where the control fails, nothing is proven,
 * and the line says so.
 */
import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { ModelRequest } from "../../../agent/model.ts";
import type { Config } from "../../../config/config.ts";
import { systemClock } from "../../../engine/clock.ts";
import type { Scope } from "../../../protocol/actor.ts";
import { SessionId } from "../../../protocol/ids.ts";
import { JsonObject } from "../../../protocol/json.ts";
import type { EntryOf } from "../../../protocol/transcript-entry.ts";
import { startTestGateway, type TestGateway } from "../../../testing/test-gateway.ts";
import type { TestPerson } from "../../../testing/test-person.ts";
import type { ScriptStep } from "../../../testing/scripted-model.ts";
import { toolPrefix } from "../../../tools/mcp/tool-names.ts";
import { SHIFTING, shiftingServer } from "./shifting-server.ts";
import type { Attempt } from "./try-probe.ts";

const EVERYTHING: Scope[] = ["operator.read", "operator.write", "operator.approvals", "operator.admin"];
const PATIENCE_MS = 10_000;
const LOOK_EVERY_MS = 20;
const STEP = "write the file";
const PLAN = { title: "Gate doctor", plan: [{ step: STEP, status: "pending" }] };
const SIGNED_FILE = "signed.txt";
const HOUR_MS = 3_600_000;

type Report = (attempt: Attempt) => void;
type People = { gateway: TestGateway; alice: TestPerson; bob: TestPerson };

export async function tryPromises(config: Config, report: Report): Promise<void> {
  const gateway = await startTestGateway({ settings: settingsOf(config), script: obey, clock: systemClock });
  try {
    const alice = await gateway.person({ name: "alice", scopes: EVERYTHING });
    const bob = await gateway.person({ name: "bob", scopes: EVERYTHING });
    const people = { gateway, alice, bob };
    for (const claim of CLAIMS)
      for (const attempt of await tried(claim, people)) report({ source: claim.source, ...attempt });
  } finally {
    await gateway.stop();
  }
}

async function tried(claim: Claim, people: People): Promise<Tried[]> {
  try {
    return await claim.try(people);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return [{ what: claim.about, held: false, detail: `It could not be tried: ${why}` }];
  }
}

/** The configuration in force, without what reaches beyond this machine; two people must sign, so that this can be tried. */
function settingsOf({ agents, tools, automation, workspaces }: Config): JsonObject {
  const planMode = { ...agents.defaults.planMode, enabled: true, defaultActive: false, approvals: { quorum: 2 } };
  const defaults = { ...agents.defaults, planMode, heartbeat: undefined, workspace: undefined };
  const mcp = { servers: { [SHIFTING]: shiftingServer } };
  return JsonObject.parse(JSON.parse(JSON.stringify({ agents: { defaults }, tools, automation, workspaces, mcp })));
}

/** Does what the last message says; under a plan that was approved it writes the file that the plan was for. */
function obey({ entries }: ModelRequest): ScriptStep {
  const last = entries.at(-1);
  const text = entries.findLast((entry) => entry.kind === "input" && /try:\{/.test(entry.text));
  const order = orderIn(text?.kind === "input" ? text.text : "");
  if (order === undefined) return { say: "Nothing was ordered." };
  if (last?.kind === "result") return afterCall(last, order);
  if (order.says !== undefined) return speaking(order.says.join(""));
  if (order.call !== undefined) return { calls: [order.call] };
  return { calls: [{ tool: "write", args: { path: order.path, content: "made by the doctor\n" } }] };
}

function afterCall({ tool, status }: EntryOf<"result">, { submits }: Order): ScriptStep {
  if (tool === "write" && status === "refused" && submits) return { calls: [{ tool: "exit_plan_mode", args: PLAN }] };
  return { say: tool === "exit_plan_mode" ? "Submitted." : "Done." };
}

/** In the order it stands in two pieces, since what people write is recorded as they write it. */
const speaking = (secret: string): ScriptStep => ({
  say: `I know ${secret}.`,
  calls: [{ tool: "exec", args: { command: `echo spoken-marker ${secret}` } }],
});

type Order = { path: string; submits?: boolean; says?: readonly string[]; call?: { tool: string; args: JsonObject } };
const told = (order: Order): string => `try:${JSON.stringify(order)}`;

function orderIn(text: string): Order | undefined {
  const from = text.indexOf("try:{");
  for (let to = text.indexOf("}", from); from >= 0 && to > 0; to = text.indexOf("}", to + 1)) {
    try {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the doctor wrote it itself
      return JSON.parse(text.slice(from + 4, to + 1)) as Order;
    } catch {
      // the bracket closed something inside
    }
  }
  return undefined;
}

type Tried = Omit<Attempt, "source">;
type Claim = { source: string; about: string; try(people: People): Promise<Tried[]> };

async function until<Value>(what: string, look: () => Promise<Value | undefined>): Promise<Value> {
  const untilMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    if (performance.now() > untilMs) throw new Error(`${what} did not come within ${PATIENCE_MS / 1_000} s`);
    await wait(LOOK_EVERY_MS);
  }
}

const resultsIn = async ({ client }: TestPerson, sessionId: SessionId) =>
  (await client.call("chat.history", { sessionId, limit: 50 })).items.flatMap(({ entry }) =>
    entry.kind === "result" ? [entry] : [],
  );
const modeIn = async ({ client }: TestPerson, sessionId: SessionId) =>
  (await client.call("sessions.get", { sessionId })).session;
const isMade = ({ gateway }: People, path: string): boolean => existsSync(join(gateway.workspace, path));
const refusalOf = (work: Promise<unknown>): Promise<string | undefined> =>
  work.then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );

async function sign(
  person: TestPerson,
  sessionId: SessionId,
  standing?: { runs: number; days: number },
): Promise<void> {
  const { session } = await person.client.call("sessions.get", { sessionId });
  const card = session.cards?.find(({ kind }) => kind === "approval");
  if (card?.kind !== "approval" || card.digest === undefined) throw new Error("no plan is shown");
  const { id: approvalId, digest } = card;
  const signed = { action: "approve" as const, approvalId, digest, ...(standing === undefined ? {} : { standing }) };
  await person.client.call("sessions.patch", { sessionId, planApproval: signed });
}

/** A session whose plan waits for two people. */
async function submitted({ alice }: People, path: string): Promise<SessionId> {
  const { session } = await alice.client.call("sessions.create", {});
  await alice.client.call("sessions.patch", { sessionId: session.id, planMode: "plan" });
  await alice.client.call("chat.send", { sessionId: session.id, text: told({ path, submits: true }) });
  await until("the plan", async () =>
    (await resultsIn(alice, session.id)).find(({ tool, status }) => tool === "exit_plan_mode" && status === "ok"),
  );
  return session.id;
}

const quorum: Claim["try"] = async (people) => {
  const { alice, bob } = people;
  const path = SIGNED_FILE;
  const sessionId = await submitted(people, path);
  await sign(alice, sessionId);
  const early = isMade(people, path) || (await modeIn(alice, sessionId)).mode === "normal";
  await sign(bob, sessionId);
  const signed = await until("the write", async () => isMade(people, path) || undefined).catch(() => false);
  const control = signed ? "with both it was written" : "with both it was not written either: nothing is proven";
  return [
    {
      what: "carry out a plan that one of two has signed",
      held: !early && signed,
      detail: early ? "one signature was enough" : `it went on waiting; ${control}`,
    },
    { ...(await leftAlone(people)), what: "leave plan mode alone, past the second signature" },
  ];
};

/** Whoever leaves alone gets a session that is held: a write there waits for the others as before. */
async function leftAlone(people: People): Promise<Omit<Tried, "what">> {
  const { alice } = people;
  const path = "left.txt";
  const sessionId = await submitted(people, path);
  const off = await refusalOf(alice.client.call("commands.run", { sessionId, name: "plan", args: "off" }));
  await alice.client.call("chat.send", { sessionId, text: told({ path }) });
  const writes = async () => (await resultsIn(alice, sessionId)).filter(({ tool }) => tool === "write");
  const last = await until("the second write", async () => (await writes())[1]);
  const held = last.status === "refused" && !isMade(people, path);
  const left = off === undefined ? "/plan off was taken" : "/plan off was refused";
  return { held, detail: held ? `${left}, and a write after it was refused (${ruleOf(last.content)})` : "it wrote" };
}

async function ranJob({ alice }: People, jobId: string): Promise<SessionId> {
  const run = await alice.client.call("cron.run", { jobId });
  const sessionId = SessionId.parse(run.sessionId);
  await until("the end of the job's run", async () =>
    (await resultsIn(alice, sessionId)).length > 0 && (await modeIn(alice, sessionId)).turn.status === "idle"
      ? true
      : undefined,
  );
  return sessionId;
}

const addJob = async ({ alice }: People, order: Order): Promise<string> =>
  (
    await alice.client.call("cron.add", {
      job: { name: "doctor", when: { everyMs: HOUR_MS }, message: told(order) },
    })
  ).jobId;

const unattended: Claim["try"] = async (people) => {
  const path = "unattended.txt";
  const sessionId = await ranJob(people, await addJob(people, { path }));
  const write = (await resultsIn(people.alice, sessionId)).find(({ tool }) => tool === "write");
  const held = write?.status === "refused" && !isMade(people, path);
  const control = isMade(people, SIGNED_FILE);
  return [
    {
      what: "write in a job's run that nobody attends",
      held: held && control,
      detail: held
        ? `refused (${ruleOf(write.content)}); ${control ? "under a signed plan the same call wrote" : "the control did not write either: nothing is proven"}`
        : `It wrote: automation.unattended lets runs that nobody attends change things. Close it: holdpoint config unset automation.unattended`,
    },
  ];
};

const ruleOf = (content: unknown): string => {
  const found = JsonObject.safeParse(content).data?.["rule"];
  return typeof found === "string" ? found : "no rule named";
};

const standing: Claim["try"] = async (people) => {
  const { alice, bob } = people;
  const path = "standing.txt";
  const jobId = await addJob(people, { path, submits: true });
  const first = await ranJob(people, jobId);
  if (isMade(people, path))
    return [{ what: "run a job without a signature", held: false, detail: "It wrote without any." }];
  const terms = { runs: 3, days: 1 };
  await sign(alice, first, terms);
  await sign(bob, first, terms);
  await until("the standing plan", async () => {
    const { standings } = await alice.client.call("cron.standing", {});
    return standings.length > 0 ? true : undefined;
  });
  const second = await ranJob(people, jobId);
  const signed =
    isMade(people, path) &&
    (await resultsIn(alice, second)).some(({ tool, status }) => tool === "write" && status === "ok");
  await alice.client.call("cron.withdraw", { jobId });
  const third = await ranJob(people, jobId);
  const after = (await resultsIn(alice, third)).find(({ tool }) => tool === "write");
  return [
    {
      what: "go on after a standing plan was withdrawn",
      held: signed && after?.status === "refused",
      detail: signed
        ? `held before it was signed, wrote while it stood, and then: ${after?.status ?? "no call"}`
        : "the run under the standing plan did not write: nothing is proven",
    },
  ];
};

const places: Claim["try"] = async ({ gateway }) => {
  const writer = await gateway.person({ name: "writer", scopes: ["operator.read", "operator.write"] });
  const ask = (workspace: string) => refusalOf(writer.client.call("sessions.create", { workspace }));
  const [root, state, own] = [await ask("/"), await ask(gateway.home), await ask(gateway.workspace)];
  const held = root !== undefined && state !== undefined;
  return [
    {
      what: "choose any folder of this machine as a workspace",
      held: held && own === undefined,
      detail: !held
        ? `${root === undefined ? "/" : "the gateway's folder"} was accepted from a person who may not choose it`
        : own === undefined
          ? "/ and the gateway's folder were refused, the configured workspace was accepted"
          : `the configured workspace was refused too: ${own}`,
    },
  ];
};

const secrets: Claim["try"] = async ({ gateway, alice }) => {
  const { secret } = await alice.client.call("tokens.create", { name: "spoken", scopes: ["operator.read"] });
  const read = async (order: Order) => {
    const { session } = await alice.client.call("sessions.create", {});
    await alice.client.call("chat.send", { sessionId: session.id, text: told({ ...order, path: "-" }) });
    await until("the answer", async () => ((await resultsIn(alice, session.id)).length > 0 ? true : undefined));
    const { items } = await alice.client.call("chat.history", { sessionId: session.id, limit: 50 });
    return JSON.stringify(items.filter(({ entry }) => entry.kind !== "input"));
  };
  await writeFile(join(gateway.workspace, "spoken.txt"), `before ${secret} behind\n`);
  const file = await read({ path: "-", call: { tool: "read", args: { path: "spoken.txt" } } });
  const shown = file.includes("before ") && file.includes(" behind");
  const spoken = await read({ path: "-", says: [secret.slice(0, 9), secret.slice(9)] });
  const plain = spoken.includes("I know") && spoken.includes("spoken-marker");
  return [
    {
      what: "read a token out of a file",
      held: !file.includes(secret) && shown,
      detail: shown
        ? "the words around it were shown, the token was not"
        : "the file was not shown at all: nothing is proven",
    },
    {
      what: "have an agent write a token into a call and an answer",
      held: !spoken.includes(secret) && plain,
      detail: plain ? "the call was recorded without it" : "the call was not recorded at all: nothing is proven",
    },
  ];
};

/** What a person trusted is what the tools said then; a tool that says something else counts as changing things. */
const descriptions: Claim["try"] = async ({ alice }) => {
  const { session } = await alice.client.call("sessions.create", {});
  const sessionId = session.id;
  await alice.client.call("sessions.patch", { sessionId, planMode: "plan" });
  const statusOf = async (tool: string): Promise<string> => {
    const before = (await resultsIn(alice, sessionId)).length;
    const call = { tool: `${toolPrefix(SHIFTING)}${tool}`, args: {} };
    await alice.client.call("chat.send", { sessionId, text: told({ path: "-", call }) });
    const result = await until("the call", async () => (await resultsIn(alice, sessionId))[before]);
    await until("the end of the turn", async () =>
      (await modeIn(alice, sessionId)).turn.status === "idle" ? true : undefined,
    );
    return result.status;
  };
  const reaches = (status: string) =>
    until(status, async () => ((await statusOf("look")) === status ? true : undefined)).catch(() => false);
  const passed = await reaches("ok"); // the server starts meanwhile; its first call changes what it says
  const again = passed && (await reaches("refused"));
  const other = again ? await statusOf("change") : "not tried";
  return [
    {
      what: "call a tool of a trusted MCP server that describes itself otherwise since",
      held: again && other === "refused",
      detail: !passed
        ? "it could not be called before either: nothing is proven"
        : again
          ? `it was called before, and then refused; one that says since that it only reads: ${other}`
          : "it was called again",
    },
  ];
};

const CLAIMS: readonly Claim[] = [
  { source: "signatures", about: "pass a quorum", try: quorum },
  { source: "unattended", about: "write in a job's run", try: unattended },
  { source: "standing plan", about: "run without one", try: standing },
  { source: "workspaces", about: "choose any folder", try: places },
  { source: "redaction", about: "read a token", try: secrets },
  { source: "mcp", about: "call a tool that changed", try: descriptions },
];
