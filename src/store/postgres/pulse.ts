/**
 * Whether the server still answers, asked all the time on one connection: a line that swallows everything is found before
 * those who wait have waited long. An answer is also a reading of the server's clock.
 *
 *   beat ─▶ answered ─▶ a little later: beat
 *    └── nothing comes, here or on any other connection, for as long as several looks ─▶ silent
 */
import type { Client } from "pg";
import type { LocalTime, TimeReading } from "../store-time.ts";

/** With the looks below, whoever waits for an answer learns within two seconds that none comes. */
const BEAT_EVERY_MS = 400;
const LOOK_EVERY_MS = 350;
/** Counted in looks, not in time: a process that was itself held up has not listened meanwhile. */
const SILENT_LOOKS_MAX = 4;

/** What those who serve from the same server want to know. */
export type PulseListener = {
  local: Pick<LocalTime, "monotonicMs">;
  onReading(reading: TimeReading): void;
  onSilent(): void;
  onAnswer(): void;
  /** When the server last answered on another connection, by the counter of this process. */
  answeredAtMs(): number;
};

export type Pulse = { stop(): void };

const ASK = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now_ms";

export async function readServerTime(
  ask: (text: string) => Promise<Record<string, unknown>[]>,
  { monotonicMs }: Pick<LocalTime, "monotonicMs">,
): Promise<TimeReading> {
  const askedAtMs = monotonicMs();
  const [row] = await ask(ASK);
  return { serverMs: Number(row?.["now_ms"]), askedAtMs, cameAtMs: monotonicMs() };
}

/** `onBroken`: the connection is of no use any more. */
export function startPulse(
  client: Client,
  { listener, onBroken }: { listener: PulseListener; onBroken(): void },
): Pulse {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const after = (waitMs: number, work: () => void): void => {
    if (!stopped) timer = setTimeout(work, waitMs).unref();
  };

  const ask = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;

  function beat(): void {
    const sinceMs = performance.now();
    let answered = false;
    const onReading = (reading: TimeReading): void => {
      answered = true;
      if (stopped) return;
      clearTimeout(timer);
      listener.onReading(reading);
      listener.onAnswer();
      after(BEAT_EVERY_MS, beat);
    };
    readServerTime(ask, listener.local).then(onReading, end);
    look({ sinceMs, looks: 0, isAnswered: () => answered });
  }

  function look(at: { sinceMs: number; looks: number; isAnswered(): boolean }): void {
    after(LOOK_EVERY_MS, () =>
      setImmediate(() => {
        if (stopped || at.isAnswered()) return; // what has arrived meanwhile was taken in before this
        if (listener.answeredAtMs() > at.sinceMs) return look({ ...at, sinceMs: performance.now(), looks: 0 });
        if (at.looks + 1 < SILENT_LOOKS_MAX) return look({ ...at, looks: at.looks + 1 });
        listener.onSilent();
        end();
      }),
    );
  }

  function end(): void {
    if (stopped) return;
    stop();
    onBroken();
  }
  function stop(): void {
    stopped = true;
    clearTimeout(timer);
  }
  beat();
  return { stop };
}
