/** The signatures of the audit log, checked from its rows alone, by somebody to whom the whole chain may have been forged. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { approve, person, type PresentPerson, servePresence, waitingPlan } from "../../../test/kit/presence-world.ts";
import type { ServedGateway } from "../../../test/kit/served-gateway.ts";
import { AuditFact, type AuditRow } from "../../protocol/audit.ts";
import { auditBody, chained, EMPTY_CHAIN } from "../../store/audit/audit-chain.ts";
import { verifyChain } from "../../store/audit/audit-verify.ts";
import { verifySignedRows } from "./verify-signed-rows.ts";

let gateway: ServedGateway;
let rows: AuditRow[];
let alice: PresentPerson;
let bob: PresentPerson;

beforeAll(async () => {
  gateway = await servePresence();
  alice = await person(gateway, "alice");
  bob = await person(gateway, "bob", { by: alice });
  const [one, two] = [await waitingPlan(gateway, alice), await waitingPlan(gateway, alice)];
  await approve(alice, one);
  await approve(bob, two, { action: "approve_edited", steps: [{ step: "paint it blue", status: "pending" }] });
  await alice.program.must("passkeys.revoke", { credentialId: bob.key.credentialId });
  rows = await gateway.store.auditRows({ afterSeq: 0, limit: 200 });
});
afterAll(() => gateway.close());

const verify = (given: readonly AuditRow[]) =>
  verifySignedRows(async (afterSeq) => given.filter(({ seq }) => seq > afterSeq));

const factsIn = ({ body }: AuditRow): AuditFact[] =>
  z.object({ facts: z.array(AuditFact) }).parse(JSON.parse(body)).facts;
const seqsOf = (type: string): number[] =>
  rows.filter((row) => factsIn(row).some((fact) => fact.type === type)).map(({ seq }) => seq);

/** As whoever owns the store can do it: altered, and the whole chain written anew around it. */
async function forged(change: (facts: AuditFact[], row: AuditRow) => AuditFact[] | undefined): Promise<AuditRow[]> {
  let head = EMPTY_CHAIN;
  const all = rows.flatMap((row) => {
    const facts = change(structuredClone(factsIn(row)), row);
    if (facts === undefined) return [];
    const { atMs, sessionId, actor } = row;
    const next = chained(head, { atMs, sessionId, actor, body: auditBody(facts) ?? JSON.stringify({ facts }) });
    head = next;
    return [next];
  });
  const source = { rows: async (after: number) => all.filter(({ seq }) => seq > after), head: async () => head };
  expect(await verifyChain(source)).toMatchObject({ intact: true });
  return all;
}

/** Changes the detail of the first fact of a type. */
const altered = (type: string, change: (detail: AuditFact["detail"]) => AuditFact["detail"]) => {
  let isDone = false;
  return forged((facts) =>
    facts.map((fact) => {
      if (fact.type !== type || isDone) return fact;
      isDone = true;
      return { ...fact, detail: change(fact.detail) };
    }),
  );
};

it("[GW-10] holds as it was written, with the keys that signed", async () => {
  expect(await verify(rows)).toEqual({
    signatures: 3,
    faults: [],
    unsigned: [],
    keys: [
      expect.objectContaining({ operatorId: alice.id, signatures: 2 }),
      expect.objectContaining({ operatorId: bob.id, signatures: 1 }),
    ],
  });
});

describe("[GW-10] a forged chain is found out by its signatures", () => {
  it.each([
    ["another approval", (detail: AuditFact["detail"]) => ({ ...detail, approvalId: "apr_other" })],
    ["another plan", (detail: AuditFact["detail"]) => ({ ...detail, digest: "0".repeat(64) })],
    ["another decision", (detail: AuditFact["detail"]) => ({ ...detail, decision: "edited" })],
    ["another person", (detail: AuditFact["detail"]) => ({ ...detail, by: { kind: "operator", id: "opr_mallory" } })],
  ])("%s", async (_what, change) => {
    const [seq] = seqsOf("plan.decided");
    expect((await verify(await altered("plan.decided", change))).faults).toEqual([
      { seq, reason: "its signature is for another decision" },
    ]);
  });

  it("a statement that was altered together with the decision", async () => {
    const other = "0".repeat(64);
    const forgery = await altered("plan.decided", (detail) => {
      const presence = z
        .object({ statement: z.record(z.string(), z.json()) })
        .loose()
        .parse(detail["presence"]);
      return {
        ...detail,
        digest: other,
        presence: { ...presence, statement: { ...presence.statement, digest: other } },
      };
    });
    expect((await verify(forgery)).faults).toEqual([
      { seq: seqsOf("plan.decided")[0], reason: "its signature does not hold (other)" },
    ]);
  });

  it("a signature in another's place, or in a second place", async () => {
    const [first] = rows.flatMap(factsIn).filter(({ type }) => type === "plan.decided");
    const twice = await forged((facts, { seq }) => (seq === seqsOf("plan.decided")[0] ? [...facts, ...facts] : facts));
    expect((await verify(twice)).faults).toMatchObject([{ reason: "its signature was used before" }]);
    const moved = await forged((facts) =>
      facts.map((fact) =>
        fact.type === "plan.decided"
          ? { ...fact, detail: { ...fact.detail, presence: first?.detail["presence"] ?? null } }
          : fact,
      ),
    );
    expect((await verify(moved)).faults).toMatchObject([{ reason: "its signature is for another decision" }]);
  });

  it("a key that was exchanged, left out, or slipped in", async () => {
    const { publicKey } = z
      .object({ publicKey: z.string() })
      .parse(rows.flatMap(factsIn).filter(({ type }) => type === "passkey.enrolled")[1]?.detail);
    const exchanged = await altered("passkey.enrolled", (detail) => ({ ...detail, publicKey }));
    expect((await verify(exchanged)).faults.map(({ reason }) => reason)).toEqual([
      "its signature does not hold (broken)",
      "its signature does not hold (broken)",
    ]);
    const without = await forged((facts) => facts.filter(({ type }) => type !== "passkey.enrolled"));
    expect((await verify(without)).faults.map(({ reason }) => reason)).toContain("its passkey is not in this log");
    const unsigned = await forged((facts) =>
      facts.map((fact) =>
        fact.type === "passkey.linked" ? { ...fact, detail: { ...fact.detail, presence: undefined } as never } : fact,
      ),
    );
    expect((await verify(unsigned)).faults).toMatchObject([
      { reason: "a link for a passkey was made without a passkey" },
    ]);
    const slipped = await forged((facts) => facts.filter(({ type }) => type !== "passkey.linked"));
    expect((await verify(slipped)).faults.map(({ reason }) => reason)).toEqual([
      "a passkey was enrolled without a link",
      "a passkey was enrolled without a link",
    ]);
  });

  it("a decision with a key that had been revoked", async () => {
    const early = await forged((facts, { seq }) =>
      seq === seqsOf("passkey.enrolled")[1]
        ? [...facts, { type: "passkey.revoked", detail: { credentialId: bob.key.credentialId } }]
        : facts,
    );
    expect((await verify(early)).faults).toMatchObject([{ reason: "its passkey was revoked before" }]);
  });

  it("an approval whose signature was taken out is listed as unsigned", async () => {
    const stripped = await altered("plan.decided", ({ presence: _presence, ...detail }) => detail);
    expect(await verify(stripped)).toMatchObject({ faults: [], unsigned: [seqsOf("plan.decided")[0]] });
  });
});
