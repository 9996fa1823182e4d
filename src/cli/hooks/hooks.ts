/** `holdpoint hooks install|remove|status`: puts the gate into the agents that people already run, and looks after it. */
import { readFile } from "node:fs/promises";
import { createConnection } from "node:net";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { ensureHome, homePath } from "../../config/home.ts";
import { HOOK_AGENTS, HookAgent } from "../../external/hooks/hook-line.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { type AgentSettings, agentSettings } from "./agent-settings.ts";
import { hookFileProblems, hookFolder, launcherFile, writeHookFiles } from "./hook-files.ts";
import { withInstallLock } from "./install-lock.ts";
import { changeSettings, odd, parseSettings, readSettings } from "./settings-file.ts";

const ALIASES: Readonly<Record<string, HookAgent>> = {
  claude: "claude-code",
  gemini: "gemini-cli",
  copilot: "copilot-cli",
  qwen: "qwen-code",
};

/** An agent by its name or by what people call it. */
export function agentNamed(name: string): HookAgent {
  const { data } = HookAgent.safeParse(Object.hasOwn(ALIASES, name) ? ALIASES[name] : name);
  if (data !== undefined) return data;
  const message = `There are no hooks for "${name}".`;
  throw new CliError({
    exit: "usage",
    message,
    advice: `There are hooks for: ${HOOK_AGENTS.join(", ")}.`,
    code: "USAGE",
  });
}

const settingsOf = (agent: HookAgent, { env }: Pick<CommandContext, "env">): AgentSettings =>
  agentSettings(agent, { home: env["HOME"] || homedir(), env, launcher: launcherFile(homePath(env)) });

const lockFile = (home: string): string => join(hookFolder(home), "install.lock");
const written = (document: JsonObject): string => `${JSON.stringify(document, null, 2)}\n`;

/** One at a time: what the agent's settings become; undefined: the file goes. */
type Change = (settings: AgentSettings, text: string | undefined) => string | undefined;

async function change(name: string, context: CommandContext, become: Change) {
  const agent = agentNamed(name);
  const home = homePath(context.env);
  const settings = settingsOf(agent, context);
  await ensureHome(home);
  await writeHookFiles(home);
  const done = await withInstallLock(lockFile(home), () =>
    changeSettings(settings.file, (text) => become(settings, text)),
  );
  context.output.document({ agent, file: settings.file, outcome: done });
  return { agent, settings, done };
}

/** What others keep in a form that we do not know would be lost. */
function documentIn({ file, isOdd }: Extract<AgentSettings, { kind: "shared" }>, text: string | undefined): JsonObject {
  const document = parseSettings(file, text);
  if (isOdd(document)) throw odd(file, "its hooks are of no known form", "Look at them, and run this again.");
  return document;
}

export async function installHooks(name: string, context: CommandContext): Promise<void> {
  const { agent, settings, done } = await change(name, context, (own, text) => {
    if (own.kind === "own") return own.text;
    const before = documentIn(own, text);
    const after = own.install(before);
    return JSON.stringify(after) === JSON.stringify(before) ? text : written(after);
  });
  const lines = [
    done === "changed"
      ? `Hooks for ${agent} are installed in ${settings.file}.`
      : `Hooks for ${agent} were installed already.`,
    ...(AFTERWARDS[agent] ?? []),
    "A hook is a seat belt, not a wall: start the agent with holdpoint run to have the kernel hold it as well.",
  ];
  context.output.lines(lines);
}

/** What only a person may do. */
const AFTERWARDS: Partial<Record<HookAgent, string[]>> = {
  codex: [
    "Codex skips hooks that nobody trusts, without a word: open Codex, look at them with /hooks, and trust this one.",
    "Trust goes by position: after another program has added a hook, look again.",
  ],
};

export async function removeHooks(name: string, context: CommandContext): Promise<void> {
  const { agent, settings, done } = await change(name, context, (own, text) => {
    if (text === undefined || own.kind === "own") return undefined;
    const before = documentIn(own, text);
    const after = own.remove(before);
    if (JSON.stringify(after) === JSON.stringify(before)) return text;
    return Object.keys(after).length === 0 ? undefined : written(after);
  });
  context.output.lines([
    done === "changed" ? `Hooks for ${agent} are removed from ${settings.file}.` : `There were no hooks for ${agent}.`,
    ...(agent === "claude-code"
      ? ["disableSkillShellExecution stays as it is: it is a good setting without us, too."]
      : []),
  ]);
}

type HookStatus = { agent: HookAgent; file: string; status: "none" | "installed" | "tampered"; problems: string[] };

export async function hooksStatus(name: string | undefined, context: CommandContext): Promise<number> {
  const agents = name === undefined ? HOOK_AGENTS : [agentNamed(name)];
  const found = await Promise.all(agents.map((agent) => statusOf(agent, context)));
  const isUp = await answers(join(homePath(context.env), "agents.sock"));
  context.output.document({ gateway: isUp ? "answers" : "does not answer", agents: found });
  const { paint } = context.output.look();
  context.output.lines([
    ...found.flatMap(({ agent, file, status, problems }) => [
      status === "installed"
        ? `${paint.good("✓")} ${agent}: installed in ${file}`
        : status === "none"
          ? `  ${agent}: not installed`
          : `${paint.bad("✗")} ${agent}: installed in ${file}, but it does not hold`,
      ...problems.map((problem) => `    ${sanitiseLine(problem)}`),
    ]),
    isUp
      ? "The gateway answers."
      : "No gateway answers: until one does, hooks refuse everything that changes something.",
  ]);
  return found.some(({ status }) => status === "tampered") ? 1 : 0;
}

async function statusOf(agent: HookAgent, context: CommandContext): Promise<HookStatus> {
  const settings = settingsOf(agent, context);
  const { file } = settings;
  const home = homePath(context.env);
  try {
    const { text } = await readSettings(file);
    const isMentioned = text?.includes(JSON.stringify(launcherFile(home)).slice(1, -1)) === true;
    if (text === undefined || !isMentioned) return { agent, file, status: "none", problems: [] };
    const own =
      settings.kind === "own"
        ? text === settings.text
          ? []
          : ["its text was changed"]
        : settings.off(parseSettings(file, text));
    const problems = [...own, ...(await hookFileProblems(home)), ...(agent === "codex" ? await untrusted(file) : [])];
    return { agent, file, status: problems.length === 0 ? "installed" : "tampered", problems };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { agent, file, status: "tampered", problems: [error.message] };
  }
}

/** Codex keeps what is trusted beside its hooks; whether the hash fits only Codex can say. */
async function untrusted(file: string): Promise<string[]> {
  const config = await readFile(join(dirname(file), "config.toml"), "utf8").catch(() => "");
  const isListed = config.includes(`${file}:pre_tool_use:`) && /trusted_hash\s*=/.test(config);
  return isListed
    ? []
    : ["Codex does not list it as trusted, and skips it without a word: trust it with /hooks in Codex"];
}

function answers(path: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = createConnection(path);
  socket.once("connect", () => resolve(true));
  socket.once("error", () => resolve(false));
  return promise.finally(() => socket.destroy());
}
