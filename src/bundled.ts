/**
 * The bundled plugins: the one list. Each entry is what a plugin's folder brings to the wire and to the configuration; docs,
 * the typed client and the configuration are put together from the core's tables and these. How each is started stands in
 * gateway/plugins/bundled.ts, which does not compile without it.
 */
import type { z } from "zod";
import { subAgentsProtocol } from "./agent/sub-agents/protocol/index.ts";
import { planModeProtocol } from "./plan-mode/protocol/index.ts";
import { METHODS } from "./protocol/methods.ts";
import { NO_SECTIONS, type PluginProtocol } from "./protocol/plugin-protocol.ts";
import type { NamedChange, OWN_PATCH_FIELDS, patchPlace } from "./protocol/wire/session-patch.ts";
import { schedulerProtocol } from "./scheduler/protocol/index.ts";

/** In the order in which they are loaded and documented. */
const PROTOCOLS = [
  planModeProtocol,
  subAgentsProtocol,
  schedulerProtocol,
  { id: "house-commands", methods: {}, patchFields: {}, config: NO_SECTIONS },
] as const satisfies PluginProtocol[];

type Bundled = (typeof PROTOCOLS)[number];
export type BundledId = Bundled["id"];
export const BUNDLED_IDS: readonly BundledId[] = PROTOCOLS.map(({ id }) => id);
/** What one of the parts is, over all plugins: their names never meet. */
type Together<Part> = (Part extends unknown ? (part: Part) => void : never) extends (part: infer All) => void
  ? All
  : never;

function together<Part extends object>(parts: readonly Part[]): Together<Part> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the type says what the line does
  return Object.assign({}, ...parts) as Together<Part>;
}

/** Every method that a gateway answers without plugins from outside. */
export const ALL_METHODS = { ...METHODS, ...together(PROTOCOLS.map(({ methods }): Bundled["methods"] => methods)) };

/** Fields of `sessions.patch`, in the order in which they are documented. */
export const BUNDLED_PATCH_FIELDS = together(PROTOCOLS.map(({ patchFields }): Bundled["patchFields"] => patchFields));

type Sections = Bundled["config"];
/** What the configuration file holds besides the gateway's own. */
export const BUNDLED_CONFIG = {
  root: together(PROTOCOLS.map(({ config }): Sections["root"] => config.root)),
  agentDefaults: together(PROTOCOLS.map(({ config }): Sections["agentDefaults"] => config.agentDefaults)),
  agent: together(PROTOCOLS.map(({ config }): Sections["agent"] => config.agent)),
  binding: together(PROTOCOLS.map(({ config }): Sections["binding"] => config.binding)),
};

type AllMethods = typeof ALL_METHODS;

export type MethodName = keyof AllMethods;
export type ParamsOf<Name extends MethodName> = Name extends "sessions.patch"
  ? PatchParams
  : z.input<AllMethods[Name]["params"]>;
export type ResultOf<Name extends MethodName> = z.output<AllMethods[Name]["result"]>;

type Place = z.input<z.ZodObject<typeof patchPlace>>;
type OneOf<Fields extends Record<string, z.ZodType>> = {
  [Field in keyof Fields]: { [Only in Field]: z.input<Fields[Field]> };
}[keyof Fields];

/** Exactly one change, typed for what the bundled plugins take; `field` and `value` for what others do. */
type PatchParams = (Place & OneOf<typeof OWN_PATCH_FIELDS & typeof BUNDLED_PATCH_FIELDS>) | z.input<typeof NamedChange>;
