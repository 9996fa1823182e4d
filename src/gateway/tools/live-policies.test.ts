import { expect, it } from "vitest";
import { runningTurn } from "../../../test/kit/core.ts";
import { fakeClock } from "../../../test/kit/fake-clock.ts";
import type { PermissionPrompt, PolicyQuestion, TrustedToolPolicy } from "../../plugins/policy.ts";
import type { AnySlice } from "../../plugins/sdk.ts";
import type { Sessions } from "../../plugins/sessions.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { Session } from "../../protocol/session.ts";
import { livePolicies } from "./live-policies.ts";

const CHILD = SessionId.parse("ses_child");

function family(): { parent: Session; child: Session } {
  const { world } = runningTurn(); // a person's, so that nothing holds it
  if (world.session === undefined) throw new Error("no session");
  return { parent: world.session, child: { ...world.session, id: CHILD, parentId: world.session.id } };
}

const refusal = {
  tool_name: "write",
  tool_kind: "file_edit",
  hint: "",
  entered_at: null,
  entered_reason: null,
  rule: "asks",
  matched: "all",
  message: "No.",
} as const;

it("[GA-02, I16] a session's permission prompt, whichever plugin has it now, counts for its sub-agents too", async () => {
  const { parent, child } = family();
  const host: {
    policies: TrustedToolPolicy[];
    slices: Map<string, AnySlice>;
    permissionPrompt: PermissionPrompt | undefined;
  } = {
    policies: [],
    slices: new Map(),
    permissionPrompt: undefined,
  };
  const sessions: Pick<Sessions, "session"> = { session: async () => parent };
  const around = { clock: fakeClock(), settingsFor: () => ({}), isDestructive: () => false, protectedFolders: [] };
  const policies = livePolicies({ host, sessions, ...around });
  const call = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d", callId: "c", args: {} } as const;
  const question: PolicyQuestion = { call, session: child, settings: {} };
  const verdicts = () => Promise.all(policies().map(async (policy) => (await policy.evaluate(question)).verdict));

  expect(await verdicts()).not.toContain("block");
  host.permissionPrompt = { id: "p", description: "", evaluate: () => ({ verdict: "block", refusal }) };
  expect(await verdicts()).toContain("block");
});
