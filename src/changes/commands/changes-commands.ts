/** `/plan changes`, `/plan rollback` and `/plan resume`, on every surface. A rollback is bound to the preview by its code. */
import {
  asIs,
  lines,
  messageOf,
  type LocalizedText,
  createLocalizedByKey,
} from "../../protocol/localized/localized-text.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { Refusal } from "../../protocol/refusal.ts";
import { type CommandCall, type CommandResult, oneLine, type PluginSubcommands } from "../../plugins/sdk.ts";
import { readable, type ChangeMethodParts } from "../methods/change-methods.ts";
import { describeChanges, findCycle } from "../methods/plan-changes.ts";
import { rollBack, type RollbackBy } from "../methods/roll-back.ts";
import type { ChangedFile, ChangeKind, PreviewedFile, RollbackPreview, StepChanges } from "../protocol/changes.ts";
import { refuse } from "../protocol/refuse.ts";
import { ENGLISH } from "../texts/en.ts";
import { localized } from "../texts/localized.ts";

const FILES_SHOWN_MAX = 40;
const CODE_CHARS = 6;
const SIGNS: Readonly<Record<ChangeKind, string>> = { added: "+", modified: "~", deleted: "-", mode: "x" };

const usageOf = (usage: string): { usage: string; description: string } => {
  const [typed = "", described = ""] = usage.split(" — ");
  return { usage: typed, description: described };
};

export const changesCommands = (parts: ChangeMethodParts): PluginSubcommands => ({
  of: "plan",
  textOf: createLocalizedByKey(ENGLISH),
  subcommands: [
    {
      name: "changes",
      ...usageOf(ENGLISH.usage_plan_changes),
      requiredScopes: ["operator.read"],
      channelScopes: ["operator.approvals"],
    },
    { name: "rollback", ...usageOf(ENGLISH.usage_plan_rollback), requiredScopes: ["operator.approvals"] },
    { name: "resume", ...usageOf(ENGLISH.usage_plan_resume), requiredScopes: ["operator.approvals"] },
  ],
  async handler(call) {
    const [verb = "", ...words] = call.args.trim().toLowerCase().split(/\s+/);
    if (verb === "resume") return resume(call, words);
    const typed = parseWords(words);
    if ("refused" in typed) return { refusal: typed.refused };
    const answer = await readable(() => (verb === "changes" ? show(call, typed, parts) : roll(call, typed, parts)));
    return "refused" in answer ? { refusal: answer.refused } : messageOf(answer);
  },
});

type Typed = { step: number | null; code: string | undefined; conflicts: "keep" | "overwrite" | undefined };

function parseWords(words: readonly string[]) {
  const typed: Typed = { step: null, code: undefined, conflicts: undefined };
  for (const word of words) {
    if (/^\d{1,3}$/.test(word) && Number(word) > 0 && typed.step === null) typed.step = Number(word);
    else if (/^[0-9a-f]{6}$/.test(word) && typed.code === undefined) typed.code = word;
    else if (word === "keep" || word === "overwrite") typed.conflicts = word;
    else return refuse("COMMAND_USAGE", localized("rollbackStepInvalid"));
  }
  return typed;
}

async function resume(call: CommandCall, words: readonly string[]): Promise<CommandResult> {
  if (words.length > 0) return { refusal: refuse("COMMAND_USAGE", localized("usage_plan_resume")).refused };
  const outcome = await call.apply({ type: "resume" });
  return outcome.ok ? messageOf(localized("planResumed")) : { refusal: outcome.refusal };
}

async function show(call: CommandCall, { step }: Typed, parts: ChangeMethodParts) {
  const at = await findCycle({ sessionId: SessionId.parse(call.session.id) }, parts);
  if ("refused" in at) return at;
  const changes = await describeChanges(at, await parts.snapshots.ask("read", { place: at.place }), parts);
  const steps = changes.steps.filter((one) => step === null || one.step === step);
  const outside =
    step === null && changes.outside.length > 0 ? [localized("changesOthers"), ...fileLines(changes.outside)] : [];
  return lines([...steps.flatMap(stepLines), ...outside]);
}

function stepLines({ step, text, files, moreFiles }: StepChanges): LocalizedText[] {
  const title = step === null ? localized("changesNoStep") : localized("changesStep", { step, text: oneLine(text) });
  if (files.length === 0) return [title, localized("changesNoFiles")];
  return [title, ...fileLines(files, moreFiles)];
}

function fileLines(files: readonly ChangedFile[], more = 0): LocalizedText[] {
  const shown = files.slice(0, FILES_SHOWN_MAX);
  const count = more + files.length - shown.length;
  const rest = count > 0 ? [localized("changesMore", { count })] : [];
  const notNamed = localized("changesNotNamed").text;
  return [
    ...shown.map(({ path, change, undeclared, restored }) =>
      asIs(
        `  ${restored === true ? "↩ " : ""}${SIGNS[change]} ${oneLine(path)}${undeclared === true ? ` (${notNamed})` : ""}`,
      ),
    ),
    ...rest,
  ];
}

async function roll(call: CommandCall, typed: Typed, parts: ChangeMethodParts) {
  const at = await findCycle({ sessionId: SessionId.parse(call.session.id) }, parts);
  if ("refused" in at) return at;
  const { step, code, conflicts } = typed;
  const preview = await parts.snapshots.ask("preview", { place: at.place, step: step ?? undefined });
  if (preview.files.length === 0) return refuse("ROLLBACK_NOTHING", "Every file holds what it held before already.");
  if (code === undefined) return previewLines(preview);
  if (!preview.digest.startsWith(code))
    return refuse("ROLLBACK_STALE", "Files have changed since you looked. Look at the preview again.");
  const by: RollbackBy = {
    name: call.actor.name,
    nowMs: call.atMs,
    key: undefined,
    apply: async (command) => {
      const outcome = await call.apply(command);
      return outcome.ok ? { ok: true } : { ok: false, refusal: outcome.refusal satisfies Refusal };
    },
  };
  const done = await rollBack(at, { step, digest: preview.digest, conflicts }, { by, parts });
  return "refused" in done ? done : localized("rollbackDone", { restored: done.restored, left: done.left.length });
}

function previewLines({ digest, step, files, moreFiles, conflicts }: RollbackPreview): LocalizedText {
  const shown = files.slice(0, FILES_SHOWN_MAX);
  const count = moreFiles + files.length - shown.length;
  const command = ["/plan rollback", ...(step === null ? [] : [String(step)]), digest.slice(0, CODE_CHARS)].join(" ");
  return lines([
    localized("rollbackWould"),
    ...shown.map(previewLine),
    ...(count > 0 ? [localized("changesMore", { count })] : []),
    ...(conflicts > 0 ? [localized("rollbackConflict", { count: conflicts })] : []),
    localized("rollbackDo", { command }),
  ]);
}

const previewLine = ({ path, change, conflict }: PreviewedFile): LocalizedText =>
  asIs(`  ${conflict === undefined ? " " : "!"}${SIGNS[change]} ${oneLine(path)}`);
