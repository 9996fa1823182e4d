/**
 * What a trusted server's tools were when a person's trust first met them. A tool that is described otherwise later, or
 * comes later, is not covered by that trust: it counts as changing things until a person has said what it is.
 */
import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import { canonicalJson, digestOf } from "../../plugins/sdk.ts";
import { Json } from "../../protocol/json.ts";

/** Server → tool → digest of how it described itself. */
export type PinTable = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Where pins outlive the gateway. */
export type PinStore = { load(): PinTable; save(table: PinTable): void };

export type ToolPins = {
  /** The names of those tools that are not what was trusted. Decided ones are taken as they are now. */
  changed(server: string, tools: readonly ServerTool[], isDecided: (tool: string) => boolean): ReadonlySet<string>;
  /** Trust that was withdrawn begins anew. */
  forget(server: string): void;
};

export function createToolPins(store: PinStore): ToolPins {
  let table: PinTable | undefined;
  const read = (): PinTable => (table ??= store.load());
  function write(next: PinTable): void {
    table = next;
    store.save(next);
  }
  return {
    changed(server, tools, isDecided) {
      const known = Object.hasOwn(read(), server) ? read()[server] : undefined;
      // of two tools with one name the first is the one that is offered
      const now = Object.fromEntries(tools.toReversed().map((tool) => [tool.name, digestOfTool(tool)]));
      const differs = (name: string): boolean => known !== undefined && known[name] !== now[name];
      const changed = new Set(Object.keys(now).filter((name) => differs(name) && !isDecided(name)));
      const taken = Object.entries(now).filter(([name]) => !changed.has(name));
      const pins = { ...known, ...Object.fromEntries(taken) };
      if (canonicalJson(pins) !== canonicalJson(known ?? null)) write({ ...read(), [server]: pins });
      return changed;
    },
    forget(server) {
      if (!Object.hasOwn(read(), server)) return;
      const { [server]: _forgotten, ...rest } = read();
      write(rest);
    },
  };
}

/** All that people and the model go by: words, input and hints. */
function digestOfTool({ title, description, inputSchema, annotations }: ServerTool): string {
  const described: unknown = JSON.parse(JSON.stringify({ title, description, inputSchema, annotations }));
  return digestOf(Json.parse(described));
}
