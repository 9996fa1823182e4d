/** The sub-agents of a session; `unknown` where the gateway's list is not as it should be. */
import type { SessionView } from "../../src/protocol/methods.ts";
import type { SubAgentsState } from "../../src/agent/sub-agents/protocol/sub-agents.ts";

export function childrenOf({ slices }: Pick<SessionView, "slices">): SubAgentsState["children"] | "unknown" {
  const slice = slices["subagents"];
  if (slice === undefined) return [];
  if (typeof slice !== "object" || slice === null || !("children" in slice)) return "unknown";
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway's own schema made it; a schema library is too large for a page
  const { children } = slice as unknown as SubAgentsState;
  return Array.isArray(children) ? children : "unknown";
}
