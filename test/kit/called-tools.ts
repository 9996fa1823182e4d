/** Calls tools as the pipeline would, in a workspace of their own: prepared by a registry, with a permit. */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Tool, ToolOutput } from "../../src/plugins/tool.ts";
import { SessionId, TurnId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import type { Session } from "../../src/protocol/session.ts";
import { mintPermit } from "../../src/tools/permit.ts";
import { createRegistry, type Registry } from "../../src/tools/registry.ts";
import { coreWorld, create } from "./core.ts";
import { temporaryFolder } from "./turn-world.ts";

export type CalledTools = {
  workspace: string;
  registry: Registry;
  session: Session;
  stop: AbortController;
  /** With a permit where the call needs one. Throws when the call cannot be prepared. */
  call(name: string, args: JsonObject): Promise<ToolOutput>;
  effect(name: string, args: JsonObject): string;
  file(name: string): string;
};

export function calledTools(
  tools: readonly Tool[],
  files: Readonly<Record<string, string | Buffer>> = {},
): CalledTools {
  const workspace = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(workspace, name)), { recursive: true });
    writeFileSync(join(workspace, name), content);
  }
  const registry = createRegistry(tools);
  const world = coreWorld();
  world.must(create);
  if (world.session === undefined) throw new Error("no session");
  const session: Session = { ...world.session, workspace };
  const stop = new AbortController();
  const prepared = (name: string, args: JsonObject) => {
    const made = registry.find(name, { session, settings: {} })?.prepare(args, { workspace });
    if (made?.ok !== true) throw new Error(made?.error ?? `no tool ${name}`);
    return made.call;
  };
  return {
    workspace,
    registry,
    session,
    stop,
    effect: (name, args) => prepared(name, args).effect,
    file: (name) => readFileSync(join(workspace, name), "utf8"),
    async call(name, args) {
      const made = prepared(name, args);
      const ids = { sessionId: SessionId.parse(session.id), callId: "c" };
      const permit =
        made.effect === "write" ? mintPermit({ ...ids, argsDigest: made.argsDigest, epoch: 1 }) : undefined;
      const context = { ...ids, turnId: TurnId.parse("trn_1"), workspace, signal: stop.signal, emit: () => undefined };
      return made.run(context, permit);
    },
  };
}
