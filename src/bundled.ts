/**
 * The bundled plugins: the one list. Each entry is what a plugin's folder brings to the wire and to the configuration; docs,
 * the typed client and the configuration are put together from the core's tables and these. How each is started stands in
 * gateway/plugins/bundled.ts, which does not compile without it.
 */
import { subAgentsProtocol } from "./agent/sub-agents/protocol/index.ts";
import { planModeProtocol } from "./plan-mode/protocol/index.ts";
import { NO_SECTIONS, type PluginProtocol } from "./protocol/plugin-protocol.ts";
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

/** RPC methods of all of them. */
export const BUNDLED_METHODS = together(PROTOCOLS.map(({ methods }): Bundled["methods"] => methods));

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
