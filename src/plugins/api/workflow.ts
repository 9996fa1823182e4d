/** What a plugin can order for an agent: text for its next turn, and turns at a later time. */
import type { Json, JsonObject } from "../../protocol/json.ts";

export const INJECTION_CHARS_MAX = 16_384;

export type NextTurnInjection = {
  sessionKey: string;
  /** Quoted as the plugin's text: it can neither forge nor close an envelope of the gateway. */
  text: string;
  /** The same key replaces what is still queued under it. */
  idempotencyKey?: string;
  placement?: "before" | "after";
  ttlMs?: number;
  metadata?: JsonObject;
};
export type EnqueuedInjection = { enqueued: boolean; id: string };

type When = { at: number } | { delayMs: number } | { cron: string; tz?: string };
/** Needs `schedule` in the manifest. The job ends with its session, and with the plugin. */
export type ScheduledTurn = { sessionKey: string; message: string; tag?: string } & When;

export type SessionAttachment = { sessionKey: string; fileName: string; mediaType: string; text: string };

export type SessionWorkflow = {
  enqueueNextTurnInjection(injection: NextTurnInjection): Promise<EnqueuedInjection>;
  scheduleSessionTurn(turn: ScheduledTurn): Promise<{ jobId: string }>;
  unscheduleSessionTurnsByTag(order: { sessionKey: string; tag: string }): Promise<{ removed: number }>;
  sendSessionAttachment(attachment: SessionAttachment): Promise<{ sent: boolean }>;
};

/** A value per run of an agent: gone when the run ends, never stored. */
export type RunContext = {
  get(runId: string, key: string): Promise<Json | undefined>;
  set(runId: string, entry: { key: string; value: Json }): Promise<void>;
  clear(runId: string): Promise<void>;
};
