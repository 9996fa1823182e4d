import { expect, it } from "vitest";
import type { AuditRow } from "../../protocol/audit.ts";
import { chained, EMPTY_CHAIN } from "./audit-chain.ts";
import { type ChainSource, verifyChain } from "./audit-verify.ts";

function chain(length: number): AuditRow[] {
  const rows: AuditRow[] = [];
  for (let n = 1; n <= length; n++)
    rows.push(
      chained(rows.at(-1) ?? EMPTY_CHAIN, { atMs: n, sessionId: null, actor: "opr_alice", body: `{"n":${n}}` }),
    );
  return rows;
}

const source = (rows: AuditRow[], head: Pick<AuditRow, "seq" | "hash">): ChainSource => ({
  rows: async (afterSeq, limit) => rows.filter(({ seq }) => seq > afterSeq).slice(0, limit),
  head: async () => head,
  document: async () => undefined,
});

const last = (rows: AuditRow[]) => rows.at(-1) ?? EMPTY_CHAIN;

it("[ST-07] walks a chain of any length to its head", async () => {
  const rows = chain(1_000);
  expect(await verifyChain(source(rows, last(rows)))).toEqual({ intact: true, rows: 1_000, headHash: last(rows).hash });
});

it("[ST-07] finds rows that were added behind the gateway's back, however well they are chained", async () => {
  const rows = chain(5);
  expect(await verifyChain(source(rows, last(chain(3))))).toEqual({
    intact: false,
    rows: 5,
    brokenAtSeq: 4,
    reason: "rows after 3 were not written by a gateway",
    said: [{ line: 0, key: "chainForeign", args: { seq: 3 } }],
  });
});

it("[ST-07] finds a last row that was replaced by another that fits", async () => {
  const rows = chain(3);
  const forged = chained(last(chain(2)), { atMs: 3, sessionId: null, actor: "opr_mallory", body: "{}" });
  expect(await verifyChain(source([...rows.slice(0, 2), forged], last(rows)))).toEqual({
    intact: false,
    rows: 3,
    brokenAtSeq: 3,
    reason: "row 3 is not the one that was written last",
    said: [{ line: 0, key: "chainNotLast", args: { seq: 3 } }],
  });
});

it("[ST-07] finds a row in the middle that was replaced by another that fits the one before it", async () => {
  const rows = chain(4);
  const forged = chained(last(chain(1)), { atMs: 2, sessionId: null, actor: "opr_mallory", body: "{}" });
  expect(await verifyChain(source([...rows.slice(0, 1), forged, ...rows.slice(2)], last(rows)))).toMatchObject({
    intact: false,
    brokenAtSeq: 3,
    said: [{ line: 0, key: "chainBroken", args: { seq: 3 } }],
  });
});

it("[ST-07] is not misled by rows that are appended while it walks", async () => {
  const rows = chain(3);
  const growing = source(rows, EMPTY_CHAIN);
  const verdict = await verifyChain({
    ...growing,
    async head() {
      if (rows.length === 3) rows.push(...chain(6).slice(3)); // committed between the last page and this answer
      return last(rows);
    },
  });
  expect(verdict).toEqual({ intact: true, rows: 6, headHash: last(rows).hash });
});
