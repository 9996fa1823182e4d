/** `holdpoint run`: a program that knows nothing of us, held by the kernel until a person lets it work. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { canHold } from "../../src/cli/run/can-hold.ts";
import { runProgram } from "../../src/cli/program.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import { whyUnnamed } from "../../src/runner/keeper/named-writes.ts";
import type { TestGateway } from "../../src/testing/index.ts";
import { outsideGateway, pendingPlan, planOf } from "../kit/outside-agent.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const why = await canHold();
const unnamed = whyUnnamed({});

let gateway: TestGateway;
let project: string;
let person: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  gateway = await outsideGateway();
  person = join(dirname(gateway.home), "person");
  project = join(realpathSync.native(gateway.workspace), "project");
  mkdirSync(project);
  mkdirSync(person);
});
afterAll(async () => {
  for (const child of started) child.kill("SIGKILL");
  await gateway.stop();
});

/** As a person types it. */
function run(argv: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, [MAIN, "run", ...argv], {
    cwd: project,
    env: { PATH: process.env["PATH"], HOME: person, HOLDPOINT_HOME: gateway.home, HOLDPOINT_TOKEN: "hp_x", ...env },
  });
  started.push(child);
  const said = { out: "", err: "" };
  child.stdout.on("data", (piece: Buffer) => (said.out += piece.toString("utf8")));
  child.stderr.on("data", (piece: Buffer) => (said.err += piece.toString("utf8")));
  const ended = new Promise<number | null>((resolve) => void child.once("close", (code) => resolve(code)));
  async function does(line: string): Promise<string> {
    const from = said.out.length;
    child.stdin.write(`${line}\n`);
    await expect.poll(() => /^= (?:yes|no)$/m.test(said.out.slice(from))).toBe(true);
    return said.out.slice(from).trim();
  }
  const sessionId = async (): Promise<string> => {
    await expect.poll(() => said.err).toMatch(/\/sessions\/ses_\w/);
    return /\/sessions\/(?<id>[\w-]+)\//.exec(said.err)?.groups?.["id"] ?? "";
  };
  return { child, said, ended, does, sessionId };
}

/** What the card before people says of refused writes. */
async function triedOn(sessionId: SessionId): Promise<unknown[]> {
  const { session } = await gateway.client.call("sessions.get", { sessionId });
  const sections = (session.cards ?? []).flatMap((card) => (card.kind === "approval" ? (card.sections ?? []) : []));
  return sections.filter(({ id }) => id === "tried").flatMap(({ heading, items = [] }) => [heading.text, ...items]);
}

/** A service of this machine that says its name. */
async function listening(name: string): Promise<number> {
  const server = createServer((socket) => void socket.on("error", () => undefined).end(`this is ${name}\n`));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return address === null || typeof address === "string" ? 0 : address.port;
}

const SHELL = [
  "--",
  "bash",
  "--norc",
  "-c",
  'while read -r line; do eval "$line" 2>&1 && echo "= yes" || echo "= no"; done; exit 9',
];

