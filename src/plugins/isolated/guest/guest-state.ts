/** A plugin's state in the sessions, read and changed over the wire. */
import type { Json } from "../../../protocol/json.ts";
import type { SessionExtension, SessionState } from "../../api/extension.ts";
import { type Desk, jsonOf } from "./desk.ts";
import { cleanupFunction, schemaOf } from "./guest-values.ts";

const UPDATE_TRIES_MAX = 20;

/** Of each namespace, what clients are shown of its state. */
export type Namespaces = Map<string, { project?(state: Json): Json }>;
export type Projected = { namespace: string; state: Json; shown: Json };

export function projected(namespaces: Namespaces, namespace: string, state: Json): Projected[] {
  const project = namespaces.get(namespace)?.project;
  return project === undefined ? [] : [{ namespace, state, shown: project(state) }];
}

export function registerState<State>(
  desk: Desk,
  extension: SessionExtension<State>,
  namespaces: Namespaces,
): SessionState<State> {
  const { namespace, description, schema } = extension;
  const project = (state: Json): Json => extension.project?.(schema.parse(state)) ?? null;
  const projects = extension.project !== undefined;
  namespaces.set(namespace, projects ? { project } : {});
  const key = `state:${namespace}`;
  desk.register({
    kind: "state",
    key,
    namespace,
    description,
    schema: schemaOf(schema, `the state ${namespace}`),
    initial: jsonOf(extension.initial) ?? null,
    projects,
    cleans: extension.cleanup !== undefined,
  });
  desk.serve(`${key}:project`, project);
  desk.serve(
    `${key}:cleanup`,
    cleanupFunction((reason, sessionKey) => extension.cleanup?.(reason, sessionKey)),
  );
  const get = async (sessionKey: string): Promise<Json> =>
    (await desk.ask("state.get", { namespace, sessionKey })) ?? null;
  return {
    get: async (sessionKey) => schema.parse(await get(sessionKey)),
    async update(sessionKey, change) {
      for (let tries = 0; tries < UPDATE_TRIES_MAX; tries++) {
        const before = await get(sessionKey);
        const next = jsonOf(change(schema.parse(before))) ?? null;
        const shown = projected(namespaces, namespace, next);
        const isDone = await desk.ask("state.swap", { namespace, sessionKey, before, next, shown });
        if (isDone === true) return schema.parse(next);
      }
      throw new Error(`The state ${namespace} kept changing under us. Try again.`);
    },
  };
}
