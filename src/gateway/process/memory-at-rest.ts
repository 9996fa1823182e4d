/**
 * A burst of work leaves garbage that nothing would collect while the gateway idles. It is given back when nothing was
 * committed for a while and no turn runs, if the heap has grown by enough to be worth the pause.
 *
 *   commit ─▶ looked after ─▶ (REST_MS without a commit) ─▶ busy? later : grown? ─▶ collected ─▶ (the next commit)
 */
import { getHeapStatistics } from "node:v8";
import { collectAll } from "../../store/sqlite/collect-all.ts";

const REST_MS = 8_000;
const MIB = 1_048_576;
/** Less than this is not worth the pause, which is a tenth of a second or more. */
const GROWN_BYTES = 24 * MIB;
/** The pause grows with what is alive; so large a heap belongs to a gateway that is seldom at rest. */
const HEAP_BYTES_MAX = 1_024 * MIB;

export type AtRest = {
  /** Called with every commit. */
  worked(): void;
  stop(): void;
};

export function giveBackAtRest(isBusy: () => boolean, heapBytes = heapNow, collect = collectAll): AtRest {
  let timer: NodeJS.Timeout | undefined;
  let hasWorked = false;
  let restingBytes: number | undefined;

  function look(): void {
    timer = undefined;
    if (hasWorked || isBusy()) return begin();
    const bytes = heapBytes();
    if (bytes - (restingBytes ?? 0) >= GROWN_BYTES && bytes <= HEAP_BYTES_MAX) collect();
    restingBytes = Math.min(bytes, heapBytes());
  }

  function begin(): void {
    hasWorked = false;
    timer ??= setTimeout(look, REST_MS).unref();
  }

  return {
    worked() {
      hasWorked = true;
      restingBytes ??= heapBytes();
      if (timer === undefined) begin();
    },
    stop: () => clearTimeout(timer),
  };
}

const heapNow = (): number => getHeapStatistics().total_heap_size;
