/** The programs of others, as people run them: pinned, installed from the registry into a folder outside of the tree. */
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { tmpdir } from "node:os";
import { AGENT_PROBES, type AgentProbe } from "../../src/cli/gate/agents/agent-probes.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { PROMPT, type ScriptedCall, type ScriptedModels } from "../../src/cli/gate/agents/scripted-models.ts";

const INSTALL_MS_MAX = 600_000;

export type RealAgent = {
  name: "claude" | "codex" | "gemini";
  package: string;
  version: string;
  /** Below the folder of its packages. */
  program: string;
  /** Its settings for a scripted model, in the person's home folder. */
  prepare(place: AgentPlace): void;
  /** In the mode in which it asks nobody. */
  args: readonly string[];
  env(place: AgentPlace): Record<string, string>;
  shell(command: string): ScriptedCall;
  write(path: string): ScriptedCall;
  /** What a cloned repository brings that switches hooks off, without a word. */
  hostile: Readonly<Record<string, string>>;
};

export type AgentPlace = { home: string; project: string; models: ScriptedModels };

const file = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};
const settings = (value: JsonObject): string => `${JSON.stringify(value, null, 2)}\n`;

/** What the doctor knows of it, too. */
function probeOf(name: RealAgent["name"]): Pick<RealAgent, "version" | "shell" | "write" | "hostile"> {
  const { tested: version, shell, write, hostile } = knownProbe(name);
  return { version, shell, write, hostile };
}

function knownProbe(name: string): AgentProbe {
  const probe = AGENT_PROBES.find(({ program }) => program === name);
  if (probe === undefined) throw new Error(`the doctor does not know ${name}`);
  return probe;
}

const testedOf = (name: string): string => knownProbe(name).tested;

export const REAL_AGENTS: readonly RealAgent[] = [
  {
    name: "claude",
    package: "@anthropic-ai/claude-code",
    ...probeOf("claude"),
    program: "claude",
    prepare: ({ home }) => file(join(home, ".claude", "settings.json"), settings({})),
    args: ["-p", PROMPT, "--output-format", "stream-json", "--verbose", "--dangerously-skip-permissions"],
    env: ({ models }) => ({
      ANTHROPIC_BASE_URL: models.url,
      ANTHROPIC_API_KEY: "sk-scripted",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      IS_SANDBOX: "1", // it refuses to skip its questions as root otherwise
    }),
  },
  {
    name: "codex",
    package: "@openai/codex",
    ...probeOf("codex"),
    program: "codex",
    prepare: ({ home, project, models }) =>
      file(
        join(home, ".codex", "config.toml"),
        `model = "gpt-5.5"
model_provider = "scripted"
[features]
plugins = false
remote_plugin = false
apps = false
[analytics]
enabled = false
[model_providers.scripted]
name = "scripted"
base_url = "${models.url}/v1"
wire_api = "responses"
env_key = "SCRIPTED_KEY"
[projects."${project}"]
trust_level = "trusted"
`,
      ),
    args: [
      "exec",
      "--json",
      "--skip-git-repo-check",
      "--dangerously-bypass-hook-trust",
      "--dangerously-bypass-approvals-and-sandbox",
      PROMPT,
    ],
    env: () => ({ SCRIPTED_KEY: "sk-scripted" }),
  },
  {
    name: "gemini",
    package: "@google/gemini-cli",
    ...probeOf("gemini"),
    program: "gemini",
    prepare: ({ home }) =>
      file(
        join(home, ".gemini", "settings.json"),
        settings({
          security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
          privacy: { usageStatisticsEnabled: false },
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
          telemetry: { enabled: false },
        }),
      ),
    args: ["-m", "gemini-2.5-flash", "-o", "stream-json", "--yolo", "-p", PROMPT],
    env: ({ models }) => ({
      GEMINI_API_KEY: "scripted",
      GOOGLE_GEMINI_BASE_URL: models.url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_CLI_NO_RELAUNCH: "true",
    }),
  },
];

/** What is installed of an agent. */
type Packaged = Pick<RealAgent, "package" | "version" | "program"> & { name: string };

/** Tried by the doctor alone. */
export const DOCTORED_AGENTS: readonly Packaged[] = [
  { name: "opencode", package: "opencode-ai", version: testedOf("opencode"), program: "opencode" },
  { name: "copilot", package: "@github/copilot", version: testedOf("copilot"), program: "copilot" },
];

/** Kept between runs: together they are a gigabyte and a half. `HOLDPOINT_AGENTS_DIR` says where else. */
const packagesFolder = (): string => process.env["HOLDPOINT_AGENTS_DIR"] ?? join(tmpdir(), "holdpoint-real-agents");

export type Installed = { program: string } | { missing: string };

/** Installs what is not there yet; says why where that cannot be done. */
export function installed(agent: Packaged): Installed {
  if (process.platform !== "linux")
    return { missing: `it is installed on Linux alone, and this is ${process.platform}` };
  const folder = join(packagesFolder(), `${agent.name}-${agent.version}`);
  const program = join(folder, "node_modules", ".bin", agent.program);
  if (existsSync(program)) return { program };
  const fresh = `${folder}.${process.pid}`;
  mkdirSync(fresh, { recursive: true });
  chmodSync(fresh, 0o755);
  try {
    const asked = [
      `${agent.package}@${agent.version}`,
      "--prefix",
      fresh,
      "--no-audit",
      "--no-fund",
      "--no-package-lock",
    ];
    const done = spawnSync("npm", ["install", ...asked], { timeout: INSTALL_MS_MAX, encoding: "utf8", cwd: fresh });
    if (done.status !== 0)
      return { missing: `npm did not install ${agent.package}@${agent.version}: ${lastLine(done.stderr)}` };
    rmSync(folder, { recursive: true, force: true });
    renameSync(fresh, folder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
  return { program };
}

const lastLine = (text: string | null): string => (text ?? "").trim().split("\n").at(-1) ?? "";
