/** The verifier itself: what it says of a gateway that goes on working while it is looked at. */
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import type { WireClient } from "../kit/wire-client.ts";
import { APPEND_TOOL, MUTATIONS_FILE } from "./chaos-model.ts";
import { createKnowledge } from "./knowledge.ts";
import { throwAwayPlace } from "./place.ts";
import { verify } from "./verify.ts";

type Fact = { type: string; detail: Record<string, string> };
const claimed = (callId: string): Fact => ({ type: "call.claimed", detail: { callId, tool: APPEND_TOOL } });
const closed = (callId: string): Fact => ({ type: "call.closed", detail: { callId, tool: APPEND_TOOL, status: "ok" } });
const line = (callId: string): string => `ses_1 ${callId}\n`;

/** `onAudit` is what the gateway does in the moment in which it answers with these facts. */
async function verdict(parts: { facts: Fact[]; before?: string; onAudit?: { facts?: Fact[]; lines?: string } }) {
  const place = await throwAwayPlace();
  onTestFinished(() => place.remove());
  const effects = join(place.workspace, MUTATIONS_FILE);
  await writeFile(effects, parts.before ?? "");
  const client = {
    async must(method: string) {
      if (method !== "audit.list") return { verdict: { intact: true } };
      await appendFile(effects, parts.onAudit?.lines ?? "");
      const facts = [...parts.facts, ...(parts.onAudit?.facts ?? [])];
      return { rows: [{ seq: 1, body: JSON.stringify({ facts }) }] };
    },
  } as unknown as WireClient;
  return (await verify({ client, knowledge: createKnowledge(), workspace: place.workspace })).faults;
}

it("[QA-05] a call that is claimed and runs while the audit is read is no fault", async () => {
  const onAudit = { lines: line("late") }; // its claim came behind the page that was read
  expect(await verdict({ facts: [claimed("a"), closed("a")], before: line("a"), onAudit })).toEqual([]);
});

it("[QA-05] a call that ends while the audit is read is no fault", async () => {
  const onAudit = { lines: line("b"), facts: [closed("b")] };
  expect(await verdict({ facts: [claimed("b")], onAudit })).toEqual([]);
});

it("[QA-05] a line without a claim, a second line and a result without a line are faults", async () => {
  expect(await verdict({ facts: [], before: line("free") })).toEqual(["call free ran without a claim"]);
  expect(await verdict({ facts: [claimed("c")], before: line("c") + line("c") })).toEqual(["call c ran twice"]);
  expect(await verdict({ facts: [claimed("d")], before: line("d"), onAudit: { lines: line("d") } })).toEqual([
    "call d ran twice",
  ]);
  expect(await verdict({ facts: [claimed("e"), closed("e")] })).toEqual(["call e is recorded as done and never ran"]);
});
