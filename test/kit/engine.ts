/** An engine over a store in memory, with a clock that stands still and predictable chance. */
import { anySlice } from "../../src/core/slice.ts";
import type { Dispatch } from "../../src/engine/dispatch.ts";
import { createEngine, type Engine, type EngineParts, type Outcome } from "../../src/engine/engine.ts";
import { SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { SessionCommand } from "../../src/protocol/session.ts";
import { openMemoryStore } from "../../src/store/memory/memory-store.ts";
import type { Store } from "../../src/store/store.ts";
import { alice, create, gateSlice, messageId } from "./core.ts";
import { fakeClock, type FakeClock } from "./fake-clock.ts";
import { faultyStore, type FaultyStore } from "./faulty-store.ts";

export const byAlice: Dispatch = { actor: alice };
export const withKey = (key: string, requestDigest = key): Dispatch => ({
  actor: alice,
  idempotency: { key, requestDigest },
});

export const say = (n: number, text = `message ${n}`): SessionCommand => ({
  type: "message.send",
  messageId: messageId(n),
  text,
});
export const gate = (command: JsonObject): SessionCommand => ({ type: "slice.apply", slice: "gate", command });
export const sid = (name: string): SessionId => SessionId.parse(`ses_${name}`);

export type EngineWorld = {
  engine: Engine;
  store: FaultyStore;
  clock: FakeClock;
  /** Dispatches as Alice, and fails the test when the answer is no. */
  must(id: SessionId, command: SessionCommand): Promise<Extract<Outcome, { ok: true }>>;
  open(name: string): Promise<SessionId>;
};

/** `beside`: a second engine on the same state, as after a restart or on another node. */
export function engineWorld(
  beside?: { store?: Store; clock?: FakeClock; shared?: boolean } & Pick<EngineParts, "mayAct">,
): EngineWorld {
  const store = faultyStore(beside?.store ?? openMemoryStore());
  const clock = beside?.clock ?? fakeClock();
  const slices = new Map([[gateSlice.name, anySlice(gateSlice)]]);
  const { shared = false, mayAct } = beside ?? {};
  const rights = mayAct === undefined ? {} : { mayAct };
  const engine = createEngine({ store, slices, clock, settingsFor: () => ({}), shared, ...rights });
  async function must(id: SessionId, command: SessionCommand): Promise<Extract<Outcome, { ok: true }>> {
    const outcome = await engine.dispatch(id, command, byAlice);
    if (!outcome.ok) throw new Error(`${command.type} was refused: ${outcome.refusal.code}`);
    return outcome;
  }
  return {
    engine,
    store,
    clock,
    must,
    async open(name) {
      await must(sid(name), { ...create, sessionId: sid(name) } as SessionCommand);
      return sid(name);
    },
  };
}
