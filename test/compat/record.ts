/**
 * Records the fixtures of this folder: `node test/compat/record.ts`. They hold what the version of the recording sent,
 * answered and stored; record again only to add to them, never to make a failing comparison pass.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Json, type JsonObject } from "../../src/protocol/json.ts";
import { createPeople, Line, type People, type Response } from "./conversation.ts";
import { recordState } from "./record-state.ts";
import { createMasks, type Masks } from "./masked.ts";
import { CONVERSATION, openWorld } from "./world.ts";

export type Recorder = {
  lines: Line[];
  ask(method: string, params: JsonObject, as?: string): Promise<Response>;
  /** What was answered with yes, at a path. */
  must(method: string, params: JsonObject, as?: string): Promise<JsonObject>;
  until(event: string, as?: string): Promise<void>;
};

function createRecorder(people: People, masks: Masks): Recorder {
  const lines: Line[] = [];
  const recorder: Recorder = {
    lines,
    async ask(method, params, as = "alice") {
      const client = await people.person(as);
      const masked = masks.named(params); // before the answer: the names of a request are those of earlier answers
      const response = await client.ask(method, params);
      lines.push(Line.parse({ as, method, params: masked, response: masks.mask(Json.parse(response)) }));
      return response;
    },
    async must(method, params, as) {
      const response = await recorder.ask(method, params, as);
      if (!response.ok) throw new Error(`${method}: ${JSON.stringify(response.error)}`);
      return response.payload as JsonObject;
    },
    async until(event, as = "alice") {
      const client = await people.person(as);
      const seen = await client.eventsUntil((one) => one.event === event);
      lines.push(Line.parse({ as, events: seen.map((one) => masks.mask(Json.parse(one))) }));
    },
  };
  return recorder;
}

/** The value at a path of an answer. */
export function at(answer: Json | undefined, ...path: (string | number)[]): string {
  const found = path.reduce<Json | undefined>(
    (value, key) => (typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined),
    answer,
  );
  if (typeof found !== "string") throw new Error(`nothing at ${path.join(".")} of ${JSON.stringify(answer)}`);
  return found;
}

const connect = (token: string, name: string): JsonObject => ({
  minProtocol: 1,
  maxProtocol: 1,
  client: { name, version: "0", surface: "cli" },
  auth: { token },
});

const NOW = ["session", "slices", "planMode", "now"] as const;

async function planCycle(r: Recorder, sessionId: string): Promise<string> {
  await r.ask("chat.send", { sessionId, text: "Please greet the world" });
  await r.until("turn.finished");
  const asked = await r.must("sessions.get", { sessionId });
  const question = at(asked, "session", "slices", "planMode", "question", "approvalId");
  await r.ask("sessions.patch", { sessionId, planApproval: { action: "answer", approvalId: question, answer: "9" } });
  await r.ask("sessions.patch", {
    sessionId,
    planApproval: { action: "answer", approvalId: question, answer: "hello" },
  });
  await r.until("turn.finished");
  const first = await r.must("sessions.get", { sessionId });
  const firstApproval = at(first, ...NOW, "submission", "approvalId");
  await r.must("plans.reading", { sessionId, approvalId: firstApproval });
  const note = { action: "add", approvalId: firstApproval, anchor: { on: "step", step: 1 }, text: "more polite" };
  const noted = await r.must("sessions.patch", { sessionId, planNote: note });
  const noteId = at(noted, "session", "slices", "planMode", "review", "notes", 0, "id");
  await r.must("sessions.patch", { sessionId, planNote: { action: "reply", noteId, text: "much more" } });
  await r.must("sessions.patch", { sessionId, planNote: { action: "resolve", noteId } });
  await r.must("sessions.patch", { sessionId, planNote: { action: "reopen", noteId } });
  await r.ask("sessions.patch", { sessionId, planApproval: { action: "reject", approvalId: firstApproval } });
  await r.must("sessions.patch", {
    sessionId,
    idempotencyKey: "reject-1",
    planApproval: { action: "reject", approvalId: firstApproval, feedback: "be polite" },
  });
  await r.until("turn.finished");
  const second = await r.must("sessions.get", { sessionId });
  const approvalId = at(second, ...NOW, "submission", "approvalId");
  const approve = { sessionId, idempotencyKey: "yes-1", planApproval: { action: "approve", approvalId } };
  await r.ask("sessions.patch", approve, "reader");
  await r.must("sessions.patch", approve);
  await r.until("turn.finished");
  await r.ask("sessions.patch", approve); // the same again
  await r.ask("sessions.patch", { sessionId, planApproval: { action: "edit", approvalId } });
  await r.ask("chat.send", { sessionId, text: "Go on" });
  await r.until("turn.finished");
  return at(second, ...NOW, "submission", "planId");
}

async function plansOf(r: Recorder, sessionId: string, planId: string): Promise<void> {
  await r.must("plans.list", { sessionId });
  await r.ask("plans.list", { cursor: "nonsense" });
  await r.must("plans.get", { planId });
  await r.ask("plans.get", { planId: "pln_nothing" });
  await r.must("plans.revisions", { planId });
  await r.must("plans.notes", { planId });
  await r.must("plans.diff", { sessionId });
  await r.must("plans.diff", { planId, from: 1, to: 2 });
  await r.must("plans.export", { planId, format: "markdown" });
  await r.must("plans.export", { planId, format: "json" });
  await r.must("plans.export", { planId, format: "html" });
  const { shareId } = await r.must("plans.share", { planId });
  await r.must("plans.shares", { sessionId });
  await r.must("plans.unshare", { shareId: shareId ?? null });
  await r.ask("plans.unshare", { shareId: "shr_nothing" });
  await r.ask("plans.share", { planId }, "reader");
}

