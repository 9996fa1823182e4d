/** Commands and actions: what their handlers set and queue is gathered here and goes back with the answer. */
import type { Json } from "../../../protocol/json.ts";
import type { ActionCall, SessionAction } from "../../api/controls.ts";
import type { CommandCall, HandlerCall, PluginCommand } from "../../api/command.ts";
import { specOf } from "../../commands/command-spec.ts";
import { type Desk, jsonOf } from "./desk.ts";
import { type Namespaces, projected } from "./guest-state.ts";
import { checkedValue, refusedToGuests, schemaOf } from "./guest-values.ts";

export function registerCommand(desk: Desk, command: PluginCommand, namespaces: Namespaces): void {
  const spec = specOf(command);
  desk.register({ kind: "command", key: `command:${spec.name}`, spec }, (args) => {
    const { args: words } = checkedValue<{ args: string }>(args);
    const run = (call: HandlerCall) => command.handler({ ...call, args: words } satisfies CommandCall);
    return handled(desk, { args, namespaces }, run);
  });
}

export function registerAction<Params>(desk: Desk, action: SessionAction<Params>, namespaces: Namespaces): void {
  const { id, description, requiredScopes } = action;
  const schema = schemaOf(action.schema, `the params of ${id}`);
  const scopes = requiredScopes === undefined ? {} : { requiredScopes: [...requiredScopes] };
  desk.register({ kind: "action", key: `action:${id}`, id, description, schema, ...scopes }, (args) => {
    const params = action.schema.parse(checkedValue<{ params: Json }>(args).params);
    const run = (call: HandlerCall) => action.handler({ ...call, params } satisfies ActionCall<Params>);
    return handled(desk, { args, namespaces }, run);
  });
}

type Handled = { args: Json; namespaces: Namespaces };
type Given = Pick<HandlerCall, "atMs" | "session" | "actor"> & { state: Record<string, Json> };

async function handled(
  desk: Desk,
  { args, namespaces }: Handled,
  run: (call: HandlerCall) => unknown,
): Promise<unknown> {
  const { atMs, session, actor, state } = checkedValue<Given>(args);
  const values = new Map(Object.entries(state));
  const staged = new Map<string, Json>();
  const injections: unknown[] = [];
  const result = await run({
    atMs,
    session,
    actor,
    gatewayClientScopes: actor.scopes,
    state: {
      get: (namespace) => structuredClone(staged.get(namespace) ?? valueIn(values, namespace)),
      set(namespace, value) {
        valueIn(values, namespace);
        staged.set(namespace, jsonOf(value) ?? null);
      },
    },
    enqueueNextTurnInjection: (injection) => void injections.push(injection),
    apply: refusedToGuests("apply"),
    cards: () => [], // only a plugin that runs in the gateway has a machine
    artifact: (kind, id) => desk.ask("artifact", { kind, id }),
  });
  const shown = [...staged].flatMap(([namespace, value]) => projected(namespaces, namespace, value));
  return { result, staged: Object.fromEntries(staged), injections, shown };
}

function valueIn(values: ReadonlyMap<string, Json>, namespace: string): Json {
  const found = values.get(namespace);
  if (found === undefined) throw new Error(`There is no namespace "${namespace}".`);
  return found;
}
