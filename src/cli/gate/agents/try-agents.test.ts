/** The doctor on agents of others, with programs that behave like them. The real ones are in test/agents. */
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestGateway } from "../../../testing/index.ts";
import { outsideGateway } from "../../../../test/kit/outside-agent.ts";
import { runProgram } from "../../program.ts";
import { canHold } from "../../run/can-hold.ts";
import type { Attempt } from "../doctor/try-probe.ts";
import { tryAgents } from "./try-agents.ts";

const why = await canHold();

/** Asks its model, and does what that says unless a hook refuses it; a repository may switch its hooks off. */
const CLAUDE = `
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { execFileSync, spawnSync } from "node:child_process";
if (process.argv.includes("--version")) { console.log("2.1.325 (fake)"); process.exit(0); }
const settings = (file) => (existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {});
const user = settings(process.env.HOME + "/.claude/settings.json");
const isOff = process.argv.includes("--bare") || settings(".claude/settings.json").disableAllHooks;
const messages = [{ role: "user", content: process.argv[process.argv.indexOf("-p") + 1] }];
function refuses(tool_name, tool_input) {
  const input = JSON.stringify({ session_id: "s", cwd: process.cwd(), hook_event_name: "PreToolUse", tool_name, tool_input });
  return (isOff ? [] : user.hooks?.PreToolUse ?? []).some(({ hooks: [{ command, args }] }) => {
    const { stdout, status } = spawnSync(command, args, { input, encoding: "utf8" });
    return status !== 0 || stdout.includes("deny");
  });
}
for (;;) {
  const body = JSON.stringify({ model: "m", tools: [{}], messages });
  const { content } = await (await fetch(process.env.ANTHROPIC_BASE_URL + "/v1/messages", { method: "POST", body })).json();
  const calls = content.filter(({ type }) => type === "tool_use");
  if (calls.length === 0) break;
  for (const { name, input } of calls) {
    if (refuses(name, input)) continue;
    try {
      if (name === "Bash") execFileSync("sh", ["-c", input.command], { stdio: "ignore" });
      else writeFileSync(input.file_path, input.content);
    } catch {}
  }
  messages.push({ role: "assistant", content });
}
`;

let gateway: TestGateway;
let person: string;
beforeAll(async () => {
  gateway = await outsideGateway();
  person = realpathSync.native(mkdtempSync(join(tmpdir(), "holdpoint-doctor-person-")));
  mkdirSync(join(person, "bin"));
  writeFileSync(join(person, "bin", "claude.mjs"), CLAUDE);
  writeFileSync(
    join(person, "bin", "claude"),
    `#!/bin/sh\nexec '${process.execPath}' '${person}/bin/claude.mjs' "$@"\n`,
  );
  writeFileSync(join(person, "bin", "gemini"), "#!/bin/sh\necho no >&2; exit 1\n");
  for (const name of ["claude", "gemini"]) chmodSync(join(person, "bin", name), 0o755);
});
afterAll(async () => {
  await gateway.stop();
  rmSync(person, { recursive: true });
});

const env = () => ({ HOME: person, PATH: `${person}/bin:/usr/bin:/bin`, HOLDPOINT_HOME: gateway.home });

async function doctor(): Promise<{ lines: string[]; attempts: Attempt[] }> {
  const attempts: Attempt[] = [];
  const report = (attempt: Attempt): void => void attempts.push(attempt);
  const seen = await tryAgents({ env: env(), gatewayHome: gateway.home, report });
  return { attempts, lines: seen.map(({ agent, setting, outcome }) => `${agent}: ${setting}: ${outcome}`) };
}

describe.skipIf(why !== undefined)(`the doctor on agents of others${why === undefined ? "" : ` (${why})`}`, () => {
  it("[GA-11, IG-03] tells what is open and what is closed, changes no settings, and hides no agent that it could not try", async () => {
    const streams = { stdout: { write: () => undefined }, stderr: { write: () => undefined } };
    const around = { stdin: process.stdin, terminal: process.stdout, ...streams, env: env(), cwd: person };
    expect(await runProgram(["hooks", "install", "claude"], around)).toBe(0);
    const file = join(person, ".claude", "settings.json");
    const before = readFileSync(file, "utf8");
    const { lines, attempts } = await doctor();
    expect(lines).toEqual([
      "claude-code: hooks: closed",
      "claude-code: hooks, gateway stopped: closed",
      "claude-code: hooks, hostile repository: open",
      "claude-code: hooks, started with --bare: open",
      "claude-code: holdpoint run, hostile repository, no hooks: closed",
      "gemini-cli: no hooks: open",
      "gemini-cli: holdpoint run, hostile repository, no hooks: untried",
    ]);
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(attempts.every(({ held }) => held)).toBe(true); // doors are told, and fail nothing
    expect(attempts.filter(({ door }) => door === "open").map(({ what }) => what)).toEqual([
      "write with hooks, hostile repository",
      "write with hooks, started with --bare",
      "write with no hooks",
    ]);
    writeFileSync(file, before.replaceAll('"-c",', '"-c", "exit 0",')); // hooks that are there and do not hold
    const broken = await doctor();
    expect(broken.attempts.filter(({ held }) => !held).map(({ what }) => what)).toEqual([
      "write with hooks",
      "write with hooks, gateway stopped",
    ]);
  });
});
