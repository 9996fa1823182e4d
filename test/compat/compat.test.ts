/** What an earlier version sent, answered and stored, against the gateway of today. See record.ts. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { connectHoldpoint } from "../../src/client/index.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import type { Json } from "../../src/protocol/json.ts";
import { createPeople, Line, replay } from "./conversation.ts";
import { createMasks } from "./masked.ts";
import { restoreDatabase } from "./sql-dump.ts";
import { CONVERSATION, openWorld, say, type World } from "./world.ts";

const recorded = (name: string): string => readFileSync(join(import.meta.dirname, name), "utf8");

function folderOfTest(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-compat-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

it("[GW-01] answers every frame of the recorded conversation as the recorded version did, or with more", async () => {
  const lines = recorded("frames.jsonl")
    .trimEnd()
    .split("\n")
    .map((line) => Line.parse(JSON.parse(line)));
  const { gateway, texts } = await openWorld(folderOfTest(), CONVERSATION);
  const people = createPeople(gateway.url);
  onTestFinished(async () => {
    people.close();
    await gateway.stop();
  });
  const answered = await replay(lines, { people, masks: createMasks(texts) });
  for (const [n, line] of answered.entries())
    expect(withoutMore({ n, ...line }, { n, ...lines[n] })).toMatchObject({ n, ...lines[n] });
  expect(answered).toHaveLength(lines.length);
});

/** A note to the agent may say more than it did, line by line, as an object may have more members; it says nothing less. */
function withoutMore(now: unknown, then: unknown): unknown {
  if (typeof now === "string" && typeof then === "string") return saysAll(now, then) ? then : now;
  if (Array.isArray(now) && Array.isArray(then)) return now.map((item, n) => withoutMore(item, then[n]));
  if (!isObject(now) || !isObject(then)) return now;
  return Object.fromEntries(Object.entries(now).map(([name, value]) => [name, withoutMore(value, then[name])]));
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** An excerpt that is cut ends earlier where more is said: what stands before the cut is compared. */
function saysAll(now: string, then: string): boolean {
  if (!then.startsWith("[PLAN_DECISION]")) return false;
  const left = now.split("\n");
  const missing = then.split("\n").findIndex((line) => {
    const at = left.indexOf(line);
    if (at !== -1) left.splice(0, at + 1);
    return at === -1;
  });
  return missing === -1 || (now.endsWith("…") && missing >= HEAD_LINES);
}

/** The decision, the plan, its title and who decided. */
const HEAD_LINES = 4;

const Views = z.object({ atMs: z.int(), sessions: z.record(z.string(), z.looseObject({ id: SessionId })) });

async function openRecordedState(folder: string): Promise<{ world: World; views: z.infer<typeof Views> }> {
  const workspace = join(folder, "workspace");
  const named = (text: string): string => text.replaceAll("<workspace>", workspace);
  const views = Views.parse(JSON.parse(named(recorded("state.json"))));
  mkdirSync(join(folder, "home", "store"), { recursive: true });
  for (const name of ["config.yaml", "plugin-sweeps.json"])
    copyFileSync(join(import.meta.dirname, name), join(folder, "home", name));
  restoreDatabase(join(folder, "home", "store", "holdpoint.db"), named(recorded("state.sql")));
  const world = await openWorld(folder, () => say("I go on."), views.atMs);
  return { world, views };
}

const SETTLED = ["timedOut", "exploring", "pending", "rejected", "question", "completed", "job", "plugin"];

it("[PL-12, QU-01] opens the state of the recorded version as it was, and a person decides on the plan that waits in it", async () => {
  const { world, views } = await openRecordedState(folderOfTest());
  const { gateway } = world;
  const client = connectHoldpoint({
    url: gateway.url,
    token: gateway.operatorToken,
    clientName: "compat",
    surface: "cli",
  });
  onTestFinished(async () => {
    client.close();
    await gateway.stop();
  });
  const idOf = (name: string): SessionId => SessionId.parse(views.sessions[name]?.id);
  const planIn = async (name: string): Promise<Json | undefined> =>
    (await client.call("sessions.get", { sessionId: idOf(name) })).session.slices["planMode"];
  for (const name of SETTLED) {
    const { session } = await client.call("sessions.get", { sessionId: idOf(name) });
    expect({ [name]: session }).toMatchObject({ [name]: views.sessions[name] });
  }
  expect((await client.call("cron.list", { sessionId: idOf("job") })).jobs).toMatchObject([{ name: "Look" }]);
  expect((await client.call("plans.shares", { sessionId: idOf("pending") })).shares).toHaveLength(1);
  const deploy = await client.call("commands.run", { sessionId: idOf("plugin"), name: "deploy", args: "status" });
  expect(deploy.message).toBe("1 approvals");

  await client.subscribe(idOf("executing"));
  await world.model.asked(1); // the turn that was under way is taken up again
  await client.call("commands.run", { sessionId: idOf("pending"), name: "plan", args: "accept" });
  await client.call("commands.run", { sessionId: idOf("question"), name: "plan", args: "answer 2" });
  expect(await planIn("pending")).toMatchObject({ now: { phase: "executing", approval: "approved" } });
  expect(await planIn("question")).toMatchObject({ question: null });
  expect((await client.call("audit.verify", {})).verdict.intact).toBe(true);
});
