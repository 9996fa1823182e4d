/** The engine as people's commands reach it: a refusal for want of a passkey says where and how it can be given. */
import type { Engine } from "../../engine/engine.ts";
import type { PresencePort } from "../../inbound/presence-port.ts";

export function createAskingEngine(engine: Engine, { ask }: Pick<PresencePort, "ask">): Engine {
  return {
    ...engine,
    async dispatch(sessionId, command, by) {
      const outcome = await engine.dispatch(sessionId, command, by);
      if (outcome.ok || outcome.refusal.code !== "PRESENCE_REQUIRED" || by.actor.kind !== "operator") return outcome;
      const { actor } = by;
      const onChannel = "onChannel" in by && by.onChannel === true;
      return { ...outcome, refusal: await ask(outcome.refusal, onChannel ? { actor, onChannel } : { actor }) };
    },
  };
}
