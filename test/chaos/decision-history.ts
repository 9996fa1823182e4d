/**
 * Each approval is a register that is written once: do the answers of all who decided it, and of all who looked at it, fit
 * one order of events? Moments are counted where everybody is seen: an operation took effect between its two.
 */
export type Decided = {
  do: "decide";
  approvalId: string;
  /** Requests under one key are one decision. */
  key: string;
  action: string;
  began: number;
  ended: number;
};
export type Looked = { do: "look"; approvalId: string; began: number; ended: number };
/** `decide`: one that was acknowledged. `look`: one that found the approval pending. */
export type Operation = Decided | Looked;

export function historyFaults(operations: readonly Operation[]): string[] {
  const registers = Map.groupBy(operations, ({ approvalId }) => approvalId);
  return [...registers].flatMap(([approvalId, all]) => {
    const decided = onePerKey(all.flatMap((one) => (one.do === "decide" ? [one] : [])));
    const looked = all.flatMap((one) => (one.do === "look" ? [one] : []));
    return [...faultsOfWrites(decided), ...faultsOfReads(decided, looked)].map(
      (fault) => `approval ${approvalId}: ${fault}`,
    );
  });
}

/** The first answer counts: by then it had happened. */
function onePerKey(decided: readonly Decided[]): Decided[] {
  const all = Map.groupBy(decided, ({ key }) => key);
  return [...all.values()].flatMap((same) => {
    const [first, ...others] = same;
    if (first === undefined) return [];
    const ended = Math.min(...same.map((one) => one.ended));
    return [others.reduce((one, { began }) => ({ ...one, began: Math.min(one.began, began) }), { ...first, ended })];
  });
}

/** At most one write, or a rejection and then the one approval that replaced it. */
function faultsOfWrites(decided: readonly Decided[]): string[] {
  const rejections = decided.filter(({ action }) => action === "reject");
  const approvals = decided.filter(({ action }) => action !== "reject");
  const names = decided.map(({ action }) => action).join(", ");
  const doubled = rejections.length > 1 || approvals.length > 1 ? [`${names}: acknowledged more than once`] : [];
  const [rejection] = rejections;
  const [approval] = approvals;
  if (rejection === undefined || approval === undefined || approval.ended >= rejection.began) return doubled;
  return [...doubled, `rejected at ${rejection.began}, after it was approved by ${approval.ended}`];
}

/** Whoever looks after a decision was acknowledged sees it. */
function faultsOfReads(decided: readonly Decided[], looked: readonly Looked[]): string[] {
  return looked.flatMap(({ began }) => {
    const before = decided.find(({ ended }) => ended < began);
    return before === undefined
      ? []
      : [`pending at ${began}, after ${before.action} was acknowledged at ${before.ended}`];
  });
}
