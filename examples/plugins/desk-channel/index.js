// A channel without a vendor: what comes in and goes out passes through two methods of the gateway. A real one holds a
// socket instead, and reads the same.
import { definePlugin, z } from "holdpoint/plugin";

const SENT_MAX = 100;
const Handoff = z.strictObject({ to: z.string().max(100) });

const Brought = z.strictObject({ conversation: z.string(), eventId: z.string(), person: z.string(), text: z.string() });
const Followed = z.strictObject({ conversation: z.string(), sessionId: z.string() });

/** @param {string} usage */
const no = (usage) => ({ refusal: { code: /** @type {const} */ ("COMMAND_USAGE"), message: usage } });

export default definePlugin({
  id: "desk-channel",
  name: "Desk channel",
  description: "A channel of one's own, with the commands that people use there.",
  register(api) {
    /** @type {import("holdpoint/plugin").ChannelIo | undefined} */
    let io;
    /** @type {{ conversation: string, kind: string }[]} */
    const sent = [];

    api.channels.register({
      id: "desk",
      start(given) {
        io = given;
      },
      async deliver({ place, items }) {
        for (const { kind } of items) if (sent.length < SENT_MAX) sent.push({ conversation: place.conversation, kind });
        return {
          receipts: items.map(({ key }, index) => ({ key, state: "sent", messageId: `desk-${sent.length}-${index}` })),
        };
      },
    });

    api.registerGatewayMethod("desk-channel.sent", () => ({ sent }), { scope: "operator.read" });
    api.registerGatewayMethod("desk-channel.bring", async (params) => {
      const { conversation, eventId, person, text } = Brought.parse(params);
      const who = { id: person, assured: true }; // the vendor vouches for it
      const event = { account: "desk", conversation, eventId, person: who };
      const outcome = await io?.receive({ ...event, kind: "message", text: text });
      return { outcome: outcome?.kind ?? "not started" };
    });
    api.registerGatewayMethod("desk-channel.follow", async (params) => {
      const { conversation, sessionId } = Followed.parse(params);
      await io?.follow({ account: "desk", conversation }, { sessionId });
      return {};
    });

    api.session.state.registerSessionExtension({
      namespace: "handoff",
      description: "Who looks after the conversation.",
      schema: Handoff,
      initial: { to: "nobody" },
      project: (handoff) => handoff,
    });
    api.registerCommand({
      name: "telegram",
      requiredScopes: ["operator.approvals"],
      ownership: "plugin",
      handler: ({ args }) =>
        args === "approve"
          ? { message: "Approved.", continueAgent: true, delivery: "ephemeral" }
          : no("/telegram approve"),
    });
    api.registerCommand({
      name: "slack",
      handler({ args, state }) {
        const [word, to] = args.split(/\s+/);
        if (word !== "handoff" || to === undefined) return no("/slack handoff <whom>");
        state.set("handoff", { to });
        return { message: `${to} looks after it now.`, delivery: "channel" };
      },
    });
    api.registerCommand({
      name: "email",
      requiredScopes: ["operator.read"],
      handler: ({ session, state }) => ({
        message: `${session.entryCount} entries; ${Handoff.parse(state.get("handoff")).to} looks after it.`,
      }),
    });
  },
});
