/** Looks at the transcripts again and again while the gateway runs, one look at a time. */
import type { Clock } from "../../plugins/sessions.ts";
import type { Heartbeat } from "./heartbeat.ts";

const LOOK_EVERY_MS = 20_000;

export type TranscriptWatch = { start(): void; stop(): void };

/** `isWanted`: whether hooks were ever installed; without them nobody expects to be told. */
type Parts = { clock: Clock; isWanted(): boolean; report(error: unknown): void };

export function watchTranscripts(
  { look }: Pick<Heartbeat, "look">,
  { clock, isWanted, report }: Parts,
): TranscriptWatch {
  let callOff: (() => void) | undefined;
  let isStopped = false;
  function next(): void {
    if (!isStopped) callOff = clock.wakeAt(clock.now() + LOOK_EVERY_MS, wake);
  }
  const wake = (): void => void (isWanted() ? look().catch(report) : Promise.resolve()).finally(next);
  return {
    start: next,
    stop() {
      isStopped = true;
      callOff?.();
    },
  };
}
