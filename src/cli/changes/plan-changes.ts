/** `holdpoint plan changes|rollback|resume`: what a plan did to its workspace, and how it is taken back. */
import type {
  FileDiff,
  PlanChanges,
  PreviewedFile,
  RollbackPreview,
  StepChanges,
} from "../../changes/protocol/changes.ts";
import type { Link } from "../chat/link.ts";
import { CliError } from "../cli-error.ts";
import { type OnSession, sessionOf } from "../commands/plan/plan.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { duration } from "../text/duration.ts";
import type { Look } from "../text/paint.ts";
import { type OnPlan, refuseGuess, type RolledPlan, rolledPlan } from "./rolled-plan.ts";
import { sanitiseLine } from "../text/sanitise.ts";

/** Files whose lines are fetched for one print. */
const DIFFS_MAX = 200;

export type ChangesOptions = OnPlan & { diff?: boolean; file?: string };
export type RollbackOptions = OnPlan & { yes?: boolean; keep?: boolean; overwrite?: boolean };

const SIGNS = { added: "+", modified: "~", deleted: "-", mode: "x" } as const;

export async function showChanges(
  step: number | undefined,
  options: ChangesOptions,
  { output, env }: CommandContext,
): Promise<void> {
  await withGateway(env, async (link) => {
    const { named: _named, ...of } = await rolledPlan(link, options);
    const { changes } = await link.call("changes.get", of);
    if (changes === null) {
      output.document({ changes: null });
      return output.lines(["No plan has changed anything in this session yet."]);
    }
    const shown = { ...changes, steps: changes.steps.filter((one) => step === undefined || one.step === step) };
    const wanted = { ...options, step, of };
    const diffs = options.diff === true || options.file !== undefined ? await diffsOf(link, shown, wanted) : [];
    output.document({ changes: shown, ...(diffs.length > 0 ? { diffs } : {}) });
    const look = output.look();
    output.lines([...changeLines(shown, look), ...diffs.flatMap((diff) => diffLines(diff, look))]);
  });
}

type Wanted = ChangesOptions & { step: number | undefined; of: Omit<RolledPlan, "named"> };

async function diffsOf(link: Link, { steps }: PlanChanges, { of, step, file }: Wanted): Promise<FileDiff[]> {
  const paths = [...new Set(steps.flatMap(({ files }) => files.map(({ path }) => path)))];
  const chosen = paths.filter((path) => file === undefined || path === file).slice(0, DIFFS_MAX);
  const diffs: FileDiff[] = [];
  for (const path of chosen) {
    const { diff } = await link.call("changes.diff", { ...of, path, ...(step === undefined ? {} : { step }) });
    diffs.push(diff);
  }
  return diffs;
}

export function changeLines(changes: PlanChanges, look: Look): string[] {
  const { paint } = look;
  const { steps, outside, undeclared, gaps, failures, rollbacks } = changes;
  return [
    ...steps.flatMap((step) => stepLines(step, look)),
    ...(outside.length === 0
      ? []
      : [
          paint.strong("Changed by others meanwhile"),
          ...outside.map(({ path, change }) => `  ${SIGNS[change]} ${sanitiseLine(path)}`),
        ]),
    ...(undeclared === 0 ? [] : [paint.waiting(driftLine(changes))]),
    ...rollbacks.map((one) => paint.quiet(rollbackLine(one))),
    ...failures.map((why) => paint.bad(`No snapshot: ${sanitiseLine(why)}`)),
    ...gaps.map(({ path, why }) =>
      paint.waiting(`Not covered: ${sanitiseLine(path || "the rest of the workspace")} (${sanitiseLine(why)})`),
    ),
  ];
}

const driftLine = ({ sessionId, undeclared: count, declares, level }: PlanChanges): string => {
  const what = declares ? `Files that no step names: ${count}` : `The plan names no files; changed: ${count}`;
  const resume = `holdpoint plan resume --session ${sessionId}`;
  if (level === "paused") return `${what}. The plan is paused; let it go on with: ${resume}`;
  return level === "stopped" ? `${what}. The plan is stopped.` : what;
};

const rollbackLine = ({ step, by, restored, left }: PlanChanges["rollbacks"][number]): string =>
  `Rolled back ${step === null ? "the plan" : `step ${step}`} by ${sanitiseLine(by)}: ${restored ?? 0} files put back${left.length > 0 ? `, ${left.length} left` : ""}`;

