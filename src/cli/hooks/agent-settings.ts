/**
 * Where each agent keeps its hooks, and what of it is ours. A document is changed as data: entries of others stay, in
 * their order, and ours stand last, because one agent trusts hooks by their position.
 */
import { join } from "node:path";
import { z } from "zod";
import { AGENT_LIMIT_SECONDS, guardLine, opencodePlugin } from "../../external/hooks/hook-program.ts";
import type { HookAgent } from "../../external/hooks/hook-line.ts";
import { JsonObject } from "../../protocol/json.ts";
import type { Environment } from "../../config/home.ts";

const SHORT_SECONDS = 60;

export type AgentFiles = { home: string; env: Environment; launcher: string };

/** A settings file that others write to as well, or a file of our own. */
export type AgentSettings =
  | {
      kind: "shared";
      file: string;
      install(document: JsonObject): JsonObject;
      remove(document: JsonObject): JsonObject;
      off(document: JsonObject): string[];
      /** Whether its hooks are such that ours cannot stand beside those of others. */
      isOdd(document: JsonObject): boolean;
    }
  | { kind: "own"; file: string; text: string };

type Entry = JsonObject;

export function agentSettings(agent: HookAgent, files: AgentFiles): AgentSettings {
  const { home, launcher } = files;
  switch (agent) {
    case "claude-code":
      return shared(join(moved(files, "CLAUDE_CONFIG_DIR", ".claude"), "settings.json"), files, {
        events: claudeEvents(launcher),
        also: { disableSkillShellExecution: true },
        off: (document) => [
          ...(document["disableAllHooks"] === true ? ["disableAllHooks is set: no hook runs"] : []),
          ...(document["disableSkillShellExecution"] === true
            ? []
            : ["disableSkillShellExecution is not set: skills start programs unseen"]),
        ],
      });
    case "codex":
      return shared(join(moved(files, "CODEX_HOME", ".codex"), "hooks.json"), files, {
        events: { PreToolUse: shell(guardLine(launcher, agent, "PreToolUse"), AGENT_LIMIT_SECONDS) },
      });
    case "qwen-code":
      return shared(join(home, ".qwen", "settings.json"), files, {
        events: { PreToolUse: shell(guardLine(launcher, agent, "PreToolUse"), AGENT_LIMIT_SECONDS * 1_000) },
        off: (document) => (document["disableAllHooks"] === true ? ["disableAllHooks is set: no hook runs"] : []),
      });
    case "gemini-cli":
      return shared(join(files.env["GEMINI_CLI_HOME"] || home, ".gemini", "settings.json"), files, {
        events: { BeforeTool: gemini(guardLine(launcher, agent, "BeforeTool")) },
        off: geminiOff,
      });
    case "copilot-cli":
      return {
        kind: "own",
        file: join(moved(files, "COPILOT_HOME", ".copilot"), "hooks", "holdpoint.json"),
        text: copilot(launcher),
      };
    case "opencode": {
      const config = files.env["XDG_CONFIG_HOME"] || join(home, ".config");
      return { kind: "own", file: join(config, "opencode", "plugins", "holdpoint.js"), text: opencodePlugin(launcher) };
    }
  }
}

const moved = ({ home, env }: AgentFiles, name: string, usual: string): string => env[name] || join(home, usual);

/** Without a shell in between, so that nothing of the person's own shell takes part. */
const claude = (line: string, timeout: number): Entry => ({
  hooks: [{ type: "command", command: "/bin/sh", args: ["-c", line], timeout }],
});
const shell = (line: string, timeout: number): Entry => ({ hooks: [{ type: "command", command: line, timeout }] });
const gemini = (line: string): Entry => ({
  hooks: [{ type: "command", name: "holdpoint", command: line, timeout: AGENT_LIMIT_SECONDS * 1_000 }],
});

