/** How a plugin ends, what it writes to the log, and what it adds to an agent's heartbeat. */
import type { Json } from "../../protocol/json.ts";
import type { CleanupReason } from "./extension.ts";

export type LogLevel = "debug" | "info" | "warn" | "error";
export type PluginLog = (level: LogLevel, message: string, fields?: Readonly<Record<string, Json>>) => void;

export type Lifecycle = {
  /** The plugin is switched off, or the gateway ends: release what is held outside. */
  dispose?(): void | Promise<void>;
  /** A session with state of this plugin is reset, deleted, cleaned up, or left by this process. */
  cleanup?(reason: CleanupReason, sessionKey: string): void | Promise<void>;
};

/** A line or two that the agent reads at each heartbeat; undefined when there is nothing to report. */
export type HeartbeatContribution = {
  id: string;
  text(place: { agentId: string; sessionKey: string }): string | undefined;
};
