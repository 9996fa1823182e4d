/**
 * From one request of the model to the next, with a cell in between, in a whole gateway with its store on disk; beside the same
 * way without a cell (`wait` for one that there is not), which makes the same commits.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ModelRequest } from "../src/agent/model.ts";
import { startGateway } from "../src/gateway.ts";
import { scriptedModel, type ScriptStep } from "../test/kit/scripted-model.ts";
import { wireClient } from "../test/kit/wire-client.ts";
import { against, figure, type Group, median, percentile } from "./figure.ts";

const TURNS = 6;
/** Of each kind, in one turn; the first of a turn is not counted. */
const ROUNDS = 12;

type Kind = "cell" | "none" | "searches";
const STEPS: Readonly<Record<Kind, (n: number) => ScriptStep>> = {
  cell: (n) => ({ calls: [{ tool: "exec", args: { code: `return ${n}` } }] }),
  none: (n) => ({ calls: [{ tool: "wait", args: { runId: `none ${n}` } }] }),
  searches: (n) => ({
    calls: [
      {
        tool: "exec",
        args: { code: `for (let n = 0; n < 100; n++) await tools.search("read " + n, { limit: 1 }); return ${n}` },
      },
    ],
  }),
};
const KINDS: readonly Kind[] = ["cell", "none", "searches"];
const MS: Readonly<Record<Kind, string>> = {
  cell: "model → exec of a trivial cell → model",
  none: "model → a call without a cell → model",
  searches: "model → exec with 100 nested searches → model",
};

export const codeTurn: Group = async (report) => {
  const took: Record<Kind, number[]> = { cell: [], none: [], searches: [] };
  await playTurns(took);
  const reference = { p50: median(took.none), p10: percentile(took.none, 10) };
  for (const kind of KINDS) {
    report(against(reference.p50, figure(`${MS[kind]}, p50`, median(took[kind]), "ms")));
    report(against(reference.p10, figure(`${MS[kind]}, p10`, percentile(took[kind], 10), "ms")));
  }
};

/** The kinds take turns, so that whatever else the machine does slows all of them. */
async function playTurns(took: Record<Kind, number[]>): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), "holdpoint-bench-"));
  const [home, workspace] = [join(root, "home"), join(root, "work")];
  mkdirSync(home, { mode: 0o700 });
  mkdirSync(workspace);
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ tools: { codeMode: true } }), { mode: 0o600 });
  let ended = Promise.withResolvers<void>();
  let askedAtMs = 0;
  let n = 0;
  const step = (_request: ModelRequest): ScriptStep => {
    const at = n % (ROUNDS * KINDS.length + 1);
    const before = KINDS[(at - 1) % KINDS.length];
    if (at > KINDS.length && before !== undefined) took[before].push(performance.now() - askedAtMs);
    n += 1;
    askedAtMs = performance.now();
    const kind = at < ROUNDS * KINDS.length ? KINDS[at % KINDS.length] : undefined;
    if (kind !== undefined) return STEPS[kind](n);
    ended.resolve();
    return { say: "done" };
  };
  const gateway = await startGateway({ home, workspace, port: 0, env: {}, log: "silent", model: scriptedModel(step) });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs on this state already");
  try {
    const client = await wireClient({ url: gateway.url, token: gateway.operatorToken });
    for (let turn = 0; turn < TURNS; turn++) {
      const { session } = await client.must("sessions.create", {});
      await client.must("chat.send", { sessionId: session.id, text: "please" });
      await ended.promise;
      ended = Promise.withResolvers<void>();
    }
    client.close();
  } finally {
    await gateway.stop();
    rmSync(root, { recursive: true, force: true });
  }
}
