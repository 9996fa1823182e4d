/** Editors that speak the Agent Client Protocol: the gateway as their agent, and another agent behind the gate (IG-04). */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { createAcpAgent } from "../../src/cli/acp/acp-agent.ts";
import { openLink } from "../../src/cli/gateway-link.ts";
import { canHold } from "../../src/cli/run/can-hold.ts";
import { operatorTokenFile } from "../../src/config/home.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { type ScriptStep, startTestGateway, systemClock } from "../../src/testing/index.ts";
import { outsideGateway, pendingPlan } from "../kit/outside-agent.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));

const submit = (title: string): ScriptStep => ({
  say: "I have a plan.",
  calls: [{ tool: "exit_plan_mode", args: { title, plan: [{ step: "Write greeting.txt", status: "pending" }] } }],
});
const write: ScriptStep = { calls: [{ tool: "write", args: { path: "greeting.txt", content: "hello\n" } }] };
const done: ScriptStep = {
  calls: [{ tool: "update_plan", args: { merge: true, plan: [{ step: "Write greeting.txt", status: "completed" }] } }],
};

/** An editor: answers permission requests with the options that the test names, one after the other. */
async function editor(script: readonly ScriptStep[], choices: readonly string[]) {
  const settings = { agents: { defaults: { planMode: { enabled: true, defaultActive: true } } } };
  const gateway = await startTestGateway({ settings, script, clock: systemClock });
  onTestFinished(() => gateway.stop());
  const token = readFileSync(operatorTokenFile(gateway.home), "utf8").trim();
  const link = await openLink({ url: gateway.url, token }, { stay: false });
  onTestFinished(() => link.close());
  const asked: JsonObject[] = [];
  const updates: JsonObject[] = [];
  const agent = createAcpAgent({
    link,
    version: "1",
    send(message) {
      if (message["method"] !== "session/request_permission") return void updates.push(message);
      asked.push(message);
      const wanted = choices[asked.length - 1];
      if (wanted === undefined) return;
      const { options } = message["params"] as { options: { optionId: string; name: string }[] };
      const optionId = options.find((option) => option.name === wanted || option.optionId === wanted)?.optionId ?? "";
      void agent.handle({ jsonrpc: "2.0", id: message["id"], result: { outcome: { outcome: "selected", optionId } } });
    },
  });
  let id = 0;
  const call = async (method: string, params: JsonObject): Promise<unknown> =>
    (await agent.handle({ jsonrpc: "2.0", id: ++id, method, params }))?.["result"];
  const { sessionId } = (await call("session/new", { cwd: gateway.workspace, mcpServers: [] })) as {
    sessionId: string;
  };
  const prompt = (text: string) => call("session/prompt", { sessionId, prompt: [{ type: "text", text }] });
  return { gateway, agent, call, prompt, asked, updates, sessionId };
}

describe("the gateway as an editor's agent", () => {
  it("[IG-04] shows its plan with its text, takes the next prompt as feedback after a no, and works after a yes", async () => {
    const script = [write, submit("Greet"), submit("Greet politely"), write, done, { say: "Done." }];
    const { gateway, call, prompt, asked, updates } = await editor(script, ["holdpoint-no", "approve"]);
    expect(await call("initialize", { protocolVersion: 1 })).toMatchObject({ protocolVersion: 1, authMethods: [] });
    expect(await prompt("Greet the world")).toEqual({ stopReason: "end_turn" });
    expect(asked[0]?.["params"]).toMatchObject({
      toolCall: {
        kind: "switch_mode",
        content: [{ content: { text: expect.stringContaining("1. Write greeting.txt") } }],
      },
      options: expect.arrayContaining([
        expect.objectContaining({ optionId: "approve", kind: "allow_once" }),
        expect.objectContaining({ optionId: "holdpoint-no", kind: "reject_once" }),
      ]),
    });
    expect(existsSync(join(gateway.workspace, "greeting.txt"))).toBe(false);
    expect(await prompt("be polite")).toEqual({ stopReason: "end_turn" });
    expect(JSON.stringify(gateway.model.requests[2]?.entries)).toContain("be polite");
    expect(readFileSync(join(gateway.workspace, "greeting.txt"), "utf8")).toBe("hello\n");
    expect(JSON.stringify(updates)).toContain("I have a plan.");
    expect(JSON.stringify(updates)).toContain('"sessionUpdate":"tool_call"');
  });

  it("[IG-04] goes on when somebody decides elsewhere, and asks questions with their options", async () => {
    const question = { question: "Which greeting?", options: ["hello", "good day"] };
    const script: ScriptStep[] = [
      { calls: [{ tool: "ask_user_question", args: question }] },
      submit("Greet"),
      { say: "Waiting over." },
    ];
    const { gateway, prompt, asked, sessionId } = await editor(script, ["hello"]);
    const ended = prompt("Greet the world");
    const { sessionId: id, submission } = await pendingPlan(gateway, sessionId);
    expect(asked[0]?.["params"]).toMatchObject({
      options: expect.arrayContaining([expect.objectContaining({ name: "good day" })]),
    });
    const { approvalId } = submission;
    await expect.poll(() => asked.length).toBe(2);
    await gateway.client.call("sessions.patch", { sessionId: id, planApproval: { action: "approve", approvalId } });
    expect(await ended).toEqual({ stopReason: "end_turn" });
    expect(asked).toHaveLength(2); // each of the two once, though the end of a turn comes after its card
  });
});

