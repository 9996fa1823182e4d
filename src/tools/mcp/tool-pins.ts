/**
 * What a trusted server's tools were when a person's trust first met them, and what any server's tool was when a person
 * called it `read`. A tool that is described otherwise later, or comes later, is not covered by that: it counts as changing
 * things until a person has said what it is.
 */
import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import { canonicalJson, digestOf } from "../../plugins/sdk.ts";
import { Json } from "../../protocol/json.ts";

/** Server → tool → digest of how it described itself; with `read:` before it where a person called it that then. */
export type PinTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Where pins outlive the gateway. */
export type PinStore = { load(): PinTable; save(table: PinTable): void };

export type Decided = "read" | "write" | "off" | undefined;

export type PinnedServer = {
  name: string;
  trusted: boolean;
  /** What a person said that a tool of it is. */
  decided(tool: string): Decided;
};

export type ToolPins = {
  /**
   * The names of those tools that are not what was trusted, or not what a person called `read`. Whoever says anew what a
   * tool is takes it as it is now.
   */
  changed(server: PinnedServer, tools: readonly ServerTool[]): ReadonlySet<string>;
};

const READ = "read:";
/** Of servers that nobody trusts only those tools are pinned that a person called `read`. No server has such a name. */
const untrustedKey = (name: string): string => `untrusted/${name}`;

export function createToolPins(store: PinStore): ToolPins {
  let table: PinTable | undefined;
  const read = (): PinTable => (table ??= store.load());
  return {
    changed(server, tools) {
      const { [server.name]: trusted, [untrustedKey(server.name)]: untrusted, ...others } = read();
      const known = server.trusted ? trusted : untrusted;
      // of two tools with one name the first is the one that is offered
      const now = Object.fromEntries(tools.toReversed().map((tool) => [tool.name, digestOfTool(tool)]));
      const judged = Object.entries(now).map(([name, digest]) => ({ name, ...pinOf({ name, digest }, server, known) }));
      const own = judged.flatMap(({ name, pin }) => (pin === undefined ? [] : [[name, pin] as const]));
      // trust that was withdrawn begins anew: what was pinned under it is dropped
      const absent = Object.entries(known ?? {}).filter(([name]) => !Object.hasOwn(now, name));
      const kept = Object.fromEntries([...absent, ...own]);
      const key = server.trusted ? server.name : untrustedKey(server.name);
      const next = server.trusted || Object.keys(kept).length > 0 ? { ...others, [key]: kept } : others;
      if (canonicalJson(next) !== canonicalJson(read())) {
        table = next;
        store.save(next);
      }
      return new Set(judged.flatMap(({ name, changed }) => (changed ? [name] : [])));
    },
  };
}

type Described = { name: string; digest: string };
type Pins = PinTable[string];

type Pinned = { pin: string | undefined; changed: boolean };

/** `pin`: what is kept of it; undefined where nothing is. */
function pinOf({ name, digest }: Described, { trusted, decided }: PinnedServer, known: Pins | undefined): Pinned {
  const pinned = known !== undefined && Object.hasOwn(known, name) ? known[name] : undefined;
  const said = decided(name);
  if (said === "read") return calledRead(digest, pinned);
  if (!trusted) return { pin: undefined, changed: false };
  const before = pinned?.replace(READ, "");
  const changed = said === undefined && known !== undefined && before !== digest;
  return { pin: changed ? before : digest, changed };
}

function calledRead(digest: string, pinned: string | undefined): Pinned {
  const pin = `${READ}${digest}`;
  const isOfAnother = pinned?.startsWith(READ) === true && pinned !== pin;
  return isOfAnother ? { pin: pinned, changed: true } : { pin, changed: false };
}

/** All that people and the model go by: words, input and hints. */
function digestOfTool({ title, description, inputSchema, annotations }: ServerTool): string {
  const described: unknown = JSON.parse(JSON.stringify({ title, description, inputSchema, annotations }));
  return digestOf(Json.parse(described));
}
