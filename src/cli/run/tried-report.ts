/**
 * Tells the gateway what the kernel refused a run: the first file at once, how many others from time to time. One line at a time,
 * so that the last word is the newest; what no gateway heard is told again when one is back.
 */
import { relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { RefusedWrite } from "../../runner/keeper/keeper.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { tellGateway } from "./follow-run.ts";

/** Each line is a commit. */
const BETWEEN_MS = 1_000;
const PATH_CHARS_MAX = 4_096;
const PROGRAM_CHARS_MAX = 64;

export type TriedReport = {
  tried(write: RefusedWrite): void;
  /** It needs a plan, and nothing can be named. */
  needsPlan(): void;
  /** It was released: what it is refused from the next hold on is told anew. */
  released(): void;
  /** A gateway answers again. */
  retry(): void;
  /** Resolves when nothing is under way any more. */
  close(): Promise<void>;
};

type Given = { path: string; place: { agent: string; session: string; workspace: string }; proposes: string };

export function triedReport({ path, place, proposes }: Given): TriedReport {
  let first: RefusedWrite | undefined;
  let others = 0;
  let isDue = false;
  const closing = new AbortController();
  let work: Promise<void> | undefined;

  const line = (): JsonObject => ({
    do: "tried",
    ...place,
    proposes,
    ...(first === undefined ? {} : { tried: { ...shown(first, place.workspace), others } }),
  });
  async function tell(): Promise<void> {
    while (isDue && !closing.signal.aborted) {
      isDue = false;
      if (!(await tellGateway(path, line()))) {
        isDue = true;
        return; // `retry` comes
      }
      await pause(BETWEEN_MS, undefined, { signal: closing.signal, ref: false }).catch(() => undefined);
    }
  }
  function due(): void {
    isDue = true;
    retry();
  }
  function retry(): void {
    work ??= tell().finally(() => (work = undefined));
  }
  return {
    tried(write) {
      if (first === undefined) first = write;
      else others += 1;
      due();
    },
    needsPlan: () => first === undefined && due(),
    released() {
      first = undefined;
      others = 0;
      isDue = false;
    },
    retry: () => isDue && retry(),
    async close() {
      closing.abort();
      await work;
      if (isDue) await tellGateway(path, line());
    },
  };
}

const shown = ({ path, program }: RefusedWrite, workspace: string): { path: string; program: string } => ({
  path: (relative(workspace, path) || ".").slice(0, PATH_CHARS_MAX),
  program: program.slice(0, PROGRAM_CHARS_MAX),
});
