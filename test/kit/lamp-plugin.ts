/** A trusted plugin from outside with a machine of its own: a lamp in each session, in the colour that people choose. */
import { SessionId } from "../../src/protocol/ids.ts";
import { definePlugin, type PatchField, refuse, type Slice, z } from "../../src/plugins/sdk.ts";

const Colour = z.enum(["off", "red", "green"]);
const Lamp = z.strictObject({ colour: Colour });
const Switch = z.strictObject({ type: z.literal("switch"), colour: Colour });
type Switched = { type: "lamp.switched"; colour: z.infer<typeof Colour> };

export const lampSlice: Slice<z.infer<typeof Lamp>, z.infer<typeof Switch>, Switched, unknown> = {
  name: "lamp",
  state: Lamp,
  command: Switch,
  settings: z.unknown(),
  initial: { colour: "off" },
  decide: (_state, { colour }) => ({ events: [{ type: "lamp.switched", colour }], reply: { colour } }),
  evolve: (_state, { colour }) => ({ colour }),
  effects: () => [],
};

export const lampField: PatchField<z.infer<typeof Colour>> = {
  field: "lampColour",
  schema: Colour,
  requiredScopes: ["operator.write"],
  slice: "lamp",
  toCommand: (colour) => ({ type: "switch", colour }),
};

const onSession = z.strictObject({ sessionId: SessionId });

export const lampPlugin = definePlugin({
  id: "lamp",
  name: "Lamp",
  description: "A lamp in each session.",
  register(api) {
    api.session.registerSlice(lampSlice);
    api.session.registerPatchField(lampField);
    api.methods.register({
      name: "lamp.show",
      scope: "operator.read",
      about: "The colour of a session's lamp.",
      params: onSession,
      result: Lamp,
      async answer({ sessionId }) {
        const session = await api.sessions.read(sessionId);
        return session === undefined
          ? refuse("SESSION_NOT_FOUND", "No such session.")
          : Lamp.parse(session.slices["lamp"]);
      },
    });
    api.methods.register({
      name: "lamp.switch",
      scope: "operator.write",
      about: "Switches a lamp, or tries to switch what is not its own.",
      params: z.strictObject({ ...onSession.shape, colour: Colour, slice: z.string().default("lamp") }),
      result: z.strictObject({ colour: Colour }),
      async answer({ sessionId, colour, slice }, call) {
        const command = slice === "lamp" ? { type: "switch", colour } : { type: "leave" };
        const outcome = await call.apply(sessionId, { slice, command });
        return outcome.ok ? { colour } : { refused: outcome.refusal };
      },
    });
    api.methods.register({
      name: "lamp.break",
      scope: "operator.read",
      about: "Answers with what its own schema does not allow.",
      params: z.strictObject({}),
      result: Lamp,
      answer: async () => ({ colour: "mauve" }) as never,
    });
    api.commands.registerCommand({
      name: "lamp",
      description: "Switches the lamp.",
      requiredScopes: ["operator.write"],
      async handler({ args, apply }) {
        const outcome = await apply({ type: "switch", colour: args });
        if (!outcome.ok) return { refusal: outcome.refusal };
        return { message: `The lamp is ${args}.`, said: [{ line: 0, key: "lit", args: { colour: args } }] };
      },
    });
    api.texts.register({
      en: { lit: "The lamp is {colour}.", dark: "It is dark.", command_lamp: "Switches the lamp." },
      de: { lit: "Die Lampe ist {colour}.", command_lamp: "Schaltet die Lampe." },
    });
    api.session.controls.registerControlUiDescriptor({
      id: "lamp",
      surface: "session-header",
      label: "Lamp",
      body: [{ kind: "badge", text: "Lamp" }],
    });
    api.routes.register({
      below: "/plugins/lamp/",
      answer: async ({ path }) => ({ status: 200, body: JSON.stringify({ path }) }),
    });
  },
});
