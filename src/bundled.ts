/**
 * The bundled plugins: the one list. Each entry is what a plugin's folder brings to the wire and to the configuration; docs,
 * the typed client and the configuration are put together from the core's tables and these. From it `npm run fix` writes
 * the lists of those who must not load shapes: how plugins are started, which texts the page has, what clients repeat.
 */
import type { z } from "zod";
import { subAgentsProtocol } from "./agent/sub-agents/protocol/index.ts";
import { changesProtocol } from "./changes/protocol/index.ts";
import { channelsProtocol } from "./channels/protocol/index.ts";
import { builtinCommandsProtocol } from "./gateway/builtin-commands/protocol/index.ts";
import { codeModeProtocol } from "./code-mode/protocol/index.ts";
import { libraryProtocol } from "./library/protocol/index.ts";
import { planModeProtocol } from "./plan-mode/protocol/index.ts";
import type { PluginProtocol } from "./protocol/plugin/plugin-protocol.ts";
import { schedulerProtocol } from "./scheduler/protocol/index.ts";

/** In the order in which they are loaded and documented. */
const PROTOCOLS = [
  planModeProtocol,
  subAgentsProtocol,
  schedulerProtocol,
  channelsProtocol,
  builtinCommandsProtocol,
  codeModeProtocol,
  changesProtocol,
  libraryProtocol,
] as const satisfies PluginProtocol[];

/** As their shapes alone tell. */
export const BUNDLED: readonly PluginProtocol[] = PROTOCOLS;

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
  tools: together(PROTOCOLS.map(({ config }): Sections["tools"] => config.tools)),
  agentDefaults: together(PROTOCOLS.map(({ config }): Sections["agentDefaults"] => config.agentDefaults)),
  agent: together(PROTOCOLS.map(({ config }): Sections["agent"] => config.agent)),
  binding: together(PROTOCOLS.map(({ config }): Sections["binding"] => config.binding)),
};

type EventOf<Plugin> = Plugin extends { events: infer Events extends z.ZodType } ? z.output<Events> : never;
/** What happens in sessions because of them, as clients are told. */
export type BundledEvent = EventOf<Bundled>;

type RefusalOf<Plugin> = Plugin extends { refusals: infer Refusals } ? keyof Refusals & string : never;
/** What requests to them may be refused with, besides the gateway's codes. */
export type BundledRefusalCode = RefusalOf<Bundled>;

/** Shapes that the schema of the protocol calls by name. */
export const BUNDLED_SHARED: Readonly<Record<string, z.ZodType>> = Object.assign(
  {},
  ...BUNDLED.map(({ shared }) => shared ?? {}),
);

/** Roots of commands, by the plugin that alone may have them. */
export const BUNDLED_COMMAND_ROOTS: ReadonlyMap<string, string> = new Map(
  BUNDLED.flatMap(({ id, commandRoots = [] }) => commandRoots.map((root): [string, string] => [root, id])),
);
