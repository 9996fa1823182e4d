/**
 * Names of tools that no plugin from outside may take: those of RPC methods, by which people decide, and those that begin
 * as plan mode's own and MCP servers' tools do. An agent, or a person who reads a card, would take the one for the other.
 */
import { BUNDLED_METHODS } from "../../bundled.ts";
import { METHODS } from "../../protocol/methods.ts";

const PREFIXES = ["plan_mode_", "mcp_", "holdpoint_"];

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");

let methods: ReadonlySet<string> | undefined;

export function isReservedTool(name: string): boolean {
  // a method of one word, such as health, is a word that a tool may well be called by
  methods ??= new Set(
    [...Object.keys(METHODS), ...Object.keys(BUNDLED_METHODS)].map(plain).filter((key) => key.includes("_")),
  );
  const asked = plain(name);
  return methods.has(asked) || PREFIXES.some((prefix) => asked.startsWith(prefix));
}
