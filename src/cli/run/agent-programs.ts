/** The agents that `holdpoint run` knows: their program, what of the machine is theirs, and how they learn of the gate. */
import { randomBytes } from "node:crypto";
import { join } from "node:path";
import type { HookAgent } from "../../external/hooks/hook-line.ts";
import { AGENT_LIMIT_SECONDS, guardLine } from "../../external/hooks/hook-program.ts";
import type { Environment } from "../../config/home.ts";
import type { JsonObject } from "../../protocol/json.ts";

export type AgentProgram = {
  agent: HookAgent;
  program: string;
  /** Folders and files below the home folder that are its own; a name with an ending is a file. */
  own: readonly string[];
  /** Of these: what could switch hooks off, or is run the next time that the agent starts without us. Made where missing. */
  kept: readonly string[];
  /** Likewise, where it is there. */
  keptIfThere?: readonly string[];
  /** Settings that bring our hooks in for this run alone, whatever the repository says. */
  settings?(launcher: string): JsonObject;
  /** How it is given them, and put into its own plan mode. */
  start?(file: string, args: readonly string[]): { args: readonly string[]; env?: Record<string, string> };
  /** Variables for this run alone. */
  env?: Readonly<Record<string, string>>;
  /** Where its model is, and where people log in to it; a name that begins with a dot stands for all below it. */
  hosts: readonly string[];
  /** Whether it hands its plans over by itself, while a person talks with it. */
  plans: boolean;
  /** With these arguments nobody does, and its plan mode is switched off. */
  isUnattended?(args: readonly string[]): boolean;
};

const has = (args: readonly string[], ...names: string[]): boolean =>
  args.some((arg) => names.some((name) => arg === name || arg.startsWith(`${name}=`)));

const claudeHooks = (launcher: string): JsonObject => {
  const entry = (event: string, timeout: number): JsonObject => ({
    hooks: [{ type: "command", command: "/bin/sh", args: ["-c", guardLine(launcher, "claude-code", event)], timeout }],
  });
  return {
    disableAllHooks: false,
    disableSkillShellExecution: true,
    hooks: { PreToolUse: [entry("PreToolUse", AGENT_LIMIT_SECONDS)], ConfigChange: [entry("ConfigChange", 60)] },
  };
};

const PROGRAMS: readonly AgentProgram[] = [
  {
    agent: "claude-code",
    program: "claude",
    own: [".claude", ".claude.json"],
    kept: [
      ".claude/settings.json",
      ".claude/settings.local.json",
      ".claude/agents",
      ".claude/commands",
      ".claude/hooks",
      ".claude/skills",
    ],
    keptIfThere: [".claude/CLAUDE.md", ".claude/local", ".claude/rules", ".claude/output-styles"],
    settings: claudeHooks,
    start: (file, args) => ({
      args: [
        ...(has(args, "--settings") ? [] : ["--settings", file]),
        ...(has(args, "--permission-mode", "-p", "--print", "--dangerously-skip-permissions")
          ? []
          : ["--permission-mode", "plan"]),
        ...args,
      ],
    }),
    hosts: ["api.anthropic.com", "console.anthropic.com", "platform.claude.com", "claude.ai"],
    plans: true,
    isUnattended: (args) => has(args, "-p", "--print", "--dangerously-skip-permissions"),
  },
  {
    agent: "codex",
    program: "codex",
    own: [".codex"],
    kept: [".codex/hooks.json", ".codex/config.toml", ".codex/prompts", ".codex/rules", ".codex/skills"],
    keptIfThere: [".codex/AGENTS.md"],
    hosts: ["api.openai.com", "auth.openai.com", "chatgpt.com"],
    plans: false,
  },
  {
    agent: "gemini-cli",
    program: "gemini",
    own: [".gemini"],
    kept: [".gemini/settings.json", ".gemini/commands", ".gemini/extensions", ".gemini/policies"],
    keptIfThere: [".gemini/GEMINI.md", ".gemini/trustedFolders.json"],
    settings: (launcher) => ({
      hooksConfig: { enabled: true },
      hooks: {
        BeforeTool: [
          {
            hooks: [
              {
                type: "command",
                name: `holdpoint-${randomBytes(6).toString("hex")}`, // a repository can switch off hooks whose name it knows
                command: guardLine(launcher, "gemini-cli", "BeforeTool"),
                timeout: AGENT_LIMIT_SECONDS * 1_000,
              },
            ],
          },
        ],
      },
    }),
    start: (file, args) => ({ args, env: { GEMINI_CLI_SYSTEM_SETTINGS_PATH: file } }),
    hosts: [
      "generativelanguage.googleapis.com",
      "cloudcode-pa.googleapis.com",
      "oauth2.googleapis.com",
      "accounts.google.com",
    ],
    plans: true,
    isUnattended: (args) => has(args, "-p", "--prompt", "-y", "--yolo"),
  },
  {
    agent: "opencode",
    program: "opencode",
    own: [".config/opencode", ".local/share/opencode", ".local/state/opencode", ".cache/opencode"],
    kept: [".config/opencode/plugins", ".config/opencode/opencode.json"],
    hosts: ["api.anthropic.com", "api.openai.com", "opencode.ai", "models.dev", "openrouter.ai"],
    plans: false,
  },
  {
    agent: "copilot-cli",
    program: "copilot",
    own: [".copilot", ".config/github-copilot"],
    kept: [".copilot/hooks"],
    env: { COPILOT_CACHE_HOME: "/tmp/copilot-cache" }, // it unpacks itself there, and would run what lies there the next time
    hosts: [".githubcopilot.com", "api.github.com"],
    plans: false,
  },
  {
    agent: "qwen-code",
    program: "qwen",
    own: [".qwen"],
    kept: [".qwen/settings.json"],
    hosts: ["dashscope.aliyuncs.com", "dashscope-intl.aliyuncs.com", "portal.qwen.ai", "chat.qwen.ai"],
    plans: false,
  },
];

/** By the agent's name or its program's. */
export const agentProgram = (name: string): AgentProgram | undefined =>
  PROGRAMS.find(({ agent, program }) => agent === name || program === name);

/** Folders that a variable moves elsewhere: what of the path is replaced by it, and what stays. */
const MOVED: readonly { folder: string; by: string; keeps?: string }[] = [
  { folder: ".claude", by: "CLAUDE_CONFIG_DIR" },
  { folder: ".codex", by: "CODEX_HOME" },
  { folder: ".copilot", by: "COPILOT_HOME" },
  { folder: ".gemini", by: "GEMINI_CLI_HOME", keeps: ".gemini" },
  { folder: ".config", by: "XDG_CONFIG_HOME" },
  { folder: ".local/share", by: "XDG_DATA_HOME" },
  { folder: ".local/state", by: "XDG_STATE_HOME" },
  { folder: ".cache", by: "XDG_CACHE_HOME" },
];

/** Where something below the home folder is for this person. */
export function placeFor(path: string, { home, env }: { home: string; env: Environment }): string {
  const moved = MOVED.find(({ folder, by }) => env[by] && (path === folder || path.startsWith(`${folder}/`)));
  if (moved === undefined) return join(home, path);
  return join(env[moved.by] ?? home, moved.keeps ?? "", path.slice(moved.folder.length));
}
