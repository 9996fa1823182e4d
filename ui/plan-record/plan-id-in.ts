/** The plan's id in an address of the page. */
import type { PlanId } from "../../src/protocol/ids.ts";

const SHAPE = /^pln_[A-Za-z0-9_-]{1,60}$/;

export function planIdIn(text: string | undefined): PlanId | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a parser: the shape was just checked
  return text !== undefined && SHAPE.test(text) ? (text as PlanId) : undefined;
}
