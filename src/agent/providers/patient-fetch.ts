/**
 * `fetch` with time limits. A model may think long before its first byte, and must not fall silent after it:
 *
 *   connect ─▶ first byte (firstByteMs) ─▶ chunk ─▶ chunk … (idleMs between two, ANSWER_BYTES_MAX in all) ─▶ end
 *
 * Connecting has a limit of its own, in the platform: ten seconds.
 */
import type { Clock } from "../../plugins/sessions.ts";
import { ModelFailure } from "../model.ts";
import { localized } from "../../protocol/localized/localized-text.ts";

/** A local model that is loaded from disk first can take minutes. */
export const FIRST_BYTE_MS_MAX = 240_000;
/** Vendors send signs of life while a model thinks. */
export const IDLE_MS_MAX = 120_000;
const ANSWER_BYTES_MAX = 64 * 1_048_576;

export type Patience = { firstByteMs: number; idleMs: number };

type Watching = { model: string; clock: Clock; patience: Patience };

export function patientFetch({ model, clock, patience }: Watching): typeof fetch {
  return async (input, init = {}) => {
    const stop = new AbortController();
    let callOff = giveUpAfter(patience.firstByteMs, "modelNotBegun");
    function giveUpAfter(waitMs: number, what: "modelNotBegun" | "modelSilent"): () => void {
      const words = localized(what, { model, seconds: Math.round(waitMs / 1_000) });
      return clock.wakeAt(clock.now() + waitMs, () =>
        stop.abort(new ModelFailure(words, { retry: true, kind: "timeout" })),
      );
    }
    const signals = [stop.signal, init.signal].filter((signal) => signal !== null && signal !== undefined);
    let bytes = 0;
    const watch = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        callOff();
        bytes += chunk.byteLength;
        if (bytes > ANSWER_BYTES_MAX) throw new ModelFailure(localized("modelEndless", { model }), { retry: false });
        controller.enqueue(chunk);
        callOff = giveUpAfter(patience.idleMs, "modelSilent");
      },
      flush: () => callOff(),
    });
    try {
      // an API never sends us elsewhere, and the key must not follow if one does
      const response = await fetch(input, { ...init, redirect: "error", signal: AbortSignal.any(signals) });
      if (response.body === null) {
        callOff();
        return response;
      }
      const { status, statusText, headers } = response;
      return new Response(response.body.pipeThrough(watch), { status, statusText, headers });
    } catch (error) {
      callOff();
      throw error;
    }
  };
}
