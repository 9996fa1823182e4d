/** What an isolated plugin asks of the gateway: each request parsed, then put to the api that was made for this plugin. */
import { z } from "zod";
import { Json, JsonObject } from "../../protocol/json.ts";
import { canonicalJson } from "../../protocol/text/canonical-json.ts";
import type { HandlerCall } from "../api/command.ts";
import type { SessionState } from "../api/extension.ts";
import type { PluginApi } from "../sdk.ts";

const text = z.string().max(64 * 1024);
const name = z.string().min(1).max(200);
const when = [
  { at: z.number() },
  { delayMs: z.number() },
  { cron: z.string().max(200), tz: z.string().max(100).exactOptional() },
] as const;
const turn = { sessionKey: name, message: text, tag: name.exactOptional() };

const Injection = z.strictObject({
  sessionKey: name,
  text,
  idempotencyKey: name.exactOptional(),
  placement: z.enum(["before", "after"]).exactOptional(),
  ttlMs: z.number().exactOptional(),
  metadata: JsonObject.exactOptional(),
});
export const OwnInjection = Injection.omit({ sessionKey: true });
const Turn = z.union([
  z.strictObject({ ...turn, ...when[0] }),
  z.strictObject({ ...turn, ...when[1] }),
  z.strictObject({ ...turn, ...when[2] }),
]);
const Attachment = z.strictObject({ sessionKey: name, fileName: name, mediaType: name, text: z.string() });
const InRun = z.strictObject({ runId: name, key: name });
const AtState = z.strictObject({ namespace: name, sessionKey: name });
export const Shown = z.array(z.strictObject({ namespace: name, state: Json, shown: Json })).max(32);

export type AskParts = {
  api: PluginApi;
  states: ReadonlyMap<string, SessionState<Json>>;
  /** The command or action with this number, while it runs. */
  handlerCall(within: number | undefined): HandlerCall | undefined;
  unsubscribe(key: string): void;
  shown(given: z.infer<typeof Shown>): void;
};

type Answer = Promise<Json | undefined>;

/** Somebody else changed the state in between; the plugin computes again. */
class StateMoved extends Error {}

export function createAsks(parts: AskParts): (ask: { op: string; args: Json; within: number | undefined }) => Answer {
  const { api, handlerCall, unsubscribe } = parts;
  const { workflow } = api.session;
  const table: Record<string, (args: Json, within: number | undefined) => Answer> = {
    "workflow.enqueueNextTurnInjection": (args) => workflow.enqueueNextTurnInjection(Injection.parse(args)),
    "workflow.scheduleSessionTurn": (args) => workflow.scheduleSessionTurn(Turn.parse(args)),
    "workflow.unscheduleSessionTurnsByTag": (args) =>
      workflow.unscheduleSessionTurnsByTag(z.strictObject({ sessionKey: name, tag: name }).parse(args)),
    "workflow.sendSessionAttachment": (args) => workflow.sendSessionAttachment(Attachment.parse(args)),
    "events.emit": (args) =>
      api.agent.events.emit(z.strictObject({ name, sessionKey: name, data: Json.exactOptional() }).parse(args)),
    "events.unsubscribe": async (args) => {
      unsubscribe(z.strictObject({ key: name }).parse(args).key);
      return undefined;
    },
    "runContext.get": (args) => {
      const { runId, key } = InRun.parse(args);
      return api.runContext.get(runId, key);
    },
    "runContext.set": async (args) => {
      const order = z.strictObject({ runId: name, entry: z.strictObject({ key: name, value: Json }) }).parse(args);
      await api.runContext.set(order.runId, order.entry);
      return undefined;
    },
    "runContext.clear": async (args) => {
      await api.runContext.clear(z.strictObject({ runId: name }).parse(args).runId);
      return undefined;
    },
    "state.get": (args) => stateAt(parts, AtState.parse(args).namespace).get(AtState.parse(args).sessionKey),
    "state.swap": (args) => swap(parts, args),
    artifact: async (args, within) => {
      const { kind, id } = z.strictObject({ kind: name, id: name }).parse(args);
      const call = handlerCall(within);
      if (call === undefined) throw new Error("Artifacts are read inside of a command or an action.");
      return call.artifact(kind, id);
    },
  };
  return async ({ op, args, within }) => {
    const answer = Object.hasOwn(table, op) ? table[op] : undefined;
    if (answer === undefined) throw new Error(`There is no request ${op}.`);
    return answer(args, within);
  };
}

function stateAt({ states }: AskParts, namespace: string): SessionState<Json> {
  const found = states.get(namespace);
  if (found === undefined) throw new Error(`There is no namespace "${namespace}".`);
  return found;
}

const Swap = AtState.extend({ before: Json, next: Json, shown: Shown });

/** True when it was applied; false when the state had changed since the plugin read it. */
async function swap(parts: AskParts, args: Json): Promise<boolean> {
  const { namespace, sessionKey, before, next, shown } = Swap.parse(args);
  parts.shown(shown); // first: it is stored with the state
  try {
    await stateAt(parts, namespace).update(sessionKey, (state) => {
      if (canonicalJson(state) !== canonicalJson(before)) throw new StateMoved();
      return next;
    });
  } catch (error) {
    if (error instanceof StateMoved) return false;
    throw error;
  }
  return true;
}
