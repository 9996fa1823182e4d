/** Values that a plugin keeps for one run of an agent: in memory, bounded, gone with the run. */
import type { Json } from "../../protocol/json.ts";
import { PluginError } from "../plugin-error.ts";
import { plainJsonProblem } from "../state/plain-json.ts";

const KEYS_MAX = 64;
const RUNS_MAX = 10_000;
const KEY_CHARS_MAX = 128;
const VALUE = { depthMax: 32, charsMax: 16_384 };

export type RunContexts = {
  get(pluginId: string, runId: string, key: string): Json | undefined;
  set(pluginId: string, runId: string, entry: { key: string; value: Json }): void;
  clear(pluginId: string, runId: string): void;
  began(runId: string): void;
  ended(runId: string): void;
  removePlugin(pluginId: string): void;
};

export function createRunContexts(): RunContexts {
  const runs = new Map<string, Map<string, Map<string, Json>>>();
  return {
    get: (pluginId, runId, key) => structuredClone(runs.get(runId)?.get(pluginId)?.get(key)),
    set(pluginId, runId, { key, value }) {
      const refuse = (why: string) => new PluginError({ problem: "invalid", pluginId }, `runContext: ${why}.`);
      const run = runs.get(runId);
      if (run === undefined) throw refuse(`the run ${runId} is not under way`);
      const problem = plainJsonProblem(value, VALUE);
      if (problem !== undefined) throw refuse(problem);
      if (key.length > KEY_CHARS_MAX) throw refuse(`a key may hold ${KEY_CHARS_MAX} characters`);
      const own = run.get(pluginId) ?? new Map<string, Json>();
      if (!own.has(key) && own.size >= KEYS_MAX) throw refuse(`at most ${KEYS_MAX} keys in one run`);
      run.set(pluginId, own.set(key, structuredClone(value)));
    },
    clear: (pluginId, runId) => void runs.get(runId)?.delete(pluginId),
    began(runId) {
      if (runs.size < RUNS_MAX && !runs.has(runId)) runs.set(runId, new Map());
    },
    ended: (runId) => void runs.delete(runId),
    removePlugin(pluginId) {
      for (const run of runs.values()) run.delete(pluginId);
    },
  };
}
