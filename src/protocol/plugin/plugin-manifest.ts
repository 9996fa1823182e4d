/** A plugin's manifest: what it is and what it will claim, read and judged without running a line of its code. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { Scope } from "../actor.ts";
import { JsonObject } from "../json.ts";

export const MANIFEST_FILE = "holdpoint.plugin.json";
export const MANIFEST_BYTES_MAX = 256 * 1024;
const DECLARED_MAX = 100;
const LINE_CHARS_MAX = 500;

export const PluginId = z.string().regex(
  // `constructor` would be found in every table that nobody put it into
  /^(?!constructor$)[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
  "small letters, digits and single - between them, at most 64",
);
export type PluginId = z.infer<typeof PluginId>;

/** Shown on terminals and in lists, where a second line or a control character would pass for somebody else's words. */
const line = z
  .string()
  .trim()
  .min(1)
  .max(LINE_CHARS_MAX)
  .regex(/^[^\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]*$/u, "one line without control characters");
const word = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, "small letters, digits and -, at most 32");
const scopes = z.array(Scope).max(4);

/** Absent scopes mean operator.write. All that are named are needed. */
const Subcommand = lazySchema(() =>
  z.strictObject({
    name: word,
    description: line,
    usage: line.optional(),
    requiredScopes: scopes.optional(),
    /** Needed as well where it is said on a channel: what it prints stands in a chat that others may read. */
    channelScopes: scopes.optional(),
  }),
);

/** One word: people type what follows it, and `subcommands` says what that may be. */
const commandName = z.string().regex(/^[a-z][a-z0-9-]{0,31}$/, { error: ({ input }) => nameProblem(String(input)) });

function nameProblem(name: string): string {
  const [root, ...rest] = name.trim().split(/\s+/);
  if (rest.length === 0) return "small letters, digits and -, at most 32";
  return `a command is one word; register "${root}" with subcommands: [{ name: "${rest.join("-")}", … }]`;
}

export const CommandSpec = z.strictObject({
  /** Without the slash: `deploy`. */
  name: commandName,
  description: line.default("A command of a plugin."),
  usage: z.array(line).max(DECLARED_MAX).optional(),
  requiredScopes: scopes.optional(),
  /** `reserved`, or `trusted`, claims one of the roots that belong to the house: only bundled and trusted plugins may. */
  ownership: z.enum(["plugin", "reserved", "trusted"]).optional(),
  /** False: anything behind the name is an error. */
  acceptsArgs: z.boolean().optional(),
  /** Which subcommand the name alone stands for. */
  bareAs: word.optional(),
  /** The first word behind the name, where it has scopes or a usage of its own. */
  subcommands: z.array(Subcommand).max(DECLARED_MAX).optional(),
});
export type CommandSpec = z.infer<typeof CommandSpec>;

/** What a plugin asks its operator for beyond its own state and commands. */
export const PluginNeed = z.enum([
  "injections", // text for the agent's next turn
  "schedule", // turns at a later time
  "agent-events", // what agents do, as it happens
  "message-text", // the words of messages in hooks and events
  "tool-arguments", // the arguments of tool calls in hooks
  "prompt", // parts of what the agent is told
  "attachments", // files sent into a session
  "network", // other machines; without it an isolated plugin reaches none
]);
export type PluginNeed = z.infer<typeof PluginNeed>;

export const PluginTier = z.enum(["bundled", "trusted", "ordinary"]);
export type PluginTier = z.infer<typeof PluginTier>;

export const PluginManifest = lazySchema(() =>
  z.strictObject({
    id: PluginId,
    name: line,
    version: z.string().regex(/^\d{1,5}\.\d{1,5}\.\d{1,5}(?:-[0-9A-Za-z.-]{1,64})?$/, "a version such as 1.0.0"),
    description: line,
    /** JavaScript, inside the plugin's own folder. */
    entry: z
      .string()
      .regex(/^(?!\/)(?!.*(?:^|\/)\.\.(?:\/|$))[A-Za-z0-9._/-]{1,200}\.m?js$/, "a .js file inside the plugin"),
    /** The SDK that it was written for. */
    sdk: z.literal(1),
    /** Trusted plugins run inside the gateway and may hold the gate; the operator must have said so by `plugins trust`. */
    trust: z.enum(["ordinary", "trusted"]).default("ordinary"),
    needs: z.array(PluginNeed).max(DECLARED_MAX).default([]),
    commands: z.array(CommandSpec).max(DECLARED_MAX).default([]),
    tools: z
      .array(z.strictObject({ name: z.string().min(1).max(64), effect: z.enum(["read", "write", "dynamic"]) }))
      .max(DECLARED_MAX)
      .default([]),
    policies: z.array(word).max(DECLARED_MAX).default([]),
    hooks: z.array(z.string().max(64)).max(DECLARED_MAX).default([]),
    ui: z
      .array(z.strictObject({ id: word, surface: z.string().max(64) }))
      .max(DECLARED_MAX)
      .default([]),
    /** JSON Schema of `plugins.entries.<id>.config`. */
    configSchema: JsonObject.optional(),
  }),
);
export type PluginManifest = z.infer<typeof PluginManifest>;
