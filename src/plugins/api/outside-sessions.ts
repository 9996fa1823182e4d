/** Access to sessions for plugins that report outside events: a build that ended, somebody else's agent. */
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import type { PluginSession } from "./command.ts";

export type OutsideSessions = {
  /** As it is stored now; of the slices only the plugin's own. */
  read(sessionKey: string): Promise<PluginSession | undefined>;
  /**
   * A command to the plugin's own slice, in the plugin's name: it cannot decide on a plan. With a key the same command
   * is applied once, even after a restart.
   */
  dispatch(
    sessionKey: string,
    command: JsonObject,
    options?: { idempotencyKey?: string },
  ): Promise<{ ok: true; reply: Json } | { ok: false; refusal: Refusal }>;
};
