/**
 * Where a call would run, with which environment and as which agent, as one digest. The arguments say what is run; a person's
 * yes that waits to be used counts only where all of this is still the same (I17).
 */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { digestOf } from "../plugins/digest-of.ts";
import { JsonObject } from "../protocol/json.ts";
import type { Session } from "../protocol/session.ts";
import { scrubbedEnvironment } from "./builtin/scrubbed-environment.ts";
import type { WorkspacePins } from "./builtin/workspace-pins.ts";

type Run = { session: Pick<Session, "workspace" | "agentId" | "role">; args: JsonObject };
type Places = { workspaces?: Pick<WorkspacePins, "pin"> | undefined; env?: NodeJS.ProcessEnv };

export function surroundingsOf({ session, args }: Run, { workspaces, env = process.env }: Places): string {
  const { workspace, agentId, role } = session;
  const pinned = workspaces?.pin(workspace) ?? { path: workspace };
  const { cwd } = args;
  const folder = "error" in pinned ? workspace : resolve(pinned.path, typeof cwd === "string" ? cwd : ".");
  return digestOf({
    folder,
    identity: identityOf(folder),
    env: digestOf(JsonObject.parse(scrubbedEnvironment(env))),
    agent: digestOf({ agentId, role: role ?? null }),
  });
}

/** Another folder under the same name is another folder. */
function identityOf(folder: string): string {
  const found = statSync(folder, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? "none" : `${found.dev}:${found.ino}`;
}
