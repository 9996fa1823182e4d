/** The real programs, in the modes in which they ask nobody, in a repository that switches hooks off (IG-03, GA-13). */
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { canHold } from "../../src/cli/run/can-hold.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { TestGateway } from "../../src/testing/index.ts";
import { outsideGateway, pendingPlan } from "../kit/outside-agent.ts";
import { AGENT_DOORS_FILE, AgentDoors } from "../../scripts/documents/agent-doors-document.ts";
import { agentVersion } from "../../src/cli/gate/agents/agent-version.ts";
import { tryAgents } from "../../src/cli/gate/agents/try-agents.ts";
import { agentProgram } from "../../src/cli/run/agent-programs.ts";
import { makeOwnPlaces } from "../../src/cli/run/keeper-view.ts";
import { DOCTORED_AGENTS, installed, REAL_AGENTS, type RealAgent } from "./real-agents.ts";
import {
  PROMPT,
  type ScriptedCall,
  scriptedModels,
  type ScriptedStep,
} from "../../src/cli/gate/agents/scripted-models.ts";

const MAIN = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const RUN_MS_MAX = 150_000;
const why = await canHold();
const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

type World = { gateway: TestGateway; home: string; project: string };

async function world(agent: RealAgent, isHostile: boolean): Promise<World> {
  const gateway = await outsideGateway();
  onTestFinished(() => gateway.stop());
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "hp-real-")));
  made.push(folder);
  const [home, project] = [join(folder, "home"), join(folder, "project")];
  for (const path of [home, project]) mkdirSync(path);
  writeFileSync(join(project, "a.txt"), "hello\n");
  for (const [path, text] of Object.entries(isHostile ? agent.hostile : {})) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), text);
  }
  return { gateway, home, project };
}

type Started = { ended: Promise<number | null>; said(): string; sessionId(): Promise<string> };

type Given = {
  argv(modelHost: string): readonly string[];
  steps: readonly ScriptedStep[];
  prepared?(): Promise<void>;
  editor?(send: Send): void;
};
type Send = (message: JsonObject) => void;

