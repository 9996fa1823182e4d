/** What an earlier version sent, answered and stored, against the gateway of today. See record.ts. */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { connectHoldpoint } from "../../src/client/index.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import { Json } from "../../src/protocol/json.ts";
import { createPeople, Line, replay } from "./conversation.ts";
import { differences } from "./differences.ts";
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
  const found = answered.flatMap((line, n) =>
    differences(Json.parse(lines[n]), Json.parse(line)).map((difference) => ({ line: n + 1, ...difference })),
  );
  if (process.env["HOLDPOINT_SHOW_DIFFERENCES"] === "1") process.stdout.write(`${JSON.stringify(found)}\n`);
  expect(found).toEqual(INTENDED.map(({ why: _why, ...difference }) => difference));
  expect(answered).toHaveLength(lines.length);
});

/** What is answered otherwise on purpose, each with its reason. The recording itself is never changed. */
const INTENDED = z
  .array(z.strictObject({ line: z.int(), at: z.string(), was: Json, now: Json, why: z.string().min(1) }))
  .parse(JSON.parse(recorded("intended-differences.json")));

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

const Coded = z.object({ code: z.literal("APPROVAL_CODE_REQUIRED"), details: z.object({ command: z.string() }) });

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
  // a bare accept proves nothing of what was read, so it is answered with what to type (PL-20)
  const bare = client.call("commands.run", { sessionId: idOf("pending"), name: "plan", args: "accept" });
  const { details } = await bare.then(
    () => expect.unreachable(),
    (error: unknown) => Coded.parse(error),
  );
  const args = details.command.replace("/plan ", "");
  await client.call("commands.run", { sessionId: idOf("pending"), name: "plan", args });
  await client.call("commands.run", { sessionId: idOf("question"), name: "plan", args: "answer 2" });
  expect(await planIn("pending")).toMatchObject({ now: { phase: "executing", approval: "approved" } });
  expect(await planIn("question")).toMatchObject({ question: null });
  expect((await client.call("audit.verify", {})).verdict.intact).toBe(true);
});
