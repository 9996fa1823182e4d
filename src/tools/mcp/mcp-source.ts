/**
 * MCP servers as a source of tools. Nothing waits for them: they start in the background, their tools join the registry
 * when they are known, and go with them when a server is removed from the settings.
 */
import { isDeepStrictEqual } from "node:util";
import type { Tool as ServerTool } from "@modelcontextprotocol/client";
import type { Clock } from "../../plugins/sessions.ts";
import type { Tool } from "../../plugins/tool.ts";
import type { McpServerSettings, McpSettings } from "../../protocol/settings/tool-settings.ts";
import type { Connected } from "./connect.ts";
import { createResourceTools } from "./resource-tools.ts";
import { createServerLink, type ServerLink, type ServerLinkParts } from "./server-link.ts";
import { defuseLine } from "../../plugins/sdk.ts";
import { visible } from "../untrusted.ts";
import { serverTool } from "./server-tool.ts";
import type { Decided, ToolPins } from "./tool-pins.ts";
import { toolNames } from "./tool-names.ts";

/** What the source needs of the registry. */
export type ToolSet = { add(tool: Tool): void; remove(name: string): void };

export type McpSourceParts = {
  tools: ToolSet;
  clock: Clock;
  /** Absent: trust covers whatever a trusted server says. */
  pins?: ToolPins;
  connect(order: Parameters<ServerLinkParts["connect"]>[0] & { name: string }): Promise<Connected>;
  report(error: unknown): void;
};

type ServerStatus = { name: string; status: string; reason: string; tools: string[] };

export type McpSource = {
  /** Starts, restarts and stops servers until they are those of the settings. Comes back at once. */
  apply(settings: McpSettings): void;
  /** Resolves when each server that is starting has its tools in the registry, or has failed. */
  started(): Promise<void>;
  status(): ServerStatus[];
  /** Whether a tool, by its name here, says of itself that it destroys, or no longer is what was trusted. */
  isDestructive(tool: string): boolean;
  /** Tools that a person should look at again. */
  notes(): string[];
  stop(): Promise<void>;
};

export function createMcpSource(parts: McpSourceParts): McpSource {
  const links = new Map<string, ServerLink>();
  const offered = new Map<string, string[]>(); // server → names of its tools in the registry
  const ending = new Set<Promise<void>>();
  const destructive = new Set<string>();
  const changes = new Map<string, ReadonlySet<string>>(); // server → its tools that are not what was trusted

  function takeAway(server: string): void {
    for (const name of offered.get(server) ?? []) {
      parts.tools.remove(name);
      destructive.delete(name);
    }
    offered.delete(server);
    changes.delete(server);
  }

  function show(link: ServerLink, tools: readonly ServerTool[]): void {
    if (links.get(link.name) !== link) return; // removed while it was starting
    takeAway(link.name);
    const changed = changedTools(link, tools, parts);
    changes.set(link.name, changed);
    const names = namesOf(link, tools);
    const added: string[] = [];
    offered.set(link.name, added);
    for (const tool of tools) {
      const name = names.get(tool.name);
      names.delete(tool.name); // of two tools with one name the first counts
      if (name === undefined || decided(link, tool.name) === "off") continue;
      const isAsTrusted = !changed.has(tool.name);
      if (!addTool(parts, name, serverTool(name, tool, { link, isAsTrusted }))) continue;
      added.push(name);
      if (tool.annotations?.destructiveHint === true || !isAsTrusted) destructive.add(name);
    }
  }

  function begin(name: string, settings: McpServerSettings): void {
    const link = createServerLink({
      name,
      settings,
      clock: parts.clock,
      connect: (order) => parts.connect({ ...order, name }),
      onTools: (tools) => show(link, tools),
      report: parts.report,
    });
    links.set(name, link);
    link.start();
  }

  function end(link: ServerLink): Promise<void> {
    links.delete(link.name);
    takeAway(link.name);
    const ended = link.stop().finally(() => ending.delete(ended));
    ending.add(ended);
    return ended;
  }

  for (const tool of createResourceTools(viewOf(links))) parts.tools.add(tool);
  return {
    apply({ servers }) {
      const wanted = new Map(Object.entries(servers).filter(([, settings]) => settings.enabled));
      for (const link of links.values()) {
        if (!isDeepStrictEqual(wanted.get(link.name), link.settings)) void end(link);
      }
      for (const [name, settings] of wanted) if (!links.has(name)) begin(name, settings);
    },
    started: () => allReady([...links.values()]),
    isDestructive: (tool) => destructive.has(tool),
    notes: () => [...changes].flatMap(([server, tools]) => [...tools].slice(0, NOTES_MAX).map(changedNote(server))),
    status: () => [...links.values()].map((link) => statusOf(link, offered.get(link.name) ?? [])),
    async stop() {
      for (const link of links.values()) void end(link);
      await Promise.all(ending);
    },
  };
}

const namesOf = ({ name }: ServerLink, tools: readonly ServerTool[]): Map<string, string> =>
  toolNames(
    name,
    tools.map((tool) => tool.name),
  );

const NOTES_MAX = 20;
const NAME_CHARS_SHOWN = 100;

const changedNote =
  (server: string) =>
  (tool: string): string => {
    const name = defuseLine(visible(tool), NAME_CHARS_SHOWN);
    return `The MCP server ${server} has changed its tool "${name}" since it was trusted or called read, or added it: it counts as changing things. Look at it, then say what it is: mcp.servers.${server}.tools (read, write or off; what says read already: write first, then read).`;
  };

const decided = ({ settings }: ServerLink, tool: string): Decided =>
  Object.hasOwn(settings.tools, tool) ? settings.tools[tool] : undefined;

function changedTools(link: ServerLink, tools: readonly ServerTool[], { pins }: McpSourceParts): ReadonlySet<string> {
  const { name, settings } = link;
  const server = { name, trusted: settings.trusted, decided: (tool: string) => decided(link, tool) };
  return pins?.changed(server, tools) ?? new Set();
}

/** A tool that cannot be registered is logged and left out; the others are not affected. */
function addTool({ tools, report }: McpSourceParts, name: string, tool: Tool | undefined): boolean {
  if (tool === undefined) {
    report(new Error(`the MCP tool ${name} is left out: its input is no object's schema, or too large`));
    return false;
  }
  try {
    tools.add(tool);
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}

const viewOf = (links: ReadonlyMap<string, ServerLink>) => ({
  link: (server: string) => links.get(server),
  names: () => [...links.keys()],
  has: (capability: "resources" | "prompts") =>
    links.values().some((link) => {
      const state = link.state();
      return state.status === "ready" && state.connected.client.getServerCapabilities()?.[capability] !== undefined;
    }),
});

function statusOf(link: ServerLink, tools: string[]): ServerStatus {
  const state = link.state();
  return { name: link.name, status: state.status, reason: state.status === "down" ? state.reason : "", tools };
}

/** Resolves when none of them is starting any more. */
async function allReady(links: readonly ServerLink[]): Promise<void> {
  const states = links.map((link) => link.state());
  await Promise.all(states.flatMap((state) => (state.status === "starting" ? [state.ready] : [])));
}
