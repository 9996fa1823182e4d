/**
 * The number by which people confirm or waive a criterion: its step, and its place among all criteria of that step in
 * the order in which every surface shows them. Without a schema library: the page reads this file too.
 */

/** Both count from 1. */
export const criterionNumber = (step: number, criterion: number): string => `${step}.${criterion}`;

/** Only where a criterion asks for a proof is there anything to confirm or to waive, so only there are numbers shown. */
export const numberMark = (
  criteria: readonly { proof?: unknown }[],
  { step, criterion }: { step: number; criterion: number },
): string => (criteria.some(({ proof }) => proof !== undefined) ? `${criterionNumber(step, criterion)} ` : "");
