/** Connects the plugin host to the gateway: what plugins work on, and where changes of plugins are logged and recorded. */
import type { PluginChange, PluginHost } from "../../plugins/host.ts";
import { PluginError } from "../../plugins/plugin-error.ts";
import type { Documents } from "../../plugins/sdk.ts";
import type { PluginBlobs, PluginRuntime, SessionPages } from "../../plugins/plugin-runtime.ts";
import type { OwnFact } from "../../protocol/audit.ts";
import { SessionId } from "../../protocol/ids.ts";
import { PAGE_MAX, type Store } from "../../store/store.ts";
import { listed } from "../../gateway/methods/listed.ts";
import type { ComposedEngine } from "../engine.ts";
import { pluginScheduler } from "../scheduling.ts";
import type { State } from "../state.ts";
import { pluginKey } from "../../gateway/plugins/plugin-key.ts";
import { fileCleanupMarks } from "../../gateway/plugins/cleanup-marks.ts";

export function connectPluginHost(
  state: State,
  machine: ComposedEngine,
  around: Pick<PluginRuntime, "tools" | "tell" | "calls" | "catalog">,
): void {
  const { host, engine, scheduler } = machine;
  host.connect({
    ...around,
    sessions: engine,
    documents: documentsOf(state.store),
    blobs: pluginBlobs(state),
    settingsFor: machine.settingsFor,
    secretKey: (pluginId) => pluginKey(state.options.home, pluginId),
    sessionPages: pagesOf(state.store),
    marks: fileCleanupMarks(state.options.home),
    scheduler: pluginScheduler(scheduler),
  });
  recordChanges(host, state);
  engine.onCommitted(({ sessionId, session }) => {
    if (session === undefined) void state.store.removeBlobs({ sessionId }).catch(reportLeft(state)); // their time ends anyway
  });
}

const reportLeft =
  ({ log }: Pick<State, "log">) =>
  (error: unknown): void =>
    log.warn({ err: error }, "what plugins kept for a deleted session is still there");

/** A store that takes nothing answers false: whoever wanted to keep something says so. */
export const pluginBlobs = ({ store, clock }: Pick<State, "store" | "clock">): PluginBlobs => ({
  save: async (owner, { key, sessionKey, untilMs, bytes }) => {
    const blob = { owner, key, sessionId: SessionId.parse(sessionKey), untilMs, bytes };
    return store.saveBlob(blob).then(
      () => true,
      () => false,
    );
  },
  read: async (owner, key) => (await store.blob({ owner, key, nowMs: clock.now() }))?.bytes,
  remove: (owner, which) =>
    store.removeBlobs(
      "key" in which ? { owner, key: which.key } : { owner, sessionId: SessionId.parse(which.sessionKey) },
    ),
  count: (owner, sessionKey) =>
    store.blobCount({
      owner,
      nowMs: clock.now(),
      ...(sessionKey === undefined ? {} : { sessionId: SessionId.parse(sessionKey) }),
    }),
});

/** Read access to the store's documents. */
export const documentsOf = (store: Pick<Store, "artifact" | "artifacts">): Documents => ({
  get: (kind, id) => store.artifact(kind, id),
  list: (query) => listed(() => store.artifacts(query)),
});

/**
 * Enables the plugins that the start options pass. One that cannot be loaded is reported, and the gateway goes on
 * without it. No operator ordered them, so each outcome is recorded here.
 */
export async function enableGiven(state: State, host: PluginHost): Promise<void> {
  const facts: OwnFact[] = [];
  const stop = host.onChange((change) => {
    logChange(change, state);
    const { kind, pluginId, tier } = change;
    const why = change.why === "" ? "it was handed in with the start" : change.why;
    facts.push({ type: `plugin.${kind}`, detail: { plugin: pluginId, tier, why } });
  });
  for (const given of state.options.plugins ?? []) {
    const load = "plugin" in given ? given : { plugin: given };
    try {
      await host.enable(load);
    } catch (error) {
      if (!(error instanceof PluginError)) throw error;
      const { pluginId, message } = error;
      state.log.error({ err: error, pluginId }, "a plugin was not loaded");
      state.notes.push(`The plugin ${pluginId} was not loaded: ${message}`);
      state.attention.add(pluginId, `It was not loaded: ${message}`);
    }
  }
  stop();
  if (facts.length > 0) state.record.add(ACTOR, facts);
}

/** Active sessions first, then archived ones; the cursor says in which of the two lists it is. */
function pagesOf(store: Pick<Store, "sessions">): SessionPages {
  return async (cursor) => {
    const archived = cursor?.startsWith(ARCHIVED) ?? false;
    const inside = cursor === null ? null : cursor.slice(ARCHIVED.length) || null;
    const page = await store.sessions({ archived }, { cursor: inside, limit: PAGE_MAX });
    const sessionIds = page.items.map(({ id }) => id);
    const mark = archived ? ARCHIVED : IN_USE;
    const next = page.nextCursor === null ? null : `${mark}${page.nextCursor}`;
    return { sessionIds, nextCursor: next ?? (archived ? null : ARCHIVED) };
  };
}
const ARCHIVED = "a:";
const IN_USE = "u:";

/** Writes to the log and the audit chain which plugins were enabled or disabled, and why. */
function recordChanges(host: PluginHost, { log, record }: State): void {
  host.onChange((change) => {
    const { pluginId, tier, why } = change;
    logChange(change, { log });
    // the order to enable a plugin is recorded already, and loading it again at each start is no news
    if (change.kind === "failed" || change.kind === "enabled") return;
    const facts: OwnFact[] = [{ type: `plugin.${change.kind}`, detail: { plugin: pluginId, tier, why } }];
    record.add(ACTOR, facts);
  });
}

const logChange = ({ kind, pluginId, tier, why }: PluginChange, { log }: Pick<State, "log">): void =>
  log[LEVELS[kind]]({ pluginId, tier, why }, `a plugin was ${WORDS[kind]}`);

const ACTOR = "plugins";

const LEVELS = { enabled: "info", disabled: "warn", muted: "warn", failed: "error" } as const satisfies Record<
  PluginChange["kind"],
  string
>;
const WORDS: Readonly<Record<PluginChange["kind"], string>> = {
  enabled: "enabled",
  disabled: "disabled",
  muted: "muted: it failed too often",
  failed: "not loaded",
};