/** `argv` begins with a program; the agent follows the steps of the script. */
async function start(agent: RealAgent, at: World, given: Given) {
  const models = await scriptedModels(given.steps);
  onTestFinished(() => models.close());
  const place = { home: at.home, project: at.project, models };
  const got = installed(agent);
  if ("missing" in got) throw new Error(got.missing);
  agent.prepare(place);
  await given.prepared?.();
  const [file = "", ...args] = given.argv(`127.0.0.1:${models.port}`);
  const child = spawn(file, args, {
    cwd: at.project,
    env: {
      PATH: `${dirname(got.program)}:${dirname(process.execPath)}:/usr/bin:/bin`,
      HOME: at.home,
      HOLDPOINT_HOME: at.gateway.home,
      LANG: "C.UTF-8",
      TERM: "xterm-256color",
      ...agent.env(place),
    },
    stdio: [given.editor === undefined ? "ignore" : "pipe", "pipe", "pipe"],
    timeout: RUN_MS_MAX,
    killSignal: "SIGKILL",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (piece: Buffer) => (said += piece.toString("utf8")));
  given.editor?.((message) => child.stdin?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`));
  const ended = new Promise<number | null>((resolve) => void child.once("close", resolve));
  const started: Started = {
    ended,
    said: () => said,
    async sessionId() {
      await expect.poll(() => said).toMatch(/\/sessions\/ses_\w/);
      return /\/sessions\/(?<id>[\w-]+)\//.exec(said)?.groups?.["id"] ?? "";
    },
  };
  return { ...started, models };
}

const canaries = ({ project }: World): string[] => readdirSync(project).filter((name) => name.startsWith("canary"));

/** Ways to write that have nothing in common but the kernel. */
const attempts = (agent: RealAgent, { project }: World): ScriptedCall[] => [
  agent.shell("echo x > canary-shell"),
  agent.write(join(project, "canary-write")),
  agent.shell(`perl -e 'open(my $f, ">", "canary-perl") or die "$!\\n"'`),
  agent.shell(`mount -o remount,bind,rw ${project}; unshare -rm true && echo x > canary-namespace`),
  agent.shell(`(setsid sh -c 'sleep 0.2; echo x > canary-later' &) ; sleep 0.5`),
];

const stepOf = (call: ScriptedCall): ScriptedStep => ({ text: "Next.", calls: [call] });

async function approve({ gateway }: World, sessionId: string): Promise<void> {
  const { sessionId: id, submission } = await pendingPlan(gateway, sessionId);
  const { approvalId } = submission;
  await gateway.client.call("sessions.patch", { sessionId: id, planApproval: { action: "approve", approvalId } });
}

async function reject({ gateway }: World, sessionId: string): Promise<void> {
  const { sessionId: id, submission } = await pendingPlan(gateway, sessionId);
  const planApproval = { action: "reject", approvalId: submission.approvalId, feedback: "not today" } as const;
  await gateway.client.call("sessions.patch", { sessionId: id, planApproval });
}

async function installHooks({ name }: { name: string }, { gateway, home }: World): Promise<void> {
  const env = { PATH: process.env["PATH"], HOME: home, HOLDPOINT_HOME: gateway.home };
  const child = spawn(process.execPath, [MAIN, "hooks", "install", name], { env, stdio: "ignore" });
  expect(await new Promise((resolve) => void child.once("close", resolve))).toBe(0);
}

/** Codex runs no hook that nobody trusts, and Gemini takes no settings from below a folder that others may write to. */
const hasHooks = ({ name }: RealAgent): boolean =>
  name === "claude" || (name === "gemini" && (statSync(tmpdir()).mode & 0o022) === 0);

for (const agent of REAL_AGENTS) {
  const got = installed(agent);
  const missing = "missing" in got ? got.missing : why;
  const program = "program" in got ? got.program : "";
  const own = join(`.${agent.name}`);

  describe.skipIf(missing !== undefined)(
    `${agent.name} ${agent.version}${missing === undefined ? "" : ` (${missing})`}`,
    () => {
      it("is the version that is pinned", async () => {
        expect(await agentVersion(program)).toBe(agent.version);
      });

      it("[IG-03, GA-13] writes nothing under the keeper alone until its plan is approved, then writes, and is held when the gateway goes", async () => {
        const at = await world(agent, true);
        const later = Promise.withResolvers<Started>();
        const flips = {
          approved: async () => approve(at, await (await later.promise).sessionId()),
          killed: async () => at.gateway.kill(),
        };
        // the flip follows the decision at once, so the same write is tried until it goes, or for a while in vain
        const retried = (name: string): ScriptedCall =>
          agent.shell(`for i in 1 2 3 4 5 6 7 8 9 10; do echo x > ${name} && break; sleep 0.2; done`);
        const started = await start(agent, at, {
          argv: (host) => [
            process.execPath,
            MAIN,
            "run",
            "--model-host",
            host,
            "--writable",
            join(at.home, own),
            "--",
            program,
            ...agent.args,
          ],
          steps: [
            ...attempts(agent, at).map(stepOf),
            { ...stepOf(retried("made-when-approved")), before: flips.approved },
            stepOf(agent.write(join(at.project, "written-when-approved"))),
            {
              ...stepOf(
                agent.shell(
                  "for i in 1 2 3 4 5 6 7 8 9 10; do touch a.txt || break; sleep 0.2; done; echo x > canary-gateway-gone",
                ),
              ),
              before: flips.killed,
            },
            { text: "Done." },
          ],
        });
        later.resolve(started);
        const code = await started.ended;
        expect([code, started.models.asked()]).toEqual([0, attempts(agent, at).length + 4]);
        expect(started.models.requests().at(-1)).toContain("Read-only file system"); // it was the kernel that said no
        expect(canaries(at)).toEqual([]);
        expect(readdirSync(at.project)).toEqual(
          expect.arrayContaining(["made-when-approved", "written-when-approved"]),
        );
      });

      it("[IG-03] is refused by its hooks under holdpoint run, whatever the repository says, and told why", async () => {
        const at = await world(agent, true);
        const started = await start(agent, at, {
          argv: (host) => [process.execPath, MAIN, "run", "--model-host", host, agent.name, ...agent.args],
          steps: [...attempts(agent, at).map(stepOf), { text: "Done." }],
        });
        if (hasHooks(agent)) await reject(at, await started.sessionId()); // its first call waits for this
        expect([await started.ended, started.models.asked()]).toEqual([0, attempts(agent, at).length + 1]);
        expect(canaries(at)).toEqual([]);
        expect(started.models.requests().at(-1)).toContain(hasHooks(agent) ? "in plan mode" : "Read-only file system");
      });

      it("[IG-03] is refused by installed hooks in its bypass mode, and when the gateway is gone", async () => {
        const at = await world(agent, false);
        const steps = attempts(agent, at).map(stepOf);
        const started = await start(agent, at, {
          argv: () => [program, ...agent.args],
          prepared: () => installHooks(agent, at),
          steps: [
            ...steps,
            { ...stepOf(agent.shell("echo x > canary-gateway-gone")), before: () => at.gateway.kill() },
          ],
        });
        expect([await started.ended, started.models.asked()]).toEqual([0, steps.length + 2]);
        expect(canaries(at)).toEqual([]);
      });
    },
  );
}

const listed = [...REAL_AGENTS, ...DOCTORED_AGENTS];
const got = listed.map((agent) => installed(agent));
const absent = got.flatMap((one) => ("missing" in one ? [one.missing] : [])).at(0) ?? why;

describe.skipIf(absent !== undefined)(`holdpoint gate doctor${absent === undefined ? "" : ` (${absent})`}`, () => {
  it("[GA-11, IG-03] finds nothing open under the kernel, and what it finds is written down for the documents", async () => {
    const [first] = REAL_AGENTS;
    if (first === undefined) throw new Error("no agent is listed");
    const at = await world(first, false);
    for (const agent of listed) {
      makeOwnPlaces({ program: agentProgram(agent.name), person: { home: at.home, env: {} } }); // as if it had been used
      await installHooks(agent, at);
    }
    const programs = got.flatMap((one) => ("program" in one ? [dirname(one.program)] : []));
    const env = {
      HOME: at.home,
      HOLDPOINT_HOME: at.gateway.home,
      PATH: [...programs, dirname(process.execPath), "/usr/bin", "/bin"].join(":"),
    };
    const seen = await tryAgents({ env, gatewayHome: at.gateway.home, report: () => undefined });
    const kernel = seen.filter(({ by }) => by === "kernel").map(({ agent, outcome }) => [agent, outcome]);
    expect(kernel).toEqual([
      ["claude-code", "closed"],
      ["codex", "closed"],
      ["gemini-cli", "closed"],
      ["opencode", "closed"],
      ["copilot-cli", "closed"],
    ]);
    expect(seen.filter(({ outcome }) => outcome === "untried")).toEqual([]);
    const doors = AgentDoors.parse(seen.map(({ detail: _detail, ...one }) => one));
    writeFileSync(
      fileURLToPath(new URL(`../../${AGENT_DOORS_FILE}`, import.meta.url)),
      `${JSON.stringify(doors, null, 2)}\n`,
    );
  });
});

const gemini = REAL_AGENTS.find(({ name }) => name === "gemini");
const gotGemini = gemini === undefined ? { missing: "it is not listed" } : installed(gemini);
const noGemini = "missing" in gotGemini ? gotGemini.missing : why;

describe.skipIf(noGemini !== undefined)(`gemini over ACP${noGemini === undefined ? "" : ` (${noGemini})`}`, () => {
  it("[IG-04] runs no hook there: it is held by the kernel, and its question is put before people", async () => {
    if (gemini === undefined) throw new Error("it is not listed");
    const at = await world(gemini, true);
    let send: Send = () => undefined;
    const started = await start(gemini, at, {
      argv: (host) => [
        process.execPath,
        MAIN,
        "acp",
        "--model-host",
        host,
        "--",
        "gemini",
        "-m",
        "gemini-2.5-flash",
        "--acp",
      ],
      editor: (to) => void (send = to),
      steps: [stepOf(gemini.shell("echo x > made-when-approved")), { text: "Done." }],
    });
    const answer = async (id: number) => {
      await expect.poll(() => started.said()).toMatch(new RegExp(`"id":${id},"(?:result|error)"`));
      return started.said();
    };
    send({ id: 1, method: "initialize", params: { protocolVersion: 1, clientCapabilities: { terminal: true } } });
    await answer(1);
    send({ id: 2, method: "session/new", params: { cwd: at.project, mcpServers: [] } });
    const session = /"sessionId":"(?<id>[^"]+)"/.exec(await answer(2))?.groups?.["id"] ?? "";
    send({ id: 3, method: "session/prompt", params: { sessionId: session, prompt: [{ type: "text", text: PROMPT }] } });
    const { submission } = await pendingPlan(at.gateway, await started.sessionId());
    expect(submission.steps[0]?.step).toContain("made-when-approved");
    expect(readdirSync(at.project)).not.toContain("made-when-approved");
    await approve(at, await started.sessionId());
    await answer(3);
    expect(readdirSync(at.project)).toContain("made-when-approved");
  });
});
