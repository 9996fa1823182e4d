/** The trusted policy that looks, before each call, whether the session's folder still is where sessions may work. */
import type { TrustedToolPolicy } from "../../plugins/policy.ts";
import type { Workspaces } from "./allowed-workspace.ts";

export function workspacePolicy({ problem }: Pick<Workspaces, "problem">): TrustedToolPolicy {
  return {
    id: "workspace/allowed",
    description: "Tools work only in folders that the configuration allows, as they really lie.",
    evaluate({ call, session }) {
      const why = problem(session);
      if (why === undefined) return { verdict: "allow" };
      const { tool, kind } = call;
      return {
        verdict: "block",
        refusal: {
          tool_name: tool,
          tool_kind: kind,
          hint: "Nothing can be done from here. Tell the person.",
          entered_at: null,
          entered_reason: null,
          rule: "workspace/not-allowed",
          matched: session.workspace.slice(0, 1_000),
          message: `${tool} was not run: ${why}.`,
        },
      };
    },
  };
}
