// Facts that the agent is told again with every turn, until somebody takes them away.
import { definePlugin, z } from "holdpoint/plugin";

const PINS_MAX = 20;
const PIN_CHARS_MAX = 500;

const Pins = z.array(z.string().max(PIN_CHARS_MAX)).max(PINS_MAX);
/** @param {string[]} pins */
const listed = (pins) => pins.map((pin, index) => `${index + 1}. ${pin}`).join("\n");

/** @param {string} message */
const no = (message) => ({ refusal: { code: /** @type {const} */ ("COMMAND_USAGE"), message } });

export default definePlugin({
  id: "memory-pins",
  name: "Memory pins",
  description: "Facts that the agent is told again with every turn.",
  register(api) {
    const pinned = api.session.state.registerSessionExtension({
      namespace: "pins",
      description: "What the agent must not forget.",
      schema: Pins,
      initial: [],
      project: (pins) => ({ rows: pins.map((pin, index) => ({ number: String(index + 1), pin })) }),
    });

    api.on("agent_turn_prepare", async ({ sessionKey }) => {
      const pins = await pinned.get(sessionKey);
      return pins.length === 0 ? undefined : { prependContext: `Pinned by people:\n${listed(pins)}` };
    });

    /** @type {import("holdpoint/plugin").PluginCommand["handler"]} */
    const memory = ({ args, state }) => {
      const pins = Pins.parse(state.get("pins"));
      const [, word = "list", rest = ""] = /^(\S+)\s*([\s\S]*)$/.exec(args) ?? [];
      if (word === "list") return { message: pins.length === 0 ? "Nothing is pinned." : listed(pins) };
      if (["add", "pin"].includes(word)) {
        if (rest === "" || rest.length > PIN_CHARS_MAX) return no(`Say a fact of at most ${PIN_CHARS_MAX} characters.`);
        if (pins.length >= PINS_MAX) return no(`At most ${PINS_MAX} facts can be pinned. Forget one first.`);
        state.set("pins", [...pins, rest]);
        return { message: `Pinned as ${pins.length + 1}.` };
      }
      const index = Number(rest) - 1;
      if (word !== "forget" || pins[index] === undefined) return no("/pin add <fact>, /pin forget <number>, /pin list");
      state.set("pins", pins.toSpliced(index, 1));
      return { message: `Forgotten: ${pins[index]}` };
    };
    api.registerCommand({ name: "pin", description: "What the agent must not forget.", handler: memory });
    api.registerCommand({ name: "memory", description: "The same as /pin.", handler: memory });

    // nothing is queued: the turn begins with who ran what, and the hook above puts the pins before it
    api.registerCommand({
      name: "context",
      handler: ({ args }) =>
        args === "refresh"
          ? { message: "The agent reads its pins again.", continueAgent: true }
          : no("/context refresh"),
    });

    api.session.controls.registerControlUiDescriptor({
      id: "pins",
      surface: "plan-pane",
      label: "Pins",
      body: [
        {
          kind: "table",
          columns: [
            { label: "", field: "number" },
            { label: "Pinned", field: "pin" },
          ],
          rows: { path: "pins.rows" },
          empty: "Nothing is pinned.",
        },
      ],
    });
  },
});
