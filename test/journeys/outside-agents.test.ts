/** Agents that people already run, behind the same gate: their calls, plans and questions over the socket and over HTTP. */
import { createConnection } from "node:net";
import { statSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { decisionSocketPath } from "../../src/compose/external.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { startTestGateway, systemClock, type TestGateway } from "../../src/testing/index.ts";

const Answer = z.record(z.string(), z.json());
let gateway: TestGateway;
beforeAll(async () => {
  const settings = { agents: { defaults: { planMode: { enabled: true } } } };
  gateway = await startTestGateway({ settings, clock: systemClock });
});
afterAll(() => gateway.stop());

/** One line out, the first line back; `leave` hangs up. */
function say(line: JsonObject) {
  const socket = createConnection(decisionSocketPath(gateway.home));
  socket.write(`${JSON.stringify(line)}\n`);
  const { promise: answer, resolve, reject } = Promise.withResolvers<z.infer<typeof Answer>>();
  let text = "";
  socket.on("data", (piece: Buffer) => {
    text += piece.toString("utf8");
    if (text.includes("\n")) resolve(Answer.parse(JSON.parse(text.slice(0, text.indexOf("\n")))));
  });
  socket.on("error", reject);
  socket.on("close", () => reject(new Error(`closed after ${JSON.stringify(text)}`)));
  answer.catch(() => undefined);
  return { answer, leave: () => socket.destroy() };
}

const place = (session: string) => ({ agent: "my-bot", session, workspace: gateway.workspace });
const ask = (line: JsonObject) => say(line).answer;

async function planOf(sessionId: string): Promise<PlanModeState> {
  const { session } = await gateway.client.call("sessions.get", { sessionId: SessionId.parse(sessionId) });
  return PlanModeState.parse(session.slices["planMode"]);
}

/** What a person sees first. */
async function pendingPlan(session: string) {
  const { sessionId } = await ask({ do: "wait", ...place(session) });
  const id = SessionId.parse(sessionId);
  await expect.poll(async () => (await planOf(id)).now.phase).toBe("pending");
  const { now } = await planOf(id);
  if (now.phase !== "pending") throw new Error("no plan waits");
  return { sessionId: id, submission: now.submission };
}

const PLAN = { title: "Add a file", text: "# Add a file\n\n1. write made.txt\n2. check it\n" };
const WRITE = { tool: "write", args: { path: "made.txt" } };

describe("an agent outside", () => {
  it("[IG-05] may read before a plan is approved, and is denied every change with a sentence", async () => {
    const calls: [JsonObject, string][] = [
      [{ tool: "exec", args: { command: "git log --oneline | head" } }, "allow"],
      [{ tool: "read", args: { with: "Grep" } }, "allow"],
      [{ tool: "exec", args: { command: "echo hi > made.txt" } }, "deny"],
      [WRITE, "deny"],
      [{ tool: "apply_patch", args: { patch: "*** Begin Patch\n*** Add File: p\n+x\n*** End Patch\n" } }, "deny"],
      [{ tool: "mcp__hp__touch", args: { path: "x" } }, "deny"],
      [{ tool: "Workflow", args: {} }, "deny"],
    ];
    for (const [call, decision] of calls) {
      const answer = await ask({ do: "call", ...place("reads"), ...call });
      expect([call, answer["decision"]]).toEqual([call, decision]);
      if (decision === "deny") expect(answer["reason"]).toMatch(/^\S.*was not run: .*\.$/);
    }
    const { status, review } = await ask({ do: "wait", ...place("reads") });
    expect(status).toBe("held");
    expect(review).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/sessions\/ses_x[\w-]+\/plan$/);
  });

  it("[GA-15, IG-03] reads nothing of the gateway's own folder, by whatever name", async () => {
    const token = join(gateway.home, "operator.token");
    const calls = [
      { tool: "exec", args: { command: `cat ${token}` } },
      { tool: "exec", args: { command: "cat ../ho*/operator.token" } },
      { tool: "exec", args: { command: "grep -r hp_ .." } },
      { tool: "exec", args: { command: "cat /proc/self/environ" } },
      { tool: "read", args: { with: "Read", about: { file_path: token } } },
      { tool: "read", args: { with: "Read", about: { file_path: "../home/operator.token" } } },
    ];
    for (const call of calls) {
      expect([call, (await ask({ do: "call", ...place("token"), ...call }))["decision"]]).toEqual([call, "deny"]);
    }
  });

  it("[IG-05, IG-03] waits for a person with its plan, and may change things once it is approved", async () => {
    const waiting = ask({ do: "plan", ...place("plans"), plan: PLAN, waitMs: 60_000 });
    const { sessionId, submission } = await pendingPlan("plans");
    expect(submission.steps.map(({ step }) => step)).toEqual(["write made.txt", "check it"]);
    expect(await ask({ do: "call", ...place("plans"), ...WRITE })).toMatchObject({ decision: "deny", status: "pending" });
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
    expect(await waiting).toMatchObject({ outcome: "approved", status: "approved" });
    expect(await ask({ do: "call", ...place("plans"), ...WRITE })).toMatchObject({ decision: "allow", reason: "" });
    for (let n = 0; n < 6; n++) {
      const again = { tool: "exec", args: { command: "npm test" } };
      expect(await ask({ do: "call", ...place("plans"), ...again })).toMatchObject({ decision: "allow" });
    }
    expect((await ask({ do: "call", ...place("another"), ...WRITE }))["decision"]).toBe("deny");
    const steps = submission.steps.map(({ step }) => ({ step, status: "completed" }));
    expect(await ask({ do: "progress", ...place("plans"), steps })).toMatchObject({ message: "", status: "held" });
    expect((await ask({ do: "call", ...place("plans"), ...WRITE }))["decision"]).toBe("deny");
  });

  it("[IG-03] is handed the steps that a person changed, and feedback word for word", async () => {
    const first = ask({ do: "plan", ...place("edits"), plan: PLAN, waitMs: 60_000 });
    const { sessionId, submission } = await pendingPlan("edits");
    const reject = { action: "reject", approvalId: submission.approvalId, feedback: "Name it other.txt" } as const;
    await gateway.client.call("sessions.patch", { sessionId, planApproval: reject });
    expect(await first).toMatchObject({ outcome: "rejected", message: expect.stringContaining("Name it other.txt") });
    const second = ask({ do: "plan", ...place("edits"), plan: PLAN, waitMs: 60_000 });
    const { submission: revised } = await pendingPlan("edits");
    await gateway.client.call("sessions.patch", {
      sessionId,
      planApproval: {
        action: "approve_edited",
        approvalId: revised.approvalId,
        digest: revised.digest,
        steps: [{ step: "write other.txt", status: "pending" }],
        allowEdits: true,
      },
    });
    expect(await second).toMatchObject({
      outcome: "approved",
      acceptEdits: true,
      edited: "# Add a file\n\n1. write other.txt\n",
    });
  });

  it("[IG-03] withdraws its card when it hangs up, and goes on waiting under the same card when it asks again", async () => {
    const gone = say({ do: "plan", ...place("leaves"), plan: PLAN, waitMs: 60_000 });
    const { sessionId, submission } = await pendingPlan("leaves");
    gone.leave();
    const again = say({ do: "plan", ...place("leaves"), plan: PLAN, waitMs: 60_000, withdraw: true });
    expect((await pendingPlan("leaves")).submission.approvalId).toBe(submission.approvalId);
    again.leave();
    await expect.poll(async () => (await planOf(sessionId)).now.phase).toBe("timed_out");
  });

  it("[IG-05] has its question answered by a person", async () => {
    const asked = ask({ do: "question", ...place("asks"), question: "Which DB?", options: ["PG", "SQLite"], waitMs: 60_000 });
    const { sessionId } = await ask({ do: "wait", ...place("asks") });
    const id = SessionId.parse(sessionId);
    await expect.poll(async () => (await planOf(id)).question?.question).toBe("Which DB?");
    const { question } = await planOf(id);
    const approvalId = question?.approvalId;
    if (approvalId === undefined) throw new Error("no question waits");
    const answer = { action: "answer", approvalId, answer: "SQLite" } as const;
    await gateway.client.call("sessions.patch", { sessionId: id, planApproval: answer });
    expect(await asked).toMatchObject({ outcome: "answered", answer: "SQLite" });
  });

  it("[IG-05] reaches the gateway by a socket that is its owner's alone, and is answered when it makes no sense", async () => {
    expect(statSync(join(gateway.home, "agents.sock")).mode & 0o777).toBe(0o600);
    expect((await ask({ do: "nonsense" }))["error"]).toMatch(/^Not understood/);
    expect((await ask({ do: "call", agent: "x", session: "y", workspace: "rel", tool: "a", args: {} }))["error"]).toMatch(
      /absolute path/,
    );
  });
});
