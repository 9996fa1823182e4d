/** Why a call is not waited for any longer, as the reason of its signal: whoever reports the call can name it. */
export class CallStopped extends Error {
  /** As every reason of a signal is called: some tell by it that nothing failed. */
  override readonly name = "AbortError";
}

/** What goes behind "stopped before it answered", where whoever stopped it has said why. */
export const whyStopped = ({ reason }: AbortSignal): string =>
  reason instanceof CallStopped ? `: ${reason.message}` : "";
