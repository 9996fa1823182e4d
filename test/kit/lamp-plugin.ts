/** A trusted plugin from outside with a machine of its own: a lamp in each session, in the colour that people choose. */
import { definePlugin, type PatchField, type Slice, z } from "../../src/plugins/sdk.ts";

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
  opening: () => [],
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

export const lampPlugin = definePlugin({
  id: "lamp",
  name: "Lamp",
  description: "A lamp in each session.",
  register(api) {
    api.session.registerExtension(lampSlice);
    api.session.registerPatchField(lampField);
  },
});
