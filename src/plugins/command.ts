import type { Actor, Scope } from "../protocol/actor.ts";
import type { Json, JsonObject } from "../protocol/json.ts";
import type { Refusal } from "../protocol/refusal.ts";
import type { Session } from "../protocol/session.ts";

/** A slash command as it arrives from any surface, with the sender's own identity and nobody else's. */
export type CommandCall = {
  /** What follows the command's name, as typed. */
  args: string;
  session: Session;
  actor: Extract<Actor, { kind: "operator" }>;
  /** Applies a command of the plugin's own slice to this session, as the sender, at most once per message. */
  apply(
    command: JsonObject,
  ): Promise<{ ok: true; reply: Json; session: Session | undefined } | { ok: false; refusal: Refusal }>;
  /** An immutable document of this session, such as a plan revision. */
  artifact(kind: string, id: string): Promise<Json | undefined>;
};

export type CommandReply = { ok: true; message: string } | { ok: false; refusal: Refusal };

export type Command = {
  /** Without the slash: `plan`. */
  name: string;
  description: string;
  usage: string[];
  /** Checked by the host before the handler runs, on every surface alike; may depend on the arguments. */
  requiredScopes(args: string): readonly Scope[];
  handler(call: CommandCall): Promise<CommandReply>;
};
