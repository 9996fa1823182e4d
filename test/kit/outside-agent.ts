/** An agent of somebody else's in a test: what it says on the socket, its hook as a process, and what a person sees of it. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createConnection } from "node:net";
import { expect } from "vitest";
import { z } from "zod";
import { decisionSocketPath } from "../../src/external/socket/socket-paths.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import { JsonObject } from "../../src/protocol/json.ts";
import { startTestGateway, systemClock, type TestGateway } from "../../src/testing/index.ts";

const Answer = z.record(z.string(), z.json());
type Answer = z.infer<typeof Answer>;

export const outsideGateway = (): Promise<TestGateway> =>
  startTestGateway({ settings: { agents: { defaults: { planMode: { enabled: true } } } }, clock: systemClock });

/** One line out, the first line back; `leave` hangs up. */
export function say(home: string, line: JsonObject): { answer: Promise<Answer>; leave(): void } {
  const socket = createConnection(decisionSocketPath(home));
  socket.write(`${JSON.stringify(line)}\n`);
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
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

export async function planOf({ client }: TestGateway, sessionId: string): Promise<PlanModeState> {
  const { session } = await client.call("sessions.get", { sessionId: SessionId.parse(sessionId) });
  return PlanModeState.parse(session.slices["planMode"]);
}

/** The plan that a person sees, once it is there. */
export async function pendingPlan(gateway: TestGateway, sessionId: string) {
  const id = SessionId.parse(sessionId);
  await expect.poll(async () => (await planOf(gateway, id)).now.phase).toBe("pending");
  const { now } = await planOf(gateway, id);
  if (now.phase !== "pending") throw new Error("no plan waits");
  return { sessionId: id, submission: now.submission };
}

export async function answerQuestion(gateway: TestGateway, sessionId: string, answer: string): Promise<void> {
  const id = SessionId.parse(sessionId);
  await expect.poll(async () => (await planOf(gateway, id)).question?.approvalId).toBeDefined();
  const approvalId = (await planOf(gateway, id)).question?.approvalId;
  if (approvalId === undefined) throw new Error("no question waits");
  await gateway.client.call("sessions.patch", {
    sessionId: id,
    planApproval: { action: "answer", approvalId, answer },
  });
}

const RECORDED = new URL("./recorded/agents/", import.meta.url);

/** What a real program sent once, with places of this test. */
export function recorded(name: string, { workspace }: Pick<TestGateway, "workspace">, session: string): JsonObject {
  const text = readFileSync(new URL(`${name}.json`, RECORDED), "utf8")
    .replaceAll("<PROJECT>", workspace)
    .replaceAll("<HOME>", workspace);
  const payload = JsonObject.parse(JSON.parse(text));
  if ("output" in payload) return opencode(payload, workspace, session);
  return "sessionId" in payload ? { ...payload, sessionId: session } : { ...payload, session_id: session };
}

const Before = z.object({ input: z.object({ tool: z.string() }), output: z.object({ args: JsonObject }) });

/** As our plugin hands it on. */
function opencode(given: JsonObject, cwd: string, sessionId: string): JsonObject {
  const { input, output } = Before.parse(given);
  return { sessionId, cwd, toolName: input.tool, toolArgs: output.args };
}

export type HookEnd = { code: number | null; stdout: string; stderr: string };

/** A hook as an agent starts it. */
export function startHook(
  argv: readonly [string, ...string[]],
  payload: JsonObject | string,
  env: NodeJS.ProcessEnv = {},
) {
  const [file, ...args] = argv;
  const child = spawn(file, args, { env: { PATH: "/usr/bin:/bin", ...env }, stdio: "pipe" });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (piece: Buffer) => (stdout += piece.toString("utf8")));
  child.stderr.on("data", (piece: Buffer) => (stderr += piece.toString("utf8")));
  child.stdin.on("error", () => undefined);
  child.stdin.end(typeof payload === "string" ? payload : JSON.stringify(payload));
  const ended = new Promise<HookEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { ended, stop: (signal: NodeJS.Signals) => child.kill(signal) };
}
