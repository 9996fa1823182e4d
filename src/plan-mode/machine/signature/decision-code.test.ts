import { expect, it } from "vitest";
import { alice, inPhase, pendingApprovalId } from "../../../../test/kit/plan-session.ts";
import type { PendingQuestion } from "../../protocol/state.ts";
import { callCode, DECISION_CODE, decisionCode, rejectionsOf } from "./decision-code.ts";

const waiting = { approvalId: "apr_1", digest: "d".repeat(64) };

it("[PL-20] a code has six characters, and is another one for another approval, text or number of rejections", () => {
  const code = decisionCode(waiting, 0);
  expect(code).toMatch(DECISION_CODE);
  expect(code).toHaveLength(6);
  expect(decisionCode({ ...waiting }, 0)).toBe(code);
  const others = [
    decisionCode({ ...waiting, approvalId: "apr_2" }, 0),
    decisionCode({ ...waiting, digest: "e".repeat(64) }, 0),
    decisionCode(waiting, 1),
  ];
  expect(new Set([code, ...others]).size).toBe(4);
});

it("[PL-20] only six hexadecimal characters are one, in small or capital letters", () => {
  const typed = ["0a1b2c", "0A1B2C", "0a1b2", "0a1b2c3", "0a1b2g", " 0a1b2c", "0a1b2c\n"];
  expect(typed.map((text) => DECISION_CODE.test(text))).toEqual([true, true, false, false, false, false, false]);
});

it("[PL-20] a held call has the code of its arguments", () => {
  const asked = { approvalId: "apr_1", call: { argsDigest: waiting.digest } } as PendingQuestion & {
    call: NonNullable<PendingQuestion["call"]>;
  };
  expect(callCode(asked)).toBe(decisionCode(waiting, 0));
});

it("[PL-20] a card shows rejections only where the plan was rejected last", () => {
  const session = inPhase("rejected");
  expect(rejectionsOf(session.state().now)).toBe(1);
  const approvalId = pendingApprovalId(session);
  session.must({ type: "decide", approval: { action: "reject", approvalId, feedback: "once more" } }, alice);
  expect(rejectionsOf(session.state().now)).toBe(2);
  expect(rejectionsOf(inPhase("pending").state().now)).toBe(0);
  expect(rejectionsOf(inPhase("off").state().now)).toBe(0);
});
