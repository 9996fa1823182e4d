/** Under whose name a cell's calls are made: opened with its first call, so that a cell without calls costs no commit. */
import type { CallerId } from "../../protocol/ids.ts";
import type { CallsApi, CellPlace, ExternalCaller, OpenCaller, Refused } from "../../plugins/sdk.ts";

export type CellCaller = {
  get(): Promise<OpenCaller | Refused>;
  /** The one that was opened, if any was. */
  opened(): OpenCaller | undefined;
};

export const newCaller = (calls: CallsApi, parent: CellPlace): CellCaller => callerFor(calls, { kind: "cell", parent });

/** Of a program that a person runs: no turn is around it, and it is gone with its signal. */
export const lentCaller = (calls: CallsApi, place: Omit<ExternalCaller, "kind">): CellCaller =>
  callerFor(calls, { kind: "external", ...place });

function callerFor(calls: CallsApi, given: Parameters<CallsApi["open"]>[0]): CellCaller {
  let opening: Promise<OpenCaller | Refused> | undefined;
  let caller: OpenCaller | undefined;
  const open = async (): Promise<OpenCaller | Refused> => {
    const answer = await calls.open(given);
    if (!("refused" in answer)) caller = answer;
    return answer;
  };
  return { get: () => (opening ??= open()), opened: () => caller };
}

/**
 * Taken over where it is still there. A gateway that stopped in peace closed it; then the cell goes on under another, and
 * what became of its calls stands in the transcript.
 */
export async function resumedCaller(
  calls: CallsApi,
  { callerId, parent }: { callerId: CallerId | undefined; parent: CellPlace },
): Promise<CellCaller> {
  if (callerId === undefined) return newCaller(calls, parent);
  const answer = await calls.resume({ callerId, parent });
  if ("refused" in answer) return newCaller(calls, parent);
  return { get: async () => answer.caller, opened: () => answer.caller };
}
