/** What the host needs from the gateway. It is connected once the gateway is built; until then plugins only register. */
import type { SessionId } from "../protocol/ids.ts";
import type { Session } from "../protocol/session.ts";
import type { JsonObject } from "../protocol/json.ts";
import type { BlobsApi } from "./api/blobs.ts";
import type { CallsApi } from "./api/calls.ts";
import type { OfferedTool, OwnedNamespace } from "./api/catalog.ts";
import type { Documents } from "./api/methods.ts";
import type { ScheduledTurn } from "./api/workflow.ts";
import type { Sessions } from "./sessions.ts";
import type { Tool } from "./tool.ts";

/** The registry of tools; built-in tools have their names first. */
export type ToolShelf = { has(name: string): boolean; add(tool: Tool): void; remove(name: string): void };

export type PluginScheduler = {
  schedule(pluginId: string, turn: ScheduledTurn): Promise<{ jobId: string }>;
  unscheduleByTag(pluginId: string, order: { sessionKey: string; tag: string }): Promise<{ removed: number }>;
  /** Every job of the plugin, in every session. */
  removeOwned(pluginId: string): Promise<void>;
};

/**
 * A plugin that may have left something in sessions. The mark is stored when the plugin is enabled, and removed after its
 * cleanup: a plugin that is marked at the start and no longer enabled is cleaned up, however it went.
 */
export type CleanupMark = { pluginId: string; slices: readonly string[]; injectionKind: string };
export type CleanupMarks = {
  list(): Promise<CleanupMark[]>;
  /** An existing mark is merged with the new one: an older version may have left more. */
  put(marks: readonly CleanupMark[]): Promise<void>;
  remove(pluginId: string): Promise<void>;
};

export type SessionPages = (
  cursor: string | null,
) => Promise<{ sessionIds: readonly SessionId[]; nextCursor: string | null }>;

/** A plugin's `calls`, in the name of that plugin. */
export type PluginCalls = {
  [Name in keyof CallsApi]: (pluginId: string, given: Parameters<CallsApi[Name]>[0]) => ReturnType<CallsApi[Name]>;
};

/** The bytes that plugins keep; `owner` is the plugin. */
export type PluginBlobs = {
  save(owner: string, blob: Parameters<BlobsApi["save"]>[0]): Promise<boolean>;
  read(owner: string, key: string): Promise<Uint8Array | undefined>;
  remove(owner: string, which: Parameters<BlobsApi["remove"]>[0]): Promise<void>;
  count(owner: string, sessionKey?: string): Promise<number>;
};

export type PluginRuntime = {
  sessions: Sessions;
  documents: Documents;
  tools: ToolShelf;
  /** Every session, archived ones too, a page at a time. */
  sessionPages: SessionPages;
  marks: CleanupMarks;
  /** Absent: nothing can be scheduled here. */
  scheduler?: PluginScheduler;
  /** Absent: nobody but turns makes calls here. */
  calls?: PluginCalls;
  /** Absent: there is no catalog of tools here. */
  catalog?: {
    list(sessionId: SessionId): Promise<OfferedTool[]>;
    started(): Promise<void>;
    namespaces(): readonly OwnedNamespace[];
  };
  /** Settings of every slice, resolved for one session. */
  settingsFor?(session: Session): Readonly<Record<string, unknown>>;
  /** Made when a plugin first asks for it. Absent: nobody has one here. */
  secretKey?(pluginId: string): Promise<Uint8Array>;
  /** Absent: nothing is kept here. */
  blobs?: PluginBlobs;
  /** Publishes to present watchers of the session; never stored. */
  tell(sessionId: SessionId, event: string, payload: JsonObject): void;
};
