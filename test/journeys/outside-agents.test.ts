/** Agents that people already run, behind the same gate: their calls, plans and questions over the socket and over HTTP. */
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runIdOf } from "../../src/external/run-id.ts";
import { z } from "zod";
import type { Scope } from "../../src/protocol/actor.ts";
import { McpServerSettings } from "../../src/protocol/settings/tool-settings.ts";
import { connect } from "../../src/tools/mcp/connect.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { TestGateway } from "../../src/testing/index.ts";
import { answerQuestion, outsideGateway, pendingPlan, planOf, say } from "../kit/outside-agent.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await outsideGateway();
});
afterAll(() => gateway.stop());

const place = (session: string) => ({ agent: "my-bot", session, workspace: gateway.workspace });
const ask = (line: JsonObject) => say(gateway.home, line).answer;
const idOf = (session: string) => runIdOf({ agent: "my-bot", session });
const pending = (session: string) => pendingPlan(gateway, idOf(session));

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
      const isSaid = /^\S.*was not run: .*\.$/.test(JSON.stringify(answer["reason"]).slice(1, -1));
      expect([call, answer["decision"], isSaid]).toEqual([call, decision, decision === "deny"]);
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
    await ask({ do: "wait", ...place("plans") });
    const waiting = ask({ do: "plan", ...place("plans"), plan: PLAN, waitMs: 60_000 });
    const { sessionId, submission } = await pending("plans");
    expect(submission.steps.map(({ step }) => step)).toEqual(["write made.txt", "check it"]);
    expect(await ask({ do: "call", ...place("plans"), ...WRITE })).toMatchObject({
      decision: "deny",
      status: "pending",
    });
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
    await ask({ do: "wait", ...place("edits") });
    const first = ask({ do: "plan", ...place("edits"), plan: PLAN, waitMs: 60_000 });
    const { sessionId, submission } = await pending("edits");
    const reject = { action: "reject", approvalId: submission.approvalId, feedback: "Name it other.txt" } as const;
    await gateway.client.call("sessions.patch", { sessionId, planApproval: reject });
    expect(await first).toMatchObject({ outcome: "rejected", message: expect.stringContaining("Name it other.txt") });
    const second = ask({ do: "plan", ...place("edits"), plan: PLAN, waitMs: 60_000 });
    const { submission: revised } = await pending("edits");
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
    await ask({ do: "wait", ...place("leaves") });
    const gone = say(gateway.home, { do: "plan", ...place("leaves"), plan: PLAN, waitMs: 60_000 });
    const { sessionId, submission } = await pending("leaves");
    gone.leave();
    const again = say(gateway.home, { do: "plan", ...place("leaves"), plan: PLAN, waitMs: 60_000, withdraw: true });
    expect((await pending("leaves")).submission.approvalId).toBe(submission.approvalId);
    again.leave();
    await expect.poll(async () => (await planOf(gateway, sessionId)).now.phase).toBe("timed_out");
  });

  it("[IG-05] has its question answered by a person", async () => {
    await ask({ do: "wait", ...place("asks") });
    const asked = ask({
      do: "question",
      ...place("asks"),
      question: "Which DB?",
      options: ["PG", "SQLite"],
      waitMs: 60_000,
    });
    await answerQuestion(gateway, idOf("asks"), "SQLite");
    expect(await asked).toMatchObject({ outcome: "answered", answer: "SQLite" });
  });

  it("[IG-05] reaches the gateway by a socket that is its owner's alone, and is answered when it makes no sense", async () => {
    expect(statSync(join(gateway.home, "agents.sock")).mode & 0o777).toBe(0o600);
    expect((await ask({ do: "nonsense" }))["error"]).toMatch(/^Not understood/);
    expect(
      (await ask({ do: "call", agent: "x", session: "y", workspace: "rel", tool: "a", args: {} }))["error"],
    ).toMatch(/absolute path/);
  });
});

