/** Effects of a hold: a line for people, text for the agent, and an audit fact. */
import type { PlanEventOf } from "../../protocol/event.ts";
import type { PlanModeState } from "../../protocol/state.ts";
import { type Effect, never } from "../../../plugins/sdk.ts";
import { Json } from "../../../protocol/json.ts";
import { auditEffect, byKey, lineEffect, presenceKey } from "../effect-parts.ts";
import * as lines from "../text/notify-lines.ts";

type HoldEvent = PlanEventOf<"hold.set" | "hold.lifted" | "loosening.signed">;

export function holdEffects(state: PlanModeState, event: HoldEvent): Effect[] {
  switch (event.type) {
    case "hold.set": {
      const { id, by } = event.hold;
      return [lineEffect(lines.heldLine(by)), auditEffect(event.type, { holdId: id, by: byKey(by) })];
    }
    case "hold.lifted":
      return [
        lineEffect(lines.liftedLine(event.by)),
        auditEffect(event.type, { holdId: event.holdId, by: byKey(event.by) }),
      ];
    case "loosening.signed": {
      const { what, signature, needs } = event;
      const { by, digest } = signature;
      const count = state.loosening?.signatures.length ?? 0;
      return [
        lineEffect(lines.looseningLine(what, { by, count, quorum: needs.quorum })),
        auditEffect(event.type, { what: Json.parse(what), digest, by: byKey(by), ...presenceKey(event) }),
      ];
    }
    default:
      return never(event);
  }
}
