import { expect, it } from "vitest";
import { PlanBody } from "../../src/plan-mode/protocol/plan.ts";
import { planDigest } from "../../src/plan-mode/tools/plan-digest.ts";
import { digestStanding, textDigest } from "./text-digest.ts";

const body = PlanBody.parse({
  title: "Paint the shed “blue” ‮ 👩🏽‍💻",
  summary: "As *asked*.\nTwo lines.",
  plan: [{ step: "Buy paint", status: "pending", acceptanceCriteria: ["it is blue"] }],
  risks: [{ risk: "rain", mitigation: "wait" }],
});

it("[BY-01, ST-02] the browser computes the digest that was signed, from the text that it shows", async () => {
  expect(await textDigest({ body: PlanBody.parse(JSON.parse(JSON.stringify(body))) })).toBe(planDigest(body));
  expect(await textDigest({ body: { ...body, title: "Paint the shed red" } })).not.toBe(planDigest(body));
});

it("[BY-01] a text is the signed one only where the decision, the record and the browser agree", () => {
  expect(digestStanding("a", { digest: "a" }, "a")).toBe("same");
  expect(digestStanding("a", { digest: "a" })).toBe("unchecked");
  expect([digestStanding("a", { digest: "b" }), digestStanding("a", { digest: "a" }, "c")]).toEqual(["other", "other"]);
});
