/** State that a plugin keeps in each session: plain JSON, one owner, committed together with what follows from it. */
import type { z } from "zod";
import type { Json } from "../../protocol/json.ts";

export const STATE_DEPTH_MAX = 32;
export const STATE_BYTES_MAX = 256 * 1024;

/** Why a plugin's state in a session goes away, or is looked at again. */
export type CleanupReason = "disable" | "reset" | "delete" | "restart";

export type SessionExtension<State> = {
  /** Unique within the plugin. */
  namespace: string;
  description: string;
  /** JSON with plain prototypes, at most STATE_DEPTH_MAX deep and STATE_BYTES_MAX long. What is stored is parsed with it. */
  schema: z.ZodType<State>;
  initial: State;
  /** What clients may see, under `plugins.<id>.<namespace>` of the session; computed from the state and nothing else. */
  project?(state: State): Json | undefined;
  /** Cleans up what the plugin keeps outside; the host removes its slice, timers, injections and cards. */
  cleanup?(reason: CleanupReason, sessionKey: string): void | Promise<void>;
};

/** The plugin's own state in the sessions; nobody else's can be named. */
export type SessionState<State> = {
  get(sessionKey: string): Promise<State>;
  /** `change` is called again when another commit came first, so it must only compute. Returns what was stored. */
  update(sessionKey: string, change: (state: State) => State): Promise<State>;
};

/** State inside one command or action: what is set here commits with its injections and its continuation, or not at all. */
export type StagedState = {
  get(namespace: string): Json;
  set(namespace: string, value: Json): void;
};