function stepLines({ step, text, calls, files, moreFiles }: StepChanges, { paint }: Look): string[] {
  const title = step === null ? "Outside any step" : `${step}. ${sanitiseLine(text)}`;
  return [
    paint.strong(title),
    ...calls
      .filter(({ command }) => command !== undefined)
      .map(({ command = "", exitCode, status, atMs, endedAtMs }) => {
        const took = endedAtMs === null ? "running" : duration(endedAtMs - atMs);
        const code = exitCode === undefined ? status : `exit ${exitCode}`;
        const ended = `${code}, ${took}`;
        return `  $ ${sanitiseLine(command)}  ${exitCode === 0 || status === "ok" ? paint.quiet(ended) : paint.bad(ended)}`;
      }),
    ...files.map(({ path, change, undeclared, lost, restored }) => {
      const notes = [
        ...(restored === true ? ["put back"] : []),
        ...(undeclared === true ? ["no step names it"] : []),
        ...(lost === true ? ["not kept"] : []),
      ];
      const note = notes.length === 0 ? "" : paint.waiting(`  (${notes.join(", ")})`);
      return `  ${change === "deleted" ? paint.bad("-") : paint.good(SIGNS[change])} ${sanitiseLine(path)}${note}`;
    }),
    ...(moreFiles > 0 ? [`  … and ${moreFiles} more`] : []),
  ];
}

function diffLines({ path, kind, lines, more }: FileDiff, { paint }: Look): string[] {
  const head = ["", paint.strong(sanitiseLine(path))];
  if (kind !== "text") return [...head, paint.quiet(`  ${KINDS[kind]}`)];
  const shown = lines.map(({ sign, text }) => {
    const line = `${sign} ${sanitiseLine(text)}`;
    return sign === "+" ? paint.good(line) : sign === "-" ? paint.bad(line) : sign === "@" ? paint.accent(line) : line;
  });
  return [...head, ...shown, ...(more > 0 ? [paint.quiet(`… and ${more} more lines`)] : [])];
}

const KINDS = {
  binary: "not text",
  "too-large": "too large to compare",
  "not-kept": "its content was not kept",
} as const;

export async function rollBackPlan(
  step: number | undefined,
  { yes, keep, overwrite, ...options }: RollbackOptions,
  { output, env }: CommandContext,
): Promise<void> {
  if (keep === true && overwrite === true) throw usage("--keep and --overwrite exclude each other.");
  await withGateway(env, async (link) => {
    if (yes === true) await refuseGuess(link, options);
    const { named, ...plan } = await rolledPlan(link, options);
    const of = { ...plan, ...(step === undefined ? {} : { step }) };
    const { preview } = await link.call("changes.preview", of);
    output.lines(previewLines(preview, output.look()));
    if (yes !== true) {
      output.document({ preview });
      const again = ["holdpoint plan rollback", ...(step === undefined ? [] : [step]), named, "--yes"].join(" ");
      return output.lines(preview.files.length === 0 ? [] : [`Nothing was changed yet. Do it with: ${again}`]);
    }
    const choice = keep === true ? "keep" : overwrite === true ? "overwrite" : undefined;
    const conflicts = choice === undefined ? {} : ({ conflicts: choice } as const);
    const done = await link.call("changes.rollback", { ...of, digest: preview.digest, ...conflicts });
    output.document({ ...done });
    output.lines([
      `Files put back: ${done.restored}`,
      ...done.left.map(({ path, why }) => `Left as it is: ${sanitiseLine(path)} (${sanitiseLine(why)})`),
    ]);
  });
}

function previewLines({ files, moreFiles, conflicts }: RollbackPreview, look: Look): string[] {
  if (files.length === 0) return ["There is nothing to put back."];
  return [
    ...files.map((file) => previewLine(file, look)),
    ...(moreFiles > 0 ? [`… and ${moreFiles} more`] : []),
    ...(conflicts > 0
      ? [look.paint.waiting(`Not as the plan left them: ${conflicts}. Choose --keep or --overwrite.`)]
      : []),
  ];
}

const CONFLICTS = {
  others: "changed since by somebody else",
  later: "changed by a later step",
  mixed: "changed by somebody else in between",
  lost: "what it held before was not kept",
} as const;

const previewLine = ({ path, change, conflict }: PreviewedFile, { paint }: Look): string =>
  `  ${SIGNS[change]} ${sanitiseLine(path)}${conflict === undefined ? "" : paint.waiting(`  ! ${CONFLICTS[conflict]}`)}`;

export async function resumePlan(options: OnSession, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { id: sessionId } = await sessionOf(link, options);
    output.document({ sessionId, ...(await link.call("changes.resume", { sessionId })) });
    output.lines(["The plan goes on."]);
  });
}

const usage = (message: string): CliError =>
  new CliError({ exit: "usage", message, advice: "See: holdpoint plan rollback --help", code: "USAGE" });
