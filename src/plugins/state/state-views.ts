/** What plugins keep in sessions, as others may see it: clients their projections, agents their lines at a heartbeat. */
import type { Json } from "../../protocol/json.ts";
import { pluginSlice } from "../../protocol/plugin/plugin-state.ts";
import type { Session } from "../../protocol/session.ts";
import { STATE_BYTES_MAX, STATE_DEPTH_MAX, type SessionExtension } from "../api/extension.ts";
import type { Loaded } from "../registration/contributions.ts";
import type { LiveTables } from "../registration/live-tables.ts";
import { plainJsonProblem } from "./plain-json.ts";
import { pluginWords } from "./plugin-injection.ts";
import { pluginStateIn, stateOf } from "./session-state.ts";

export type StateViews = {
  projections(session: Session): Record<string, Record<string, Json>> | undefined;
  stateIn(session: Pick<Session, "slices">, at: { pluginId: string; namespace: string }): Json;
  heartbeatTexts(session: Session): string[];
};

type Parts = {
  tables: Pick<LiveTables, "heartbeats">;
  loaded(): Iterable<Loaded>;
  failed(pluginId: string, error: unknown): void;
};

export function createStateViews({ tables, loaded, failed }: Parts): StateViews {
  function attempt<Answer>(pluginId: string, work: () => Answer): Answer | undefined {
    try {
      return work();
    } catch (error) {
      failed(pluginId, error);
      return undefined;
    }
  }
  function projected(session: Session, { id, has }: Loaded): [string, Json][] {
    const state = pluginStateIn(session, id);
    // of a plugin that is not loaded yet, what it showed last
    if (has.extensions.length === 0) return Object.entries(state.shown ?? {});
    return has.extensions.flatMap((extension): [string, Json][] => {
      const shown = attempt(id, () => plain(extension.project?.(stateOf(state, extension))));
      const last = extension.project === undefined ? undefined : state.shown?.[extension.namespace];
      const seen = shown ?? last;
      return seen === undefined ? [] : [[extension.namespace, seen]];
    });
  }
  return {
    projections(session) {
      const all: Record<string, Record<string, Json>> = {};
      for (const plugin of loaded()) {
        const own = projected(session, plugin);
        if (own.length > 0) all[plugin.id] = Object.fromEntries(own);
      }
      return Object.keys(all).length === 0 ? undefined : all;
    },
    stateIn(session, { pluginId, namespace }) {
      const extension = findExtension(loaded(), pluginId, namespace);
      return extension === undefined ? null : stateOf(pluginStateIn(session, pluginId), extension);
    },
    heartbeatTexts: ({ agentId, id: sessionKey }) =>
      [...tables.heartbeats].flatMap(([name, beat]) => {
        const pluginId = name.slice(0, name.indexOf("/"));
        const text = attempt(pluginId, () => beat.text({ agentId, sessionKey }));
        return typeof text === "string" && text.trim() !== "" ? [pluginWords(pluginId, text)] : [];
      }),
  };
}

function findExtension(
  loaded: Iterable<Loaded>,
  pluginId: string,
  namespace: string,
): SessionExtension<Json> | undefined {
  for (const { id, has } of loaded)
    if (id === pluginId) return has.extensions.find((one) => one.namespace === namespace);
  return undefined;
}

function plain(shown: Json | undefined): Json | undefined {
  if (shown === undefined) return undefined;
  const problem = plainJsonProblem(shown, { depthMax: STATE_DEPTH_MAX, charsMax: STATE_BYTES_MAX });
  if (problem !== undefined) throw new Error(`a projection: ${problem}`);
  return structuredClone(shown); // views are frozen where a session is large, and a plugin may go on with what is its own
}

/** Slices as clients see them: what plugins keep shows only through their projections. */
export const publicSlices = (slices: Session["slices"]): Session["slices"] =>
  Object.fromEntries(Object.entries(slices).filter(([name]) => !name.startsWith(pluginSlice(""))));