describe.skipIf(why !== undefined)(`an agent that knows nothing of us${why === undefined ? "" : ` (${why})`}`, () => {
  it("[IG-03, GA-13] is held until a person accepts the plan that was written for it, and again when they end it", async () => {
    const { does, sessionId, child, ended } = run(SHELL);
    expect(await does("echo x > made.txt")).toContain("Read-only file system");
    expect(await does(`cat ${gateway.home}/operator.token`)).toContain("No such file");
    expect(await does("printenv HOLDPOINT_TOKEN")).toBe("= no");
    const { sessionId: id, submission } = await pendingPlan(gateway, await sessionId());
    expect(submission.steps.map(({ step }) => step)).toEqual([
      expect.stringMatching(/^bash --norc .* may change files in /),
    ]);
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId: id, planApproval: { action: "approve", approvalId } });
    await expect.poll(() => does("echo x > made.txt")).toBe("= yes");
    await gateway.client.call("sessions.patch", { sessionId: id, planMode: "normal" });
    await expect.poll(() => does("echo y >> made.txt")).toContain("= no");
    expect(readFileSync(join(project, "made.txt"), "utf8")).toMatch(/^x\n/);
    child.stdin.end();
    expect(await ended).toBe(9);
  });

  it.skipIf(unnamed !== undefined)(
    `[IG-03] opens its card at the first write that is refused, and the card says what it tried${unnamed ?? ""}`,
    async () => {
      const { does, sessionId, child, ended } = run(SHELL);
      await does("cat /etc/hostname && ls");
      const id = SessionId.parse(await sessionId());
      expect((await planOf(gateway, id)).now.phase).toBe("exploring"); // what only reads asks nobody
      await does("mkdir -p 'src/evil.example'");
      const { submission } = await pendingPlan(gateway, id);
      expect(await triedOn(id)).toEqual(["The first change that it was refused", "src (mkdir)"]);
      await does("touch a b https://evil.example");
      await expect.poll(() => triedOn(id)).toEqual(["The first of 3 changes that it was refused", "src (mkdir)"]);
      const { approvalId } = submission; // the same card all the time, and none of the names is a host of the plan
      expect((await pendingPlan(gateway, id)).submission.approvalId).toBe(approvalId);
      const feedback = "Not now.";
      await gateway.client.call("sessions.patch", {
        sessionId: id,
        planApproval: { action: "reject", approvalId, feedback },
      });
      await does("touch c");
      await expect.poll(async () => (await planOf(gateway, id)).tried?.others).toBe(3);
      expect((await planOf(gateway, id)).now.phase).toBe("rejected"); // who was told no does not ask again
      child.stdin.end();
      await ended;
    },
  );

  it("[IG-03, GA-13] gets no descriptor of who started it: one that is open on a folder leads around what holds it", async () => {
    const line = `exec 20<.; exec "$@"`;
    const child = spawn(
      "bash",
      [
        "-c",
        line,
        "bash",
        process.execPath,
        MAIN,
        "run",
        "--",
        "bash",
        "-c",
        "echo x > /dev/fd/20/leaked; echo x > refused; ls /proc/self/fd | wc -l",
      ],
      {
        cwd: project,
        env: { PATH: process.env["PATH"], HOME: person, HOLDPOINT_HOME: gateway.home },
      },
    );
    started.push(child);
    let out = "";
    child.stdout.on("data", (piece: Buffer) => (out += piece.toString("utf8")));
    let said = "";
    child.stderr.on("data", (piece: Buffer) => (said += piece.toString("utf8")));
    await new Promise((resolve) => void child.once("close", resolve));
    expect([out.trim(), existsSync(join(project, "leaked"))]).toEqual(["4", false]); // three, and the one that lists them
    const id = /\/sessions\/(?<id>[\w-]+)\//.exec(said)?.groups?.["id"] ?? "";
    expect((await planOf(gateway, id)).now.phase).toBe("timed_out"); // nobody decides for a program that has ended
  });

  it("[IG-03, GA-13] reaches its model alone, the plan's hosts while it is carried out, and nothing of the machine besides", async () => {
    const servers = await Promise.all(["model", "host", "other"].map(listening));
    const [model = 0, host = 0, other = 0] = servers;
    const { does, sessionId, child, ended } = run([
      "--model-host",
      `127.0.0.1:${model}`,
      "--host",
      `127.0.0.1:${host}`,
      ...SHELL,
    ]);
    const direct = (port: number) => does(`exec 9<>/dev/tcp/127.0.0.1/${port} && head -1 <&9`);
    const through = (target: string) =>
      does(`exec 9<>/dev/tcp/127.0.0.1/18080 && printf 'CONNECT ${target} HTTP/1.1\\r\\n\\r\\n' >&9 && head -1 <&9`);
    expect(await direct(model)).toContain("this is model");
    expect(await direct(other)).toContain("Connection refused");
    expect(await does(`printenv HTTPS_PROXY`)).toContain("http://127.0.0.1:18080");
    for (const target of [`127.0.0.1:${host}`, `127.0.0.1:${other}`, "example.org:443"]) {
      expect(await through(target)).toContain("403 Forbidden");
    }
    const { sessionId: id, submission } = await pendingPlan(gateway, await sessionId());
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId: id, planApproval: { action: "approve", approvalId } });
    await expect.poll(() => through(`127.0.0.1:${host}`)).toContain("200 Connection");
    expect(await through(`127.0.0.1:${other}`)).toContain("403 Forbidden");
    await gateway.client.call("sessions.patch", { sessionId: id, planMode: "normal" });
    await expect.poll(() => through(`127.0.0.1:${host}`)).toContain("403 Forbidden");
    const log = readFileSync(join(gateway.home, "egress", `${id}.jsonl`), "utf8")
      .trim()
      .split("\n");
    expect(log.map((line) => JSON.parse(line))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ host: "example.org", port: 443, outcome: "refused" }),
        expect.objectContaining({ port: host, outcome: "allowed" }),
      ]),
    );
    child.stdin.end();
    await ended;
  });

  it("[IG-03, PL-04] gets a plan that a person writes: on its card, over the wire and from the command line", async () => {
    const { does, sessionId, child, ended } = run(SHELL);
    await does("touch first.txt");
    const { sessionId: id, submission: proposed } = await pendingPlan(gateway, await sessionId());
    await gateway.client.call("sessions.patch", { sessionId: id, planMode: "normal" });
    const { session } = await gateway.client.call("sessions.get", { sessionId: id });
    expect((session.cards ?? []).flatMap(({ actions }) => actions.map(({ command }) => command))).toEqual([
      "/plan write",
    ]);
    await gateway.client.call("sessions.patch", {
      sessionId: id,
      planText: { text: "# Make it\n\n- touch a\n- touch b" },
    });
    const { submission: written } = await pendingPlan(gateway, id);
    expect([written.title, written.steps.map(({ step }) => step), written.writtenBy?.kind]).toEqual([
      "Make it",
      ["touch a", "touch b"],
      "operator",
    ]);
    expect(await does("touch early.txt")).toContain("Read-only file system");
    const file = join(person, "plan.md");
    writeFileSync(file, "1. touch mine.txt\n");
    expect(await printedBy(["plan", "write", file, "--session", id, "--title", "Mine"])).toContain("The plan waits in");
    const { submission } = await pendingPlan(gateway, id);
    expect([submission.title, submission.revision]).toEqual(["Mine", 2]);
    expect(new Set([proposed, written, submission].map(({ approvalId }) => approvalId)).size).toBe(3);
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId: id, planApproval: { action: "approve", approvalId } });
    await expect.poll(() => does("touch mine.txt")).toBe("= yes");
    child.stdin.end();
    await ended;
  });

  it("[IG-03] opens a card at the first refused call of an agent that nobody talks with, says what it tried, and waits", async () => {
    const claude = join(person, "claude");
    const asks = `
      const { hooks } = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));
      const [{ hooks: [{ command, args }] }] = hooks.PreToolUse;
      const tool_input = { file_path: process.cwd() + "/new.txt", content: "x" };
      const input = JSON.stringify({ session_id: "s", cwd: process.cwd(), hook_event_name: "PreToolUse", tool_name: "Write", tool_input });
      const { stdout } = require("child_process").spawnSync(command, args, { input, encoding: "utf8" });
      console.log(stdout === "" ? "allowed" : stdout);`;
    writeFileSync(claude, `#!${process.execPath}\nprocess.argv.splice(2, 1);${asks}`, { mode: 0o755 });
    const { said, ended, sessionId } = run(["claude", "-p", "do it"], {
      PATH: `${person}:${process.env["PATH"] ?? ""}`,
    });
    const { sessionId: id, submission } = await pendingPlan(gateway, await sessionId());
    const { plan } = await gateway.client.call("plans.get", { planId: submission.planId });
    expect(plan.body.summary).toContain(`write: ${project}/new.txt`);
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId: id, planApproval: { action: "approve", approvalId } });
    expect([await ended, said.out.trim()]).toEqual([0, "allowed"]);
  });

  it("[IG-03] is held when the gateway goes, whatever was approved, and released when it comes back", async () => {
    const { does, sessionId, child, ended } = run(SHELL);
    await does("touch before.txt");
    const { sessionId: id, submission } = await pendingPlan(gateway, await sessionId());
    const { approvalId } = submission;
    await gateway.client.call("sessions.patch", { sessionId: id, planApproval: { action: "approve", approvalId } });
    await expect.poll(() => does("touch before.txt")).toBe("= yes");
    await gateway.kill();
    await expect.poll(() => does("touch after.txt")).toContain("= no");
    await gateway.restart();
    expect((await planOf(gateway, id)).now.phase).toBe("executing");
    await expect.poll(() => does("touch again.txt")).toBe("= yes");
    child.stdin.end();
    await ended;
  });

  it.skipIf(unnamed !== undefined)(
    `[IG-03] opens its card once a gateway is back, if it was refused something while there was none${unnamed ?? ""}`,
    async () => {
      const { does, sessionId, child, ended } = run(SHELL);
      const id = SessionId.parse(await sessionId());
      expect(await does("true")).toBe("= yes");
      await gateway.kill();
      expect(await does("touch while-gone")).toContain("= no");
      await gateway.restart();
      await pendingPlan(gateway, id);
      expect(await triedOn(id)).toEqual(["The first change that it was refused", "while-gone (touch)"]);
      child.stdin.end();
      await ended;
    },
  );

  it("[IG-03] cannot say on its socket what its keeper says: that it follows, was refused something, or has ended", async () => {
    const place = { agent: "other", session: "s", workspace: "/" };
    const lines = ["keep", "follow", "tried", "ended"].map((what) =>
      JSON.stringify({ do: what, ...place, ...(what === "tried" && { proposes: "all" }) }),
    );
    const talk = `for (const line of ${JSON.stringify(lines)})
      require("net").connect(process.env.HOLDPOINT_SOCKET).on("data", (d) => process.stdout.write(d)).write(line + "\\n")`;
    const { said, ended } = run(["--", process.execPath, "-e", talk]);
    expect(await ended).toBe(0);
    expect(said.out.trim().split("\n")).toEqual(lines.map(() => '{"error":"This is not for agents."}'));
  });

  it("[IG-03] speaks on its socket for its own run alone, and Claude Code is given its hooks and its plan mode", async () => {
    const claude = join(project, "claude");
    writeFileSync(
      claude,
      `#!/bin/bash\nprintf '%s\\n' "$@"\ncat "$2"; touch ~/.claude/mine ~/.claude/settings.json; exec "\${@:5}"`,
      { mode: 0o755 },
    );
    const line = JSON.stringify({
      do: "call",
      agent: "other",
      session: "approved",
      workspace: "/",
      tool: "write",
      args: { path: "x" },
    });
    const talk = `require("net").connect(process.env.HOLDPOINT_SOCKET).on("data", (d) => console.log("" + d)).write(${JSON.stringify(`${line}\n`)})`;
    const { said, ended, sessionId } = run(["claude", process.execPath, "-e", talk], {
      PATH: `${dirname(claude)}:${process.env["PATH"] ?? ""}`,
    });
    expect([await ended, said.err.split("\n").slice(1)]).toEqual([
      0,
      [expect.stringContaining("settings.json': Read-only"), ""],
    ]);
    expect(said.out).toMatch(/^--settings\n.*settings\.json\n--permission-mode\nplan\n/);
    expect(said.out).toContain('"disableAllHooks":false');
    expect(said.out).toContain(`"decision":"deny"`);
    expect(said.out).toContain(`"sessionId":"${await sessionId()}"`);
    expect(said.err).toContain("settings.json': Read-only file system");
    expect(existsSync(join(person, ".claude/mine"))).toBe(true);
  });
});