/** Asks for permission to write, takes any yes, and writes; its first option would allow everything. */
const AGENT = `
const { createInterface } = require("node:readline");
const fs = require("node:fs");
const send = (m) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...m }) + "\\n");
const options = [{ optionId: "all", name: "Always", kind: "allow_always" }, { optionId: "yes", name: "Yes", kind: "allow_once" }, { optionId: "no", name: "No", kind: "reject_once" }];
const attempt = (name) => { try { fs.writeFileSync(name, "x"); return "written"; } catch (error) { return error.code; } };
let prompt;
createInterface({ input: process.stdin }).on("line", (line) => {
  const m = JSON.parse(line);
  if (m.method === "initialize") return send({ id: m.id, result: m.params });
  if (m.method === "session/prompt") {
    prompt = m.id;
    send({ method: "session/update", params: { unasked: attempt("unasked.txt") } });
    return send({ id: 90, method: "session/request_permission", params: { sessionId: "s", toolCall: { title: "Write made.txt", kind: "edit", locations: [{ path: process.cwd() + "/made.txt" }] }, options } });
  }
  if (m.id === 90) send({ id: prompt, result: { chosen: m.result.outcome, made: attempt("made.txt") } });
});
`;

const why = await canHold();
describe.skipIf(why !== undefined)(`another agent behind the gate${why === undefined ? "" : ` (${why})`}`, () => {
  it("[IG-04, GA-13] is held by the kernel until people approve what it tried, and then allowed once", async () => {
    const gateway = await outsideGateway();
    onTestFinished(() => gateway.stop());
    const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "hp-acp-")));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const [project, home] = [join(folder, "project"), join(folder, "home")];
    for (const path of [project, home]) mkdirSync(path);
    writeFileSync(join(project, "agent.cjs"), AGENT);
    const child = spawn(process.execPath, [MAIN, "acp", "--", process.execPath, "agent.cjs"], {
      cwd: project,
      env: { PATH: process.env["PATH"], HOME: home, HOLDPOINT_HOME: gateway.home },
      stdio: ["pipe", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    const received: string[] = [];
    let err = "";
    createInterface({ input: child.stdout }).on("line", (line) => received.push(line));
    child.stderr.on("data", (piece: Buffer) => (err += piece.toString("utf8")));
    const send = (message: JsonObject) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    send({ id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: { terminal: true } } });
    await expect.poll(() => received.join("\n")).toContain('"terminal":false');
    send({ id: 2, method: "session/prompt", params: { sessionId: "s", prompt: [] } });
    await expect.poll(() => err).toMatch(/\/sessions\/ses_\w/);
    const { sessionId, submission } = await pendingPlan(
      gateway,
      /\/sessions\/(?<id>[\w-]+)\//.exec(err)?.groups?.["id"] ?? "",
    );
    expect(submission.steps.map(({ step }) => step)).toEqual(["Write made.txt"]);
    expect(received.join("\n")).toContain('"unasked":"EROFS"');
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } });
    await expect
      .poll(() => received.join("\n"))
      .toContain('"chosen":{"outcome":"selected","optionId":"yes"},"made":"written"');
    child.stdin.end();
    await new Promise((resolve) => void child.once("close", resolve));
    expect([existsSync(join(project, "made.txt")), existsSync(join(project, "unasked.txt"))]).toEqual([true, false]);
  });
});
