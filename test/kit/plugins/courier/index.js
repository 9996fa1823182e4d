// A machine that orders deliveries, and the worker that makes them. While there is a file `closed`, none comes to an end.
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { definePlugin, z } from "holdpoint/plugin";

const Command = z.strictObject({ type: z.literal("send"), text: z.string() });
const State = z.strictObject({ sent: z.int() });

/** @type {import("holdpoint/plugin").Slice<{ sent: number }, z.infer<typeof Command>, { type: "courier.sent", text: string }, unknown>} */
const machine = {
  name: "courier",
  state: State,
  command: Command,
  settings: z.unknown(),
  initial: { sent: 0 },
  decide: (_state, { text }) => ({ events: [{ type: "courier.sent", text }], reply: {} }),
  evolve: ({ sent }) => ({ sent: sent + 1 }),
  effects: (_state, { text }) => [{ kind: "perform", order: { do: "deliver", text } }],
};

export default definePlugin({
  id: "courier",
  name: "Courier",
  description: "for tests",
  configSchema: z.strictObject({ folder: z.string() }),
  register(api) {
    const { folder } = api.config;
    const note = (/** @type {string} */ line) => appendFileSync(join(folder, "log"), `${line}\n`);
    api.session.registerSlice(machine);
    api.session.registerWorker({
      slice: "courier",
      orders: ["deliver"],
      async perform(order, { key, attempt, signal }) {
        if (existsSync(join(folder, "closed"))) {
          note(`${order["text"]} waits`);
          await new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
        }
        note(`${order["text"]} delivered, key ${key}, attempt ${attempt}`);
        return "done";
      },
    });
    api.commands.registerCommand({
      name: "courier",
      description: "Sends something.",
      async handler({ args, apply }) {
        const outcome = await apply({ type: "send", text: args });
        return outcome.ok ? { message: "Ordered." } : { refusal: outcome.refusal };
      },
    });
  },
});
