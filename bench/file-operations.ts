/** The file tools of one workspace as the gateway calls them, for what measures them. */
import { systemClock } from "../src/engine/clock.ts";
import type { ToolContext } from "../src/plugins/tool.ts";
import { SessionId, TurnId } from "../src/protocol/ids.ts";
import type { Sandbox } from "../src/runner/sandbox.ts";
import { createFileRunners } from "../src/tools/builtin/files/file-runners.ts";
import { mintPermit } from "../src/tools/permit.ts";

export function fileOperations(sandbox: Sandbox, workspace: string) {
  const files = createFileRunners({ sandbox, protectedFolders: [], clock: systemClock });
  const ids = { sessionId: SessionId.parse("ses_1"), callId: "c1" };
  const { signal } = new AbortController();
  const context: ToolContext = { ...ids, turnId: TurnId.parse("trn_1"), workspace, signal, emit: () => undefined };
  const permit = mintPermit({ ...ids, argsDigest: "x", epoch: 1 });
  return {
    write: (path: string) => files.operation("write")({ path, content: "x" }, context, permit),
    read: (path: string) => files.operation("read")({ path }, context, undefined),
    endAll: () => files.endAll(),
  };
}
