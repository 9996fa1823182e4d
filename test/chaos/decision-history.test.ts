/** The check of histories itself: what it says of orders of events that cannot be. */
import { expect, it } from "vitest";
import { type Decided, historyFaults, type Operation } from "./decision-history.ts";

const decide = (action: string, began: number, ended: number): Decided => ({
  do: "decide",
  approvalId: "apv_1",
  key: `${action}${began}`,
  action,
  began,
  ended,
});
/** One of several requests under one key. */
const again = (began: number, ended: number): Decided => ({ ...decide("approve", began, ended), key: "k" });
const look = (began: number, ended: number): Operation => ({ do: "look", approvalId: "apv_1", began, ended });

it.each<[string, Operation[]]>([
  ["nobody decided", [look(1, 2), look(3, 4)]],
  ["one decision, seen pending before and while it was made", [look(1, 2), decide("approve", 3, 6), look(4, 5)]],
  ["a look that began before the answer", [decide("approve", 1, 3), look(2, 4)]],
  ["one request sent twice", [again(1, 4), again(2, 3)]],
  ["a rejection that a person replaced by an approval", [decide("reject", 1, 2), decide("approve", 3, 4)]],
  ["a rejection and an approval at the same time", [decide("approve", 1, 4), decide("reject", 2, 3)]],
  ["a decision whose answer was never received", [decide("approve", 1, Infinity), look(2, 3)]],
])("[QA-05] finds nothing wrong with %s", (_, operations) => {
  expect(historyFaults(operations)).toEqual([]);
});

it.each<[string, Operation[], string]>([
  ["two approvals", [decide("approve", 1, 2), decide("edit", 3, 4)], "approve, edit: acknowledged more than once"],
  ["two rejections", [decide("reject", 1, 2), decide("reject", 3, 4)], "reject, reject: acknowledged more than once"],
  [
    "a rejection after the approval",
    [decide("approve", 1, 2), decide("reject", 3, 4)],
    "rejected at 3, after it was approved by 2",
  ],
  [
    "a look that does not see what was acknowledged before it",
    [decide("approve", 1, 2), look(3, 4)],
    "pending at 3, after approve was acknowledged at 2",
  ],
  [
    "a look after the first of two answers to one request",
    [again(1, 2), again(1, 9), look(3, 4)],
    "pending at 3, after approve was acknowledged at 2",
  ],
])("[QA-05, I02] finds %s", (_, operations, fault) => {
  expect(historyFaults(operations)).toEqual([`approval apv_1: ${fault}`]);
});

it("[QA-05] looks at each approval by itself", () => {
  const other = { ...decide("approve", 3, 4), approvalId: "apv_2" };
  expect(historyFaults([decide("approve", 1, 2), other])).toEqual([]);
});
