/** A slice of the simulation: for each approved plan it orders one delivery outside, under a key of its own. */
import { z } from "zod";
import type { Slice } from "../../src/core/slice.ts";
import { refuse } from "../../src/protocol/refusal.ts";

export const COURIER = "courier";

const State = z.strictObject({ sent: z.int().nonnegative() });
const Command = z.strictObject({ do: z.literal("nothing") });
type Event = { type: string; key: string };

export const courierSlice: Slice<z.infer<typeof State>, z.infer<typeof Command>, Event, unknown> = {
  name: COURIER,
  state: State,
  command: Command,
  settings: z.unknown(),
  initial: { sent: 0 },
  decide: () => refuse("INVALID_REQUEST", "The courier takes no commands."),
  evolve: ({ sent }) => ({ sent: sent + 1 }),
  effects: (_state, { key }) => [{ kind: "perform", order: { do: "deliver", key }, key }],
  on: {
    peerEvent: (_state, { event }) =>
      event.type === "plan.approved" && typeof event["approvalId"] === "string"
        ? [{ type: "courier.sent", key: event["approvalId"] }]
        : [],
  },
};