describe("over plain HTTP", () => {
  const post = async (what: string, body: JsonObject, headers: Record<string, string> = {}) => {
    const answer = await fetch(`${gateway.url}/agents/v1/${what}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers,
    });
    return [answer.status, JSON.parse(await answer.text()) as unknown] as const;
  };
  const secretOf = async (...scopes: Scope[]): Promise<string> =>
    (await gateway.client.call("tokens.create", { name: `bot ${scopes.join()}`, scopes })).secret;

  it("[IG-05] answers tokens that may write, and decides nothing for them", async () => {
    const call = { ...place("http"), ...WRITE };
    expect((await post("call", call))[0]).toBe(401);
    expect((await post("call", call, { authorization: "Bearer hp_wrong" }))[0]).toBe(401);
    expect((await post("call", call, { authorization: `Bearer ${await secretOf("operator.read")}` }))[0]).toBe(403);
    const authorization = `Bearer ${await secretOf("operator.write")}`;
    expect(await post("call", call, { authorization })).toEqual([200, expect.objectContaining({ decision: "deny" })]);
    expect((await post("approve", call, { authorization }))[0]).toBe(404);
    expect((await post("call", { tool: "x" }, { authorization }))[0]).toBe(400);
    expect((await post("call", call, { authorization, origin: gateway.url }))[0]).toBe(403);
  });

  it.each([
    ["sh", "decide.sh", /"decision":"allow"[^]*"decision":"deny"[^]*"outcome":"approved"[^]*"decision":"allow"/],
    ["python3", "decide.py", /^exec allow[^]*^write deny [^]*^decide at http[^]*^approved [^]*^write allow/m],
  ])("[IG-05] serves the example in %s", async (program, name, says) => {
    if (!(await isThere(program)) || (program === "sh" && !(await isThere("curl")))) return skipped(program);
    const session = `example-${name}`;
    await ask({ do: "wait", ...place(session) });
    const example = spawn(
      program,
      [fileURLToPath(new URL(`../../examples/${name}`, import.meta.url)), gateway.workspace, session],
      {
        env: {
          PATH: process.env["PATH"],
          HOLDPOINT_URL: gateway.url,
          HOLDPOINT_TOKEN: await secretOf("operator.write"),
        },
      },
    );
    let said = "";
    for (const stream of [example.stdout, example.stderr])
      stream.on("data", (piece: Buffer) => (said += piece.toString("utf8")));
    const ended = new Promise((resolve) => void example.once("close", resolve));
    const { sessionId, submission } = await pending(session);
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
    expect([await ended, said]).toEqual([0, expect.stringMatching(says)]);
  });
});

const isThere = (program: string): Promise<boolean> =>
  new Promise((resolve) => {
    const tried = spawn(program, ["--version"], { stdio: "ignore" });
    tried.once("error", () => resolve(false));
    tried.once("exit", () => resolve(true));
  });
const skipped = (program: string): void => void process.stderr.write(`not tried: ${program} is not installed here\n`);

describe("over MCP", () => {
  const opened: { close(): Promise<void> }[] = [];
  afterAll(() => Promise.all(opened.map((one) => one.close())));

  async function clientOf(settings: JsonObject) {
    const { client } = await connect({
      settings: McpServerSettings.parse(settings),
      version: "1",
      cwd: gateway.workspace,
      env: { ...process.env, HOLDPOINT_HOME: gateway.home },
      secret: async () => undefined,
      signal: new AbortController().signal,
      onClose: () => undefined,
      onToolsChanged: () => undefined,
    });
    opened.push(client);
    return client;
  }

  async function connected(
    settings: JsonObject,
  ): Promise<(name: string, args: JsonObject) => Promise<{ text: string; data: unknown }>> {
    const client = await clientOf(settings);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["submit_plan", "wait_for_decision", "ask_person", "update_plan"]);
    return async (name, args) => {
      const { content, structuredContent } = await client.callTool({ name, arguments: args });
      return { text: z.array(z.object({ text: z.string() })).parse(content)[0]?.text ?? "", data: structuredContent };
    };
  }

  it.each([
    [
      "stdio",
      () => ({ command: "env", args: [`HOLDPOINT_HOME=${gateway.home}`, process.execPath, MAIN, "mcp"] }),
      "holdpoint",
    ],
    [
      "HTTP",
      async () => ({
        url: `${gateway.url}/mcp`,
        headers: {
          Authorization: `Bearer ${await writer()}`,
          "Holdpoint-Agent": "holdpoint",
          "Holdpoint-Workspace": gateway.workspace,
        },
      }),
      "holdpoint",
    ],
  ])("[IG-01] over %s a client plans, is answered at once, waits, asks and reports", async (how, settings, agent) => {
    const call = await connected(await settings());
    const run = `mcp-${how}`;
    const submitted = await call("submit_plan", { title: "Add it", plan: "1. write it\n2. test it", run });
    expect(submitted.text).toMatch(/^pending: .*\n\nIt is decided at http.*\/plan\. Call wait_for_decision/);
    const { sessionId, submission } = await pendingPlan(gateway, runIdOf({ agent, session: run }));
    expect(submission.steps.map(({ step }) => step)).toEqual(["write it", "test it"]);
    const waiting = call("wait_for_decision", { run, wait_seconds: 30 });
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
    expect(await waiting).toMatchObject({ text: expect.stringMatching(/^approved: /), data: { outcome: "approved" } });
    const asked = await call("ask_person", { question: "Which?", options: ["a", "b"], run });
    expect(asked.text).toMatch(/^pending/);
    const answer = call("wait_for_decision", { run, wait_seconds: 30 });
    await answerQuestion(gateway, sessionId, "b");
    const answered = /^answered: (?:b$|[^]*\n> b\n)/; // the envelope, for who comes after the person has answered
    expect((await answer).text).toMatch(answered);
    expect((await call("wait_for_decision", { run, wait_seconds: 1 })).text).toMatch(answered);
    const steps = submission.steps.map(({ step }) => ({ step, status: "completed" }));
    expect((await call("update_plan", { steps, run })).data).toMatchObject({ status: "held" });
    expect((await call("submit_plan", { plan: "x" })).text).toMatch(/^submit_plan: /);
  });

  it("[IG-02] a server behind the proxy is not reached until the plan of that run is approved", async () => {
    const server = fileURLToPath(new URL("../kit/mcp-server.ts", import.meta.url));
    const proxy = [
      process.execPath,
      MAIN,
      "mcp",
      "proxy",
      "things",
      "--read",
      "echo",
      "--",
      process.execPath,
      server,
      "stdio",
    ];
    const run = { agent: "holdpoint", session: "proxied", workspace: gateway.workspace };
    const client = await clientOf({
      command: "env",
      args: [`HOLDPOINT_HOME=${gateway.home}`, `CLAUDE_CODE_SESSION_ID=${run.session}`, ...proxy],
    });
    const file = join(gateway.workspace, "proxied.txt");
    const record = () => client.callTool({ name: "record", arguments: { file } });
    expect(await client.callTool({ name: "echo", arguments: { text: "tea" } })).toMatchObject({
      content: [{ text: "tea" }],
    });
    expect(await record()).toMatchObject({ isError: true });
    expect(existsSync(file)).toBe(false);
    await ask({ do: "plan", ...run, plan: PLAN });
    const { sessionId, submission } = await pendingPlan(gateway, runIdOf(run));
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
    expect(await record()).toMatchObject({ content: [{ text: "done" }] });
    expect(existsSync(file)).toBe(true);
  });
  const writer = async (): Promise<string> =>
    (await gateway.client.call("tokens.create", { name: "mcp", scopes: ["operator.write"] })).secret;
});
