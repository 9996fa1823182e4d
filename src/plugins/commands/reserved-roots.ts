/**
 * Command names that are reserved for the gateway. One with an owner is that plugin's alone; the others are open to
 * bundled and trusted plugins that declare them. Spelling is no way around it: `/pIan`, `/PLAN` and `/plаn` are one
 * name.
 */
import { BUNDLED_COMMAND_ROOTS } from "../../bundled.ts";
import { skeleton } from "../../core/text/fold-look-alikes.ts";

const UNOWNED = [
  "abort",
  "acp",
  "activation",
  "agent",
  "agents",
  "allow",
  "allowlist",
  "approvals",
  "audit",
  "auth",
  "bash",
  "btw",
  "bypass",
  "commands",
  "compact",
  "config",
  "cron",
  "debug",
  "deny",
  "doctor",
  "elevated",
  "exec",
  "exit",
  "export-session",
  "fast",
  "focus",
  "gate",
  "gateway",
  "holdpoint",
  "kill",
  "login",
  "logout",
  "mcp",
  "model",
  "models",
  "new",
  "pair",
  "plugin",
  "plugins",
  "quit",
  "reasoning",
  "reject",
  "reset",
  "restart",
  "say",
  "session",
  "sessions",
  "skill",
  "skills",
  "steer",
  "stop",
  "subagents",
  "system",
  "tasks",
  "think",
  "tokens",
  "tools",
  "trace",
  "tts",
  "unfocus",
  "update",
  "verbose",
  "whoami",
];

export const rootKey = (name: string): string => skeleton(name);

const RESERVED: ReadonlyMap<string, string | undefined> = new Map([
  ...UNOWNED.map((name) => [rootKey(name), undefined] as const),
  ...[...BUNDLED_COMMAND_ROOTS].map(([name, owner]) => [rootKey(name), owner] as const),
]);

/** Undefined: the root is free. */
export function reservation(name: string): { owner: string | undefined } | undefined {
  const key = rootKey(name);
  return RESERVED.has(key) ? { owner: RESERVED.get(key) } : undefined;
}
