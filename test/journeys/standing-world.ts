/** A job that is held, proposes what it wants to change, and is signed for: what journeys about standing plans share. */
import { readdirSync } from "node:fs";
import { onTestFinished } from "vitest";
import type { ModelRequest } from "../../src/agent/model.ts";
import { connectHoldpoint, type HoldpointClient } from "../../src/client/index.ts";
import type { RunningGateway } from "../../src/gateway.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import { JobId, type JobView } from "../../src/scheduler/protocol/schedule.ts";
import { quiet } from "../kit/fake-clock.ts";
import { PATIENT_MS } from "../kit/patience.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import type { Person, story } from "./story.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
type Terms = { runs?: number; days?: number };

export async function until<Value>(ask: () => Promise<Value>, isSo: (value: Value) => boolean): Promise<Value> {
  let value = await ask();
  const untilMs = performance.now() + PATIENT_MS;
  while (!isSo(value)) {
    if (performance.now() > untilMs) throw new Error(`never came: ${JSON.stringify(value)}`);
    await quiet();
    value = await ask();
  }
  return value;
}

export const lastOf = (request: ModelRequest) => request.entries.at(-1);

/** Tries to write; held, it submits what it wanted; under an approved plan it writes and closes its step. */
export function tidying(before: (request: ModelRequest) => ScriptStep | undefined = () => undefined) {
  let files = 0;
  return scriptedModel((request) => {
    const other = before(request);
    if (other !== undefined) return other;
    const last = lastOf(request);
    if (last?.kind !== "result") {
      files += 1;
      return write(`tidied-${files}.txt`);
    }
    if (last.tool === "write" && last.status === "refused") return PROPOSE;
    if (last.tool === "write") return DONE;
    return { say: last.status === "ok" ? "Tidied." : "I could not." };
  });
}
export const write = (path: string): ScriptStep => ({ calls: [{ tool: "write", args: { path, content: "x" } }] });
export const STEP = "Write the tidied file";
const PROPOSE: ScriptStep = {
  calls: [{ tool: "exit_plan_mode", args: { title: "Tidy up", plan: [{ step: STEP }] } }],
};
export const DONE: ScriptStep = {
  calls: [{ tool: "update_plan", args: { plan: [{ step: STEP, status: "completed" }] } }],
};

export const jobOf = async ({ client }: Person, jobId: JobId): Promise<JobView> => {
  const { jobs } = await client.call("cron.list", {});
  const job = jobs.find(({ id }) => id === jobId);
  if (job === undefined) throw new Error("the job is gone");
  return job;
};

export async function hourly(client: HoldpointClient): Promise<JobId> {
  const job = { when: { everyMs: HOUR }, name: "Tidy", message: "tidy up" };
  return JobId.parse((await client.call("cron.add", { job })).jobId);
}

type Clock = ReturnType<typeof story>["clock"];

/** The next run of the job, from its time to its end. */
export async function nextRun(person: Person, jobId: JobId, clock: Clock): Promise<JobView> {
  const before = (await jobOf(person, jobId)).runs.length;
  clock.advance(HOUR);
  return until(
    () => jobOf(person, jobId),
    (job) => job.run === null && job.runs.length > before,
  );
}

export async function proposal({ client }: Person): Promise<SessionId> {
  const { sessions } = await until(
    () => client.call("sessions.list", { waiting: true }),
    (found) => found.sessions.length > 0,
  );
  return SessionId.parse(sessions[0]?.id);
}

export const cardIn = async ({ client }: Person, sessionId: SessionId) => {
  const { session } = await client.call("sessions.get", { sessionId });
  const card = session.cards?.find(({ kind }) => kind === "approval");
  if (card?.kind !== "approval" || card.digest === undefined) throw new Error("no plan is shown");
  return { approvalId: card.id, digest: card.digest, card };
};

export async function sign(person: Person, sessionId: SessionId, standing?: Terms) {
  const { approvalId, digest } = await cardIn(person, sessionId);
  const value = { action: "approve", approvalId, digest, ...(standing === undefined ? {} : { standing }) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway parses it
  return person.client.call("sessions.patch", { sessionId, planApproval: value } as never);
}

export const tidied = (workspace: string): number =>
  readdirSync(workspace).filter((name) => name.startsWith("tidied")).length;

export const raise = (): never => {
  throw new Error("it is not there");
};

export const standingsOf = async ({ client }: Person) => (await client.call("cron.standing", {})).standings;

/** A job for which a plan stands. */
export async function signed(person: Person, clock: Clock, terms: Terms = {}): Promise<JobId> {
  const jobId = await hourly(person.client);
  await nextRun(person, jobId, clock);
  await sign(person, await proposal(person), terms);
  await until(
    () => standingsOf(person),
    (found) => found.length === 1,
  );
  return jobId;
}

export async function operator(alice: Person, gateway: RunningGateway, name: string) {
  const scopes = ["operator.read", "operator.write", "operator.approvals", "operator.admin"] as const;
  const { secret, token } = await alice.client.call("tokens.create", { name, scopes: [...scopes] });
  const client = connectHoldpoint({ url: gateway.url, token: secret, clientName: "journey", surface: "cli" });
  onTestFinished(() => client.close());
  return { client, id: token.id };
}

export const resultsIn = async ({ client }: Person, sessionId: string | undefined) => {
  const { items } = await client.call("chat.history", { sessionId: SessionId.parse(sessionId) });
  return items.flatMap(({ entry }) => (entry.kind === "result" ? [entry] : []));
};
