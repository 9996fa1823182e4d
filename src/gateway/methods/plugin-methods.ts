/** Methods and addresses of plugins as the transport asks for them: looked up at each request, because plugins come and go. */
import { validateHeaderValue } from "../../http/node-server.ts";
import { z } from "zod";
import type { Clock } from "../../engine/clock.ts";
import type { Engine } from "../../engine/engine.ts";
import type { HttpRoute } from "../../http/http-route.ts";
import type { Caller, LookUpMethod } from "../../http/method-table.ts";
import { onlyReads } from "../../plugins/commands/command-registry.ts";
import type { PluginHost, RegisteredMethod } from "../../plugins/host.ts";
import { runReadOnly } from "../../plugins/read-only-run.ts";
import type { MethodCall } from "../../plugins/sdk.ts";
import { JsonObject } from "../../protocol/json.ts";
import { Refusal, refuse, type Refused } from "../../protocol/refusal.ts";
import { localized } from "../../protocol/localized/localized-text.ts";
import { dispatchBy } from "../../inbound/idempotency.ts";
import type { Inbound } from "../../inbound/inbound.ts";
import { lackingScopes } from "../../inbound/lacking-scopes.ts";
import type { Tokens } from "../tokens.ts";

type Parts = {
  host: PluginHost;
  engine: Engine;
  clock: Clock;
  inbound: Pick<Inbound, "setField">;
  tokens: Pick<Tokens, "vouches">;
};

const ANSWER_MS_MAX = 30_000;
const ANSWER_CHARS_MAX = 8 * 1024 * 1024;

export function createPluginMethods(parts: Parts): LookUpMethod {
  return (name) => {
    const registered = parts.host.methods.get(name);
    if (registered === undefined) return undefined;
    const { method, tier } = registered;
    const { scope, params } = method;
    const answer = async (given: unknown, caller: Caller): Promise<object | Refused> => {
      const call = callOf(registered, { given, caller }, parts);
      if (tier === "bundled") return method.answer(given, call);
      const reading = onlyReads([scope]) ? { cause: method.name } : undefined;
      return runReadOnly(reading, () => contained(registered, { given, call }, parts));
    };
    return { scope, params, answer };
  };
}

const keyOf = (given: unknown): string | undefined => {
  const key: unknown = typeof given === "object" && given !== null ? Reflect.get(given, "idempotencyKey") : undefined;
  return typeof key === "string" ? key : undefined;
};

function callOf(
  { method, slices, fields, tier, pluginId }: RegisteredMethod,
  { given, caller: { actor } }: { given: unknown; caller: Caller },
  { engine, clock, inbound, tokens }: Parts,
): MethodCall {
  const key = keyOf(given);
  const by = key === undefined ? { actor } : dispatchBy(actor, method.name, { ...Object(given), idempotencyKey: key });
  return {
    actor,
    nowMs: clock.now(),
    by,
    vouches: (id) => tokens.vouches(id),
    lacking: (what, scopes) => lackingScopes(what, scopes, actor.scopes),
    async apply(sessionId, { slice, command }) {
      if (tier !== "bundled" && onlyReads([method.scope]))
        return { ok: false, refusal: onlyReading(method.name, pluginId) };
      if (slices().includes(slice)) return engine.dispatch(sessionId, { type: "slice.apply", slice, command }, by);
      return { ok: false, refusal: refuse("UNKNOWN_SLICE", `${method.name} may not order ${slice} about.`).refused };
    },
    async setField(set) {
      if (fields().includes(set.field)) return inbound.setField(set, by);
      return { ok: false, refusal: refuse("FORBIDDEN", `${method.name} may not set ${set.field}.`).refused };
    },
  };
}

const onlyReading = (command: string, plugin: string): Refusal =>
  refuse("PLUGIN_FAILED", localized("pluginOnlyReads", { command, plugin })).refused;

/** An exception or an invalid answer of a plugin counts against that plugin and is answered as its failure. */
async function contained(
  { pluginId, method }: RegisteredMethod,
  { given, call }: { given: unknown; call: MethodCall },
  { host, clock }: Parts,
): Promise<object | Refused> {
  try {
    const answer = await inTime(method.answer(given, call), clock);
    return "refused" in answer
      ? { refused: Refusal.parse(written(answer.refused)) }
      : written(method.result.parse(answer));
  } catch (error) {
    host.failed(pluginId, error);
    return refuse("PLUGIN_FAILED", localized("pluginFailed", { command: method.name, plugin: pluginId }));
  }
}

/** As it goes over the wire: what cannot be written must fail here, not in the transport, which other people share. */
function written(made: object): JsonObject {
  const text = JSON.stringify(made);
  if (text.length > ANSWER_CHARS_MAX) throw new Error(`an answer has more than ${ANSWER_CHARS_MAX} characters`);
  return JsonObject.parse(JSON.parse(text));
}

async function inTime<Answer>(answer: Promise<Answer>, clock: Clock): Promise<Answer> {
  const late = Promise.withResolvers<never>();
  const why = new Error(`no answer within ${ANSWER_MS_MAX} ms`);
  const callOff = clock.wakeAt(clock.now() + ANSWER_MS_MAX, () => late.reject(why));
  return Promise.race([answer, late.promise]).finally(callOff);
}

/** What an address of somebody else's may say beside its body: it shares its origin with the page that decides. */
const HEADERS: ReadonlySet<string> = new Set(["content-type", "content-disposition", "cache-control", "etag"]);
const RouteAnswer = z.object({
  status: z.int().min(200).max(599),
  body: z.string().max(ANSWER_CHARS_MAX),
  headers: z.record(z.string(), z.string()).default({}),
});

function harmless(made: unknown): z.infer<typeof RouteAnswer> {
  const { headers, ...answer } = RouteAnswer.parse(made);
  const kept = Object.entries(headers).filter(([name]) => HEADERS.has(name.toLowerCase()));
  for (const [name, value] of kept) validateHeaderValue(name, value);
  return { ...answer, headers: Object.fromEntries(kept.map(([name, value]) => [name.toLowerCase(), value])) };
}

export function createPluginRoute({ host, clock, tokens }: Pick<Parts, "host" | "clock" | "tokens">): HttpRoute {
  const routeAt = (path: string) => [...host.routes.values()].find(({ route }) => path.startsWith(route.below));
  return {
    takes: (path) => routeAt(path) !== undefined,
    methods: ["GET", "HEAD"],
    bodyBytesMax: 0,
    async answer({ path }) {
      const found = routeAt(path);
      if (found === undefined) return GONE;
      try {
        const asked = { path, nowMs: clock.now(), vouches: (id: string) => tokens.vouches(id) };
        if (found.tier === "bundled") return await found.route.answer(asked);
        const answer = runReadOnly({ cause: path }, () => found.route.answer(asked)); // nobody had to prove who they are
        return harmless(await inTime(answer, clock));
      } catch (error) {
        if (found.tier === "bundled") throw error;
        host.failed(found.pluginId, error);
        return { status: 500, body: JSON.stringify({ error: { message: "The plugin behind this address failed." } }) };
      }
    },
  };
}

const GONE = { status: 404, body: JSON.stringify({ error: { message: "There is nothing here." } }) };