const claudeEvents = (launcher: string): Record<string, Entry> => {
  const line = (event: string): string => guardLine(launcher, "claude-code", event);
  return {
    PreToolUse: claude(line("PreToolUse"), AGENT_LIMIT_SECONDS),
    UserPromptExpansion: claude(line("UserPromptExpansion"), SHORT_SECONDS),
    ConfigChange: claude(line("ConfigChange"), SHORT_SECONDS),
  };
};

const copilot = (launcher: string): string => {
  const entry = {
    type: "command",
    bash: guardLine(launcher, "copilot-cli", "preToolUse"),
    timeoutSec: AGENT_LIMIT_SECONDS,
  };
  return `${JSON.stringify({ version: 1, hooks: { preToolUse: [entry] } }, null, 2)}\n`;
};

const HooksConfig = z.looseObject({ enabled: z.boolean().optional(), disabled: z.array(z.unknown()).optional() });

function geminiOff(document: JsonObject): string[] {
  const { enabled, disabled = [] } = HooksConfig.safeParse(document["hooksConfig"]).data ?? {};
  return [
    ...(enabled === false ? ["hooksConfig.enabled is false: no hook runs"] : []),
    ...(disabled.includes("holdpoint") ? ["hooksConfig.disabled names ours"] : []),
  ];
}

type Shared = { events: Record<string, Entry>; also?: JsonObject; off?(document: JsonObject): string[] };
const Groups = z.array(z.json());

function shared(file: string, { launcher }: AgentFiles, { events, also = {}, off = () => [] }: Shared): AgentSettings {
  const isOurs = (entry: unknown): boolean =>
    JSON.stringify(entry ?? null).includes(JSON.stringify(launcher).slice(1, -1));
  const without = (document: JsonObject): JsonObject => {
    const hooks = Object.entries(hooksIn(document)).map(([event, groups]) => ({
      event,
      groups: groupsIn(groups).flatMap((group) => strippedOf(group, isOurs)),
    }));
    const left = hooks.flatMap(({ event, groups }) =>
      groups.length > 0 || !(event in events) ? [[event, groups]] : [],
    );
    const { hooks: _hooks, ...rest } = document;
    return left.length === 0 ? rest : { ...document, hooks: JsonObject.parse(Object.fromEntries(left)) }; // in its place
  };
  return {
    kind: "shared",
    file,
    remove: without,
    isOdd: ({ hooks = {} }) => {
      const { data } = JsonObject.safeParse(hooks);
      return data === undefined || Object.keys(events).some((event) => !Groups.safeParse(data[event] ?? []).success);
    },
    install(document) {
      const bare = without(document);
      const hooks = { ...hooksIn(bare) };
      for (const [event, entry] of Object.entries(events)) hooks[event] = [...groupsIn(hooks[event]), entry];
      return { ...bare, ...also, hooks };
    },
    off(document) {
      const hooks = hooksIn(document);
      const lacking = Object.entries(events).filter(
        ([event, entry]) => !groupsIn(hooks[event]).some((group) => JSON.stringify(group) === JSON.stringify(entry)),
      );
      return [...lacking.map(([event]) => `the entry for ${event} is missing or was changed`), ...off(document)];
    },
  };
}

const hooksIn = (document: JsonObject): JsonObject => JsonObject.safeParse(document["hooks"]).data ?? {};
const groupsIn = (groups: unknown) => Groups.safeParse(groups).data ?? [];
const Group = z.looseObject({ hooks: z.array(z.json()) });

/** The group without our handlers; none where nothing else was in it. */
function strippedOf(group: z.infer<typeof Groups>[number], isOurs: (entry: unknown) => boolean) {
  const { data } = Group.safeParse(group);
  if (data === undefined) return [group];
  const hooks = data.hooks.filter((handler) => !isOurs(handler));
  if (hooks.length === data.hooks.length) return [group];
  return hooks.length === 0 ? [] : [{ ...JsonObject.parse(group), hooks }];
}
