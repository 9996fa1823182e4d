/** Makes a typed tool fit for the registry. */
import type { Tool } from "../plugins/tool.ts";

/** Drops a tool's argument type, so that tools of all types fit into one registry. */
export function defineTool<Args>(tool: Tool<Args>): Tool {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what reaches a tool has passed its own schema
  return tool as Tool;
}