/** What a command prints, in this process. */
async function printedBy(argv: string[], env: Record<string, string> = {}): Promise<string> {
  let text = "";
  const stream = { write: (piece: string) => (text += piece) };
  await runProgram(argv, {
    stdin: process.stdin,
    terminal: process.stdout,
    stdout: stream,
    stderr: stream,
    env: { HOME: person, PATH: process.env["PATH"], HOLDPOINT_HOME: gateway.home, ...env },
    cwd: project,
  });
  return text.replaceAll(/\s+/g, " ");
}

describe("holdpoint run", () => {
  const refused = (argv: string[], env: Record<string, string> = {}): Promise<string> =>
    printedBy(["run", ...argv], env);

  it("[IG-03] says what is missing: the program, the folder, the gateway", async () => {
    expect(await refused(["no-such-agent"])).toContain("There is no program no-such-agent here.");
    expect(await refused(["--writable", "x", "no-such-agent", "--json"])).toMatch(/^✗ There is no program/);
    expect(await refused(["--json", "no-such-agent"])).toMatch(/^\{"error"/);
    expect(await refused([])).toContain("There is nothing to run.");
    expect(await refused(["--workspace", "/", "true"])).toContain("holds your whole home folder");
    expect(await refused(["--workspace", "nowhere", "true"])).toContain("There is no folder");
    const missing = why === undefined ? "No gateway answers" : why;
    expect(await refused(["true"], { HOLDPOINT_HOME: join(person, "other") })).toContain(missing);
  });
});
