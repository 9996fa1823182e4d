/** A gateway in a process of its own whose agent submits one long plan in every session, for the page to show. */
import { z } from "zod";
import { startGateway } from "../src/gateway.ts";
import type { JsonObject } from "../src/protocol/json.ts";
import { STEPS_MAX } from "../src/plan-mode/protocol/plan.ts";
import { scriptedModel } from "../test/kit/scripted-model.ts";

const Orders = z.looseObject({ home: z.string(), workspace: z.string() });

/** As long as a plan may be. */
const longPlan = (): JsonObject => ({
  title: "Move every part to the new interface",
  summary: "The parts move **one by one**, so that each can be tested by itself.",
  analysis: "The parts stand in `src/`.\n\n- Each has tests of its own.\n- Nothing else imports them.",
  plan: Array.from({ length: STEPS_MAX }, (_, n) => ({
    step: `Step number ${n + 1}: change \`src/part-${n + 1}.ts\``,
    status: "pending",
    acceptanceCriteria: ["tests pass"],
  })),
  assumptions: ["Nobody else changes the parts meanwhile."],
  risks: [{ risk: "A part has no tests", mitigation: "Write one first" }],
  verification: ["`npm test` is green"],
});

async function main(): Promise<void> {
  const { home, workspace } = Orders.parse(JSON.parse(process.argv[2] ?? "{}"));
  const model = scriptedModel(({ entries }) =>
    entries.some(({ kind }) => kind === "assistant")
      ? { say: "I begin." }
      : { calls: [{ tool: "exit_plan_mode", args: longPlan() }] },
  );
  const gateway = await startGateway({ home, workspace, port: 0, log: "silent", model });
  if ("alreadyRunning" in gateway) throw new Error("A gateway runs on this state already.");
  const ready = { url: gateway.url, token: gateway.operatorToken, rssBytes: process.memoryUsage.rss() };
  process.stdout.write(`${JSON.stringify(ready)}\n`);
  process.on("SIGTERM", () => void gateway.stop().then(() => process.exit(0)));
}

await main();
