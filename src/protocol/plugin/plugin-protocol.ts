/** What a bundled plugin brings to the wire and to the configuration: shapes alone, so that clients can read them. */
import type { z } from "zod";
import type { Scope } from "../actor.ts";
import type { FactWordings } from "../localized/fact-wording.ts";
import type { RefusalWordings } from "../localized/refusal-wording.ts";

type Shape = Readonly<Record<string, z.ZodType>>;

/** Fields of the configuration file: at its top, of its `tools`, among the agents' defaults, of an agent, of a binding. */
export type ConfigSections = { root: Shape; tools: Shape; agentDefaults: Shape; agent: Shape; binding: Shape };

/** None: for a plugin that adds nothing to the file. */
export const NO_SECTIONS = {
  root: {},
  tools: {},
  agentDefaults: {},
  agent: {},
  binding: {},
} as const satisfies ConfigSections;

/** What the file says at each level for one session, as these sections read it. */
export type SettingsLevels<Sections extends ConfigSections> = {
  root: Outputs<Sections["root"]>;
  tools: Outputs<Sections["tools"]>;
  agentDefaults: Outputs<Sections["agentDefaults"]>;
  agent: Outputs<Sections["agent"]> | undefined;
  binding: Outputs<Sections["binding"]> | undefined;
};
/** A section without fields demands nothing of the level. */
type Outputs<Fields extends Shape> = [keyof Fields] extends [never] ? object : z.output<z.ZodObject<Fields>>;

/** A union of events, told apart by their `type`. */
type EventUnion = z.ZodType & { readonly options: readonly { shape: { type: { value: string } } }[] };

export type PluginProtocol = {
  id: string;
  /** Below src/: where its `plugin.ts` is, and its `texts`. */
  folder: string;
  /** As `method` of wire/method.ts makes them. */
  methods: Readonly<Record<string, { scope: Scope | "public"; summary: string; params: z.ZodType; result: z.ZodType }>>;
  /** Fields of `sessions.patch`. */
  patchFields: Shape;
  config: ConfigSections;
  /** Its slash commands that nobody else may ever claim, whether it is loaded or not. */
  commandRoots?: readonly string[];
  /** What happens in its sessions, for those who subscribe: told to clients by name and shape. */
  events?: EventUnion;
  /** Methods that change something and take no key: after a lost connection a person looks before repeating them. */
  onceOnly?: readonly string[];
  /** What it keeps in the audit chain; `protocol/facts.ts` exports the same as `facts`, for pages. */
  facts?: FactWordings;
  /** The codes that it refuses with, besides the gateway's; `protocol/refusals.ts` exports the same as `refusals`. */
  refusals?: RefusalWordings;
  /** Shapes with a name of their own in the schema of the protocol. */
  shared?: Shape;
};
