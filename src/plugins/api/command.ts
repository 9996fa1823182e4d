/** Slash commands and what their handlers may do. */
import type { Actor, Scope } from "../../protocol/actor.ts";
import type { Card } from "../../protocol/card/card.ts";
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { CommandSpec } from "../../protocol/plugin/plugin-manifest.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import type { LocalizedLine, LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { Session } from "../../protocol/session.ts";
import type { StagedState } from "./extension.ts";
import type { NextTurnInjection } from "./workflow.ts";

/** The session as a plugin sees it: with no slices but its own. */
export type PluginSession = Omit<Session, "injections" | "timers">;

/**
 * One invocation, with the sender's own identity and nobody else's. State, injections and the continuation commit
 * together when the handler has returned; the handler may be run again when somebody else changed the state meanwhile.
 */
export type HandlerCall = {
  /** The gateway's time: a plugin that uses it also works in tests, where the clock stands still. */
  atMs: number;
  session: PluginSession;
  actor: Extract<Actor, { kind: "operator" }>;
  /** The sender's scopes, the same as `actor.scopes`. The command's own were checked before the handler began. */
  gatewayClientScopes: readonly Scope[];
  state: StagedState;
  enqueueNextTurnInjection(injection: Omit<NextTurnInjection, "sessionKey">): void;
  /** Only for a plugin with a slice of its own (`registerSlice`): applies one command to it, in the sender's name. */
  apply(
    command: JsonObject,
  ): Promise<{ ok: true; reply: Json; session: Session | undefined } | { ok: false; refusal: Refusal }>;
  /** The cards that this plugin's slice describes for the session now. */
  cards(): readonly Card[];
  /**
   * The cards that the surface proves to have shown the sender, as they were last drawn; absent where it can prove
   * nothing of the kind. A bare "yes" can be about nothing else.
   */
  shown?: readonly Card[];
  /** An immutable document of this session, such as a plan revision. */
  artifact(kind: string, id: string): Promise<Json | undefined>;
};

export type CommandCall = HandlerCall & {
  /** What follows the command's name, as typed. */
  args: string;
};

/**
 * `continueAgent` resumes the agent, once per invocation, with a line that says who ran what and with what was queued; a
 * command that needs no more than operator.read never does. `ephemeral` (default): only the sender sees the message; `channel`: everyone who reads the
 * session; `silent`: nobody. `said` tells what the lines of the message mean, where they are words of the house.
 */
export type CommandResult =
  | { message?: string; said?: LocalizedLine[]; continueAgent?: boolean; delivery?: "ephemeral" | "channel" | "silent" }
  | { refusal: Refusal };

export type PluginCommand = Omit<CommandSpec, "description"> & {
  /** One line for lists and help; left out, it names the command. */
  description?: string;
  handler(call: CommandCall): CommandResult | Promise<CommandResult>;
  /** Of a bundled plugin: what its texts say under `command_<name>`, `usage_<name>` and `usage_<name>_<subcommand>`. */
  textOf?: ((key: string) => LocalizedText | undefined) | undefined;
};

/** Subcommands of a command that another plugin has. They are listed with it, and what they do is done by this plugin. */
export type PluginSubcommands = Pick<PluginCommand, "handler" | "textOf"> & {
  /** The other plugin's command. */
  of: string;
  subcommands: NonNullable<CommandSpec["subcommands"]>;
};
