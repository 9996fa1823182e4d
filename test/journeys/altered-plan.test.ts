import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import type { SessionId } from "../../src/protocol/ids.ts";
import { rowChecksum } from "../../src/store/row-checksum.ts";
import { databasePath } from "../../src/store/sqlite/database-file.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { type Person, type Story, story } from "./story.ts";

const submit: ScriptStep = {
  calls: [{ tool: "exit_plan_mode", args: { title: "Greet", plan: [{ step: "Write a file", status: "pending" }] } }],
};
const write: ScriptStep = { calls: [{ tool: "write", args: { path: "greeting.txt", content: "hello\n" } }] };

type Altered = { table: string; from: string; to: string; isForged: boolean };

/** Behind the gateway's back; forged: with a checksum that is right again, so that only the digest can tell. */
function alter({ home }: Story, { table, from, to, isForged }: Altered): void {
  const db = new DatabaseSync(databasePath(join(home, "store")), { timeout: 5_000 });
  const text = table === "sessions" ? "doc" : "body";
  db.prepare(`UPDATE ${table} SET ${text} = replace(${text}, ?, ?)`).run(from, to);
  if (isForged) {
    const columns = table === "sessions" ? "id, version, doc" : "kind, id, session_id, digest, body, at_ms";
    for (const row of db.prepare(`SELECT rowid, ${columns} FROM ${table}`).all()) {
      const { rowid = null, ...rest } = row;
      const values = Object.values(rest).map((value) => (typeof value === "number" ? value : String(value)));
      db.prepare(`UPDATE ${table} SET checksum = ? WHERE rowid = ?`).run(rowChecksum(table, values), rowid);
    }
  }
  db.close();
}

async function submitted(told: Story): Promise<{ alice: Person; sessionId: SessionId; approvalId: string }> {
  await told.start(scriptedModel([submit, { say: "It waits." }, write, { say: "Done." }]));
  const alice = await told.person();
  const sessionId = await alice.open();
  await alice.say(sessionId, "/plan on");
  await alice.say(sessionId, "Please greet");
  await alice.until("turn.finished");
  const { now } = await alice.plan(sessionId);
  if (now.phase !== "pending") throw new Error(`the plan is ${now.phase}`);
  return { alice, sessionId, approvalId: now.submission.approvalId };
}

const approve = (approvalId: string) => ({ planApproval: { action: "approve" as const, approvalId } });

it("[SC-04, I06] an altered plan is not approved by any road, and can still be rejected", async () => {
  const told = story();
  const { alice, sessionId, approvalId } = await submitted(told);
  alter(told, { table: "artifacts", from: "Write a file", to: "Wipe a file!", isForged: true });
  const patch = { sessionId, ...approve(approvalId) };
  await expect(alice.client.call("sessions.patch", patch as never)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  await expect(alice.accept(sessionId)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  expect((await alice.plan(sessionId)).now.phase).toBe("pending");
  const reject = { planApproval: { action: "reject", approvalId, feedback: "no" } };
  await alice.client.call("sessions.patch", { sessionId, ...reject } as never);
  expect((await alice.plan(sessionId)).now.phase).toBe("rejected");
});

it("[SC-04, I06] steps that were altered in the session are not approved, nor is a row whose checksum is wrong", async () => {
  const told = story();
  const { sessionId, approvalId } = await submitted(told);
  await told.stop();
  alter(told, { table: "sessions", from: "Write a file", to: "Wipe a file!", isForged: true });
  await told.start(scriptedModel([write]));
  const bob = await told.person();
  const patch = { sessionId, ...approve(approvalId) };
  await expect(bob.client.call("sessions.patch", patch as never)).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  await told.stop();
  alter(told, { table: "sessions", from: "Wipe a file!", to: "Write a file", isForged: false });
  await told.start(scriptedModel([write]));
  const carol = await told.person();
  await expect(carol.client.call("sessions.get", { sessionId })).rejects.toMatchObject({ code: "STORE_DAMAGED" });
  const { store } = await carol.client.call("health", {});
  expect(store.damage).toContain(`sessions ${sessionId}`);
});
