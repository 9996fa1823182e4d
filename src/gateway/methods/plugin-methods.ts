/** Methods and addresses of plugins as the transport asks for them: looked up at each request, because plugins come and go. */
import type { Clock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { HttpRoute } from "../../http/http-route.ts";
import type { Caller, LookUpMethod } from "../../http/method-table.ts";
import type { PluginHost, RegisteredMethod } from "../../plugins/host.ts";
import type { MethodCall } from "../../plugins/sdk.ts";
import { refuse, type Refused } from "../../protocol/refusal.ts";
import { localized } from "../../protocol/localized/localized-text.ts";
import { dispatchBy } from "../../inbound/idempotency.ts";
import { lackingScopes } from "../../inbound/lacking-scopes.ts";

type Parts = { host: PluginHost; engine: Engine; clock: Pick<Clock, "now"> };

export function createPluginMethods(parts: Parts): LookUpMethod {
  return (name) => {
    const registered = parts.host.methods.get(name);
    if (registered === undefined) return undefined;
    const { method, tier } = registered;
    const { scope, params } = method;
    const answer = async (given: unknown, caller: Caller): Promise<object | Refused> => {
      const call = callOf(registered, { given, caller }, parts);
      return tier === "bundled" ? method.answer(given, call) : contained(registered, { given, call }, parts);
    };
    return { scope, params, answer };
  };
}

const keyOf = (given: unknown): string | undefined => {
  const key: unknown = typeof given === "object" && given !== null ? Reflect.get(given, "idempotencyKey") : undefined;
  return typeof key === "string" ? key : undefined;
};

function callOf(
  { method, slices }: RegisteredMethod,
  { given, caller: { actor } }: { given: unknown; caller: Caller },
  { engine, clock }: Parts,
): MethodCall {
  const key = keyOf(given);
  const by = key === undefined ? { actor } : dispatchBy(actor, method.name, { ...Object(given), idempotencyKey: key });
  return {
    actor,
    nowMs: clock.now(),
    by,
    lacking: (what, scopes) => lackingScopes(what, scopes, actor.scopes),
    async apply(sessionId, { slice, command }) {
      if (slices().includes(slice)) return engine.dispatch(sessionId, { type: "slice.apply", slice, command }, by);
      return { ok: false, refusal: refuse("UNKNOWN_SLICE", `${method.name} may not order ${slice} about.`).refused };
    },
  };
}

/** What somebody else's code throws or makes up stays with that plugin: it is counted against it, and told as its failure. */
async function contained(
  { pluginId, method }: RegisteredMethod,
  { given, call }: { given: unknown; call: MethodCall },
  { host }: Parts,
): Promise<object | Refused> {
  try {
    const answer = await method.answer(given, call);
    return "refused" in answer ? answer : method.result.parse(answer);
  } catch (error) {
    host.failed(pluginId, error);
    return refuse("PLUGIN_FAILED", localized("pluginFailed", { command: method.name, plugin: pluginId }));
  }
}

export function createPluginRoute({ host, clock }: Pick<Parts, "host" | "clock">): HttpRoute {
  const routeAt = (path: string) => [...host.routes.values()].find(({ route }) => path.startsWith(route.below));
  return {
    takes: (path) => routeAt(path) !== undefined,
    methods: ["GET", "HEAD"],
    bodyBytesMax: 0,
    async answer({ path }) {
      const found = routeAt(path);
      if (found === undefined) return GONE;
      try {
        return await found.route.answer({ path, nowMs: clock.now() });
      } catch (error) {
        if (found.tier === "bundled") throw error;
        host.failed(found.pluginId, error);
        return { status: 500, body: JSON.stringify({ error: { message: "The plugin behind this address failed." } }) };
      }
    },
  };
}

const GONE = { status: 404, body: JSON.stringify({ error: { message: "There is nothing here." } }) };
