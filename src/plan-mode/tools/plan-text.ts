/**
 * A plan in plain text: list items are steps, items nested below one are its criteria, everything else is kept as
 * summary (before the first step) or analysis (after it). Without any list, each line is a step.
 */
import { isBlank } from "../../plugins/sdk.ts";

export const PLAN_TEXT_BYTES_MAX = 8_192;

const ITEM = /^(?<indent>[ \t]*)(?:[-*+•]|\d{1,3}[.)])[ \t]+(?:\[(?<mark>[ xX])\][ \t]+)?(?<text>.*\S)\s*$/;
const NESTED_INDENT_MIN = 2;

type TextStep = { step: string; status: "pending" | "completed"; acceptanceCriteria?: string[] };
export type PlanText = { plan: TextStep[]; summary?: string; analysis?: string };

export function parsePlanText(text: string): PlanText {
  const lines = text.replaceAll("\r\n", "\n").split("\n");
  const items = lines.map(readItem);
  if (!items.some((item) => item !== undefined)) return { plan: lines.filter((line) => !isBlank(line)).map(plainStep) };
  const steps: TextStep[] = [];
  const [before, after]: [string[], string[]] = [[], []];
  for (const [index, line] of lines.entries()) {
    const item = items[index];
    const last = steps.at(-1);
    if (item === undefined) (last === undefined ? before : after).push(line);
    else if (item.isNested && last !== undefined) (last.acceptanceCriteria ??= []).push(item.text);
    else steps.push({ step: item.text, status: item.isDone ? "completed" : "pending" });
  }
  return { plan: steps, ...section("summary", before), ...section("analysis", after) };
}

function readItem(line: string): { text: string; isNested: boolean; isDone: boolean } | undefined {
  const groups = ITEM.exec(line)?.groups;
  if (groups === undefined) return undefined;
  const indent = (groups["indent"] ?? "").replaceAll("\t", "    ").length;
  return {
    text: groups["text"] ?? "",
    isNested: indent >= NESTED_INDENT_MIN,
    isDone: (groups["mark"] ?? " ").toLowerCase() === "x",
  };
}

const plainStep = (line: string): TextStep => ({ step: line.trim(), status: "pending" });

function section(name: "summary" | "analysis", lines: readonly string[]): Partial<PlanText> {
  const text = lines.join("\n").trim();
  return isBlank(text) ? {} : { [name]: text };
}
