/** The plan cycle under way: what the person wanted, what was looked up, what they answered and what they sent back. */
import { z } from "zod";
import { oneLine, statusOf, type Input, type Made, type View } from "./view.ts";

const WISH_CHARS_MAX = 300;
const REMARK_CHARS_MAX = 200;
const REMARKS_MAX = 5;
const FOUND_MAX = 5;
const README_LINES_MAX = 500;
const NO_WISH = "note down what is in this workspace";

export type Cycle = {
  /** Calls of this cycle. */
  made: readonly Made[];
  inputs: readonly Input[];
  wish: string;
  /** What the person wrote after the work on the plan had begun and before the first plan lay before them. */
  remarks: string[];
  /** Feedback of every rejection, oldest first. */
  feedback: string[];
};

/** A cycle begins with the turn that received its introduction. */
export function cycleOf(view: View): Cycle {
  const start = view.inputs.findLast(({ entry }) => entry.injectionIds.some((id) => id.startsWith("plan-intro:")));
  const from = start?.at ?? 0;
  const made = view.made.filter((item) => item.at >= from);
  const inputs = view.inputs.filter((input) => input.at >= from);
  const begun = made.find((item) => item.call.tool === "glob")?.at ?? Number.POSITIVE_INFINITY;
  const submitted = made.find((item) => item.call.tool === "exit_plan_mode")?.at ?? Number.POSITIVE_INFINITY;
  const wish = inputs.findLast((input) => input.at < begun && input.entry.messages.length > 0);
  return {
    made,
    inputs,
    wish: wish === undefined ? NO_WISH : oneLine(localizedTextOf(wish), WISH_CHARS_MAX),
    remarks: inputs
      .filter((input) => input.at > begun && input.at < submitted && input.entry.messages.length > 0)
      .map((input) => oneLine(localizedTextOf(input), REMARK_CHARS_MAX))
      .slice(-REMARKS_MAX),
    feedback: feedbackOf(made),
  };
}

const localizedTextOf = ({ entry }: Input): string => entry.messages.map((message) => message.text).join(" ");

/** Each rejected plan was looked at in the turn that followed, so its feedback stands in a status result. */
function feedbackOf(made: readonly Made[]): string[] {
  const byPlan = new Map<string, string>();
  for (const { plan } of made.flatMap((item) => statusOf(item) ?? [])) {
    if (plan?.feedback !== null && plan !== null) byPlan.set(plan.plan_id, oneLine(plan.feedback, REMARK_CHARS_MAX));
  }
  return [...byPlan.values()].slice(-REMARKS_MAX);
}

const Listing = z.object({ paths: z.array(z.string()) });
export const ReadFile = z.object({
  path: z.string(),
  text: z.string(),
  hash: z.string(),
  totalLines: z.int(),
  more: z.string().optional(),
});
const Matches = z.object({ matches: z.array(z.object({ path: z.string(), line: z.int() })) });

/** Files in the top folder; empty when they could not be listed. */
export function topFiles({ made }: Cycle): string[] {
  const listing = made.find((item) => item.call.tool === "glob" && item.status === "ok");
  return Listing.safeParse(listing?.content).data?.paths ?? [];
}

/** A README that is there and short enough to be read and extended whole. */
export function hasShortReadme({ made }: Cycle): boolean {
  const read = made.find((item) => item.call.tool === "read" && item.call.args["path"] === "README.md");
  const file = ReadFile.safeParse(read?.content).data;
  return file !== undefined && file.totalLines <= README_LINES_MAX;
}

/** What the reading brought to light, one line each. */
export function findings(cycle: Cycle): string[] {
  const files = topFiles(cycle);
  const listed = `The top folder holds ${files.length} files${files.length > 0 ? `, among them ${files.slice(0, FOUND_MAX).join(", ")}` : ""}.`;
  const looked = cycle.made.filter((item) => item.status === "ok").flatMap(findingOf);
  return [listed, ...looked].slice(0, FOUND_MAX + 1);
}

function findingOf({ call, content }: Made): string[] {
  if (call.tool === "read") {
    const file = ReadFile.safeParse(content).data;
    const begin = file?.text.split("\n").find((line) => line.trim() !== "");
    return file === undefined || begin === undefined ? [] : [`${file.path} begins with "${oneLine(begin, 80)}".`];
  }
  const found = call.tool === "grep" ? Matches.safeParse(content).data?.matches : undefined;
  if (found === undefined) return [];
  const pattern = JSON.stringify(call.args["pattern"]);
  const [match] = found;
  return match === undefined
    ? [`${pattern} does not occur in the workspace yet.`]
    : [`${pattern} occurs in ${found.length} lines, first in ${match.path}:${match.line}.`];
}

/** The answer to the question that was asked at this place: the option's id, or the person's own words. */
export function answerAfter({ inputs }: Cycle, at: number): { option: string } | { words: string } | undefined {
  const answered = inputs.find(
    (input) => input.at > at && input.entry.injectionIds.some((id) => id.startsWith("question-answer:")),
  );
  const envelope = /\[QUESTION_ANSWER\]\n([\s\S]*?)\[\/QUESTION_ANSWER\]/.exec(answered?.entry.text ?? "")?.[1];
  if (envelope === undefined) return undefined;
  const option = /^option: (?!none\b)(\S+)$/m.exec(envelope)?.[1];
  if (option !== undefined) return { option };
  const words = [...envelope.matchAll(/^> ?(.*)$/gm)].map((line) => line[1] ?? "").join(" ");
  return words === "" ? undefined : { words: oneLine(words, REMARK_CHARS_MAX) };
}
