/** The policies that judge a call, as they are at that moment: plugins' in their order, and those of the gateway itself. */
import { ancestorPolicy, type AncestorParts } from "../../agent/sub-agents/ancestors.ts";
import { declaredDestructivePolicy, ownFoldersPolicy } from "../../plan-mode/gates/accept-edits-gate.ts";
import type { PluginHost } from "../../plugins/host.ts";
import type { TrustedToolPolicy } from "../../plugins/policy.ts";
import { heldRunPolicy } from "../../tools/held-run-policy.ts";

type Parts = Pick<AncestorParts, "sessions" | "clock" | "settingsFor" | "revoked"> & {
  host: Pick<PluginHost, "policies" | "slices" | "permissionPrompt">;
  isDestructive(tool: string): boolean;
  protectedFolders: readonly string[];
  /** Where the gateway listens. */
  ports?: () => readonly number[];
  /** Whether the session's folder may still be used; before everything else. */
  workspace?: TrustedToolPolicy;
};

export function livePolicies({
  host,
  isDestructive,
  protectedFolders,
  ports,
  workspace,
  ...parts
}: Parts): () => readonly TrustedToolPolicy[] {
  const destructive = declaredDestructivePolicy(isDestructive);
  const ownFolders = ownFoldersPolicy(protectedFolders, ports);
  const own = (): TrustedToolPolicy[] => [...host.policies, destructive, ownFolders];
  const heldRun = heldRunPolicy({ slices: host.slices, clock: parts.clock });
  const ancestors = ancestorPolicy({
    ...parts,
    slices: host.slices,
    get policies() {
      return own();
    },
    get permissionPrompt() {
      return host.permissionPrompt;
    },
  });
  const first = workspace === undefined ? [] : [workspace];
  return () => [...first, ...own(), heldRun, ancestors];
}