async function jobs(r: Recorder, sessionId: string): Promise<void> {
  const job = { when: { everyMs: 3_600_000 }, message: "look", name: "Look" };
  const added = await r.must("cron.add", { sessionId, idempotencyKey: "job-1", job });
  const jobId = at(added, "jobId");
  await r.must("cron.list", { sessionId });
  await r.must("cron.update", { jobId, enabled: false });
  await r.must("cron.update", { jobId, patch: { message: "look again" } });
  await r.ask("cron.update", { jobId });
  await r.ask("cron.add", { sessionId, job: { when: { cron: "61 * * * *" }, message: "never" } });
  await r.ask("cron.add", { sessionId, job: { ...job, colour: "red" } });
  await r.ask("cron.add", { job }, "writer");
  await r.ask("cron.add", { sessionId, job }, "reader");
  await r.must("cron.remove", { jobId });
  await r.ask("cron.run", { jobId: "job_nothing" });
}

async function commands(r: Recorder, sessionId: string): Promise<void> {
  await r.must("commands.list", {});
  await r.must("commands.complete", { text: "/pl" });
  await r.must("commands.run", { sessionId, name: "plan", args: "status" });
  await r.ask("commands.run", { sessionId, name: "nothing" });
  await r.ask("chat.send", { sessionId, text: "/plan notes" });
  await r.ask("chat.send", { sessionId, text: "/plan nonsense" });
  await r.ask("chat.send", { sessionId, text: "/deploy approve" }, "reader");
  await r.ask("sessions.action", { sessionId, pluginId: "deploy", action: "pause" });
  await r.ask("ui.descriptors", {});
}

/** What does not fit is answered in words that people and programs may have learnt. */
async function refusals(r: Recorder, sessionId: string): Promise<void> {
  for (const params of [
    { sessionId, colour: "red" },
    { sessionId, planmode: "plan" },
    { sessionId, planMode: "maybe" },
    { sessionId, planMode: "plan", title: "two at once" },
    { sessionId, permissionMode: "never" },
    { sessionId, planApproval: { action: "approve", approvalId: "apr_nothing" } },
    { sessionId, planApproval: { action: "dance" } },
    { sessionId, planApproval: { action: "approve", colour: "red" } },
    { sessionId, planNote: { action: "add", anchor: { on: "step", step: 0 }, text: "x" } },
    { sessionId, title: "" },
    { sessionId, archived: "yes" },
    { sessionId },
    { planMode: "plan" },
    { sessionId: "nothing", planMode: "plan" },
    { sessionId: "ses_nothing", planMode: "plan" },
  ] as JsonObject[])
    await r.ask("sessions.patch", params);
  await r.ask("sessions.patch", { sessionId, title: "not mine" }, "reader");
  await r.ask("sessions.nothing", {});
  await r.ask("plans.nothing", {});
  await r.ask("plans.get", {});
  await r.ask("chat.send", { sessionId, text: "" });
}

async function recordFrames(folder: string): Promise<Line[]> {
  const { gateway, texts } = await openWorld(folder, CONVERSATION);
  const people = createPeople(gateway.url);
  const r = createRecorder(people, createMasks(texts));
  await r.must("connect", connect(gateway.operatorToken, "alice"));
  const reader = await r.must("tokens.create", { name: "reader", scopes: ["operator.read"] });
  await r.must("connect", connect(at(reader, "secret"), "reader"), "reader");
  const writer = await r.must("tokens.create", { name: "writer", scopes: ["operator.read", "operator.write"] });
  await r.must("connect", connect(at(writer, "secret"), "writer"), "writer");
  const created = await r.must("sessions.create", { title: "Greetings", idempotencyKey: "create-1" });
  const sessionId = at(created, "session", "id");
  await r.must("sessions.subscribe", { sessionId });
  await r.must("sessions.patch", { sessionId, planMode: "normal" });
  await r.must("sessions.patch", { sessionId, planMode: "plan" });
  const planId = await planCycle(r, sessionId);
  await plansOf(r, sessionId, planId);
  await jobs(r, sessionId);
  await commands(r, sessionId);
  await refusals(r, sessionId);
  await r.must("sessions.patch", { sessionId, permissionMode: "ask" });
  await r.must("sessions.patch", { sessionId, title: "Greetings to all" });
  await r.must("sessions.patch", { sessionId, planMode: "plan" });
  await r.ask("chat.send", { sessionId, text: "Again, please" });
  await r.until("turn.finished");
  const { session } = await r.must("sessions.get", { sessionId });
  const approvalId = at({ session: session ?? null }, ...NOW, "submission", "approvalId");
  await r.must("sessions.patch", { sessionId, planApproval: { action: "edit", approvalId } });
  await r.until("turn.finished");
  await r.must("sessions.patch", { sessionId, planMode: null });
  await r.must("sessions.patch", { sessionId, archived: true });
  await r.must("sessions.timeline", { sessionId, limit: 200 });
  await r.must("chat.history", { sessionId, limit: 200 });
  await r.must("sessions.list", { archived: true, search: "Greetings" });
  await r.must("stats", {});
  people.close();
  await gateway.stop();
  return r.lines;
}

if (import.meta.main) {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-record-"));
  try {
    const lines = await recordFrames(join(folder, "frames"));
    writeFileSync(
      join(import.meta.dirname, "frames.jsonl"),
      `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`,
    );
    await recordState(join(folder, "state"), import.meta.dirname);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  process.exit(); // the gateway of the recorded state still waits for its model
}
