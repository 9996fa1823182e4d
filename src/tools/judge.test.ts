import { describe, expect, it } from "vitest";
import { fakeClock } from "../../test/kit/fake-clock.ts";
import type { PolicyQuestion, TrustedToolPolicy } from "../plugins/policy.ts";
import { bothAllow, gateUnavailable, judge, weigh } from "./judge.ts";

const call = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "d", callId: "c", args: {} } as const;
// oxlint-disable-next-line no-unsafe-type-assertion -- no policy here looks at the session
const question = { call, session: {}, settings: {} } as unknown as PolicyQuestion;
const refusal = gateUnavailable(call, { matched: "x", why: "y" });
const order = { slice: "s", command: {} };

/** Policies that answer these, called p1, p2, …; what they answer is a plugin's word and may be anything. */
const parts = (...answers: readonly unknown[]) => {
  const reported: unknown[] = [];
  const policies = answers.map((answer, at) => ({
    id: `p${at + 1}`,
    description: "",
    evaluate: () => {
      if (answer instanceof Error) throw answer;
      return answer;
    },
  }));
  // oxlint-disable-next-line no-unsafe-type-assertion -- see above
  return {
    policies: policies as TrustedToolPolicy[],
    clock: fakeClock(),
    report: (error: unknown) => void reported.push(error),
    reported,
  };
};
const allow = { verdict: "allow" };
const ask = { verdict: "ask", reason: "sure?" };
const rewrite = { verdict: "rewrite", args: { path: "b" }, reason: "safer" };
const unclear = (id: string, why: string) => ({ refusal: gateUnavailable(call, { matched: id, why }) });

describe("several policies on one call", () => {
  it("[GA-02] allow it when all of them do, and keep what their yes rests on", async () => {
    expect(await weigh(question, parts())).toEqual({});
    expect(await weigh(question, parts(allow, allow))).toEqual({});
    const grants = [
      { ...allow, grant: { slice: "s", id: "g1" }, under: { a: 1 } },
      { ...allow, under: { b: 2 } },
    ];
    expect(await weigh(question, parts(...grants))).toEqual({ grant: { slice: "s", id: "g1" }, under: { a: 1, b: 2 } });
    expect(await weigh(question, parts(allow, { ...allow, grant: { slice: "s", id: "g2" } }))).toEqual({
      grant: { slice: "s", id: "g2" },
    });
  });

  it("[BY-02] confine it to what each of them confines it to", async () => {
    const [one, two] = [
      { paths: ["a"], network: false },
      { paths: ["b"], network: true },
    ];
    const confining = [{ ...allow, confine: [one] }, allow, { ...allow, confine: [two] }];
    expect(await weigh(question, parts(...confining))).toEqual({ confine: [one, two] });
  });

  it("[GA-02] hold it with the first block, and with what commits beside it", async () => {
    expect(await weigh(question, parts(allow, { verdict: "block", refusal }, rewrite))).toEqual({ refusal, by: "p2" });
    expect(await weigh(question, parts({ verdict: "block", refusal, also: order }))).toEqual({
      refusal,
      by: "p1",
      also: order,
    });
    expect(await weigh(question, parts(ask, { verdict: "block", refusal }))).toEqual({ refusal, by: "p2" });
    const passedOn = { verdict: "block", refusal, by: "another" } as const;
    expect(await weigh(question, parts(passedOn))).toEqual({ refusal, by: "another" });
  });

  it("[GA-02] ask a person in the words of the first that wants it, and forget no yes of the others", async () => {
    const granting = { ...allow, grant: { slice: "s", id: "g1" } };
    expect(await weigh(question, parts(ask, { ...ask, reason: "really?" }, granting))).toEqual({
      ask: { reason: "p1: sure?" },
      allowed: { grant: { slice: "s", id: "g1" } },
    });
  });

  it("[GA-02] want other arguments: then nobody else is asked about these", async () => {
    expect(await weigh(question, parts(allow, rewrite, { verdict: "block", refusal }))).toEqual({
      rewrite: { args: { path: "b" }, reason: "safer", by: "p2" },
    });
  });

  it("[I18] hold it when there is no time left for a question or for other arguments", async () => {
    const late = unclear("a policy", "could not settle it in time");
    expect(await judge(question, parts(ask))).toEqual(late);
    expect(await judge(question, parts(rewrite))).toEqual(late);
    expect(await judge(question, parts(allow))).toEqual({});
    expect(await judge(question, parts({ verdict: "block", refusal }))).toEqual({ refusal, by: "p1" });
  });

  it.each([
    [{ verdict: "yes" }],
    [{}],
    ["allow"],
    [null],
    [{ verdict: "ask" }],
    [{ verdict: "ask", reason: "" }],
    [{ verdict: "rewrite", args: [], reason: "x" }],
    [{ verdict: "rewrite", args: {}, reason: "" }],
    [{ verdict: "block" }],
    [{ verdict: "block", refusal: { rule: "no" } }],
  ])("[I18] hold it for an answer that is no verdict: %j", async (answer) => {
    expect(await weigh(question, parts(allow, answer))).toEqual(unclear("p2", "gave no readable verdict"));
  });

  it("[I18] hold it for a policy that fails, and report why", async () => {
    const broken = new Error("broken");
    const asked = parts(broken, allow);
    expect(await weigh(question, asked)).toEqual(unclear("p1", "failed"));
    expect(asked.reported).toEqual([broken]);
    expect(await weigh(question, parts(Promise.reject(broken)))).toEqual(unclear("p1", "failed"));
    expect(await weigh(question, parts(Promise.resolve(allow)))).toEqual({});
  });

  it("[GA-12] of two one-off permissions the later counts", () => {
    const [first, second] = [
      { slice: "s", id: "g1" },
      { slice: "s", id: "g2" },
    ];
    expect(bothAllow({ grant: first }, { grant: second })).toEqual({ grant: second });
    expect(bothAllow({ under: { a: 1 } }, {})).toEqual({ under: { a: 1 } });
    expect(bothAllow({}, {})).toEqual({});
  });

  it("[GA-07] say what happened and what to do", () => {
    expect(refusal).toEqual({
      tool_name: "write",
      tool_kind: "file_edit",
      hint: "Try the call once more; if it is refused again, tell the person.",
      entered_at: null,
      entered_reason: null,
      rule: "gate-unavailable",
      matched: "x",
      message: "write was not run: the gate could not judge it, because x y.",
    });
  });
});
