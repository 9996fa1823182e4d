/** The line from a process to the store. */
export type Link = {
  /** The part of calls that are lost, on the way there or back. */
  lossRate: number;
  /** The part of commits that the store does not take, and says so. */
  refusalRate: number;
  latencyMs: number;
  isCut: boolean;
};
