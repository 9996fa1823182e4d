/** Sessions for plugins that bring in what happens outside: a build that ended, an agent of somebody else. */
import type { Json, JsonObject } from "../../protocol/json.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import type { PluginSession } from "./command.ts";

export type OutsideSessions = {
  /** As it is stored now; of the slices only the plugin's own. */
  read(sessionKey: string): Promise<PluginSession | undefined>;
  /**
   * A command of the plugin's own machine, in the plugin's name: nobody decides on a plan by it. With a key the same
   * command is carried out once, also after a restart.
   */
  dispatch(
    sessionKey: string,
    command: JsonObject,
    options?: { idempotencyKey?: string },
  ): Promise<{ ok: true; reply: Json } | { ok: false; refusal: Refusal }>;
};
