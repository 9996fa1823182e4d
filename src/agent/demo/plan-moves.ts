/** In plan mode: look, ask, submit, revise. */
import { answerAfter, type Cycle, cycleOf, hasShortReadme, topFiles } from "./cycle.ts";
import { planFor } from "./plan-text.ts";
import { type Move, reasonOf, say, type Status, type View } from "./view.ts";

/** From this rejection on the demo asks instead of guessing again. */
const REJECTIONS_UNTIL_QUESTION = 3;
const WORDS = /[\p{L}\p{N}]{4,}/gu;

export function planMove(view: View, status: Status): Move {
  if (status.question !== null) return say(QUESTION_OPEN);
  if (status.approval === "pending") return say(PLAN_OPEN);
  const cycle = cycleOf(view);
  const last = view.mine.at(-1);
  if (last?.call.tool === "exit_plan_mode") return say(`The plan was not taken: ${reasonOf(last)}`);
  return explore(cycle) ?? ask(cycle) ?? askAgain(cycle, status) ?? submit(cycle, status);
}

const QUESTION_OPEN =
  "My question is still open, and I wait for the answer: choose an option on the card, or type /plan answer followed by your choice.";
const PLAN_OPEN =
  "The plan waits for your decision: /plan accept lets me begin, /plan revise followed by what to change sends it back. Until then I change nothing.";

function explore(cycle: Cycle): Move | undefined {
  const tools = cycle.made.map((item) => item.call.tool);
  if (!tools.includes("glob")) {
    return {
      text: "First I look at what is there; reading is all I can do now.",
      calls: [{ tool: "glob", args: { pattern: "*" } }],
    };
  }
  if (tools.includes("grep")) return undefined;
  const files = topFiles(cycle);
  const worth = ["README.md", "package.json"].filter((name) => files.includes(name));
  const [pattern = "TODO"] = (cycle.wish.match(WORDS) ?? []).toSorted((a, b) => b.length - a.length);
  return {
    text: `I read ${worth.length > 0 ? worth.join(" and ") : "on"} and search for "${pattern}".`,
    calls: [
      ...worth.map((path) => ({ tool: "read", args: { path, lines: 40 } })),
      { tool: "grep", args: { pattern, literal: true, ignoreCase: true } },
    ],
  };
}

const OWN_FILE = "HOLDPOINT_DEMO.md";
const DOCS_FILE = "docs/holdpoint-demo.md";

/** Where the note goes is a preference that no file answers, so the person is asked. */
function ask(cycle: Cycle): Move | undefined {
  if (asked(cycle).length > 0) return undefined;
  const options = [
    { id: "own-file", label: OWN_FILE, description: "A file of its own in the top folder." },
    ...(hasShortReadme(cycle) ? [{ id: "readme", label: "README.md", description: "A section at its end." }] : []),
    { id: "docs", label: DOCS_FILE, description: "Beside the other documents." },
  ];
  const question = `I would write a short note for "${cycle.wish}". Where shall it go?`;
  return {
    text: "One thing the files do not tell, so I ask.",
    calls: [{ tool: "ask_user_question", args: { question, options, allowFreetext: true } }],
  };
}

const asked = ({ made }: Cycle) => made.filter((item) => item.call.tool === "ask_user_question");

function askAgain(cycle: Cycle, { rejection_count: rejections }: Status): Move | undefined {
  if (rejections < REJECTIONS_UNTIL_QUESTION) return undefined;
  const submitted = cycle.made.findLast((item) => item.call.tool === "exit_plan_mode")?.at ?? 0;
  if (asked(cycle).some((item) => item.at > submitted)) return undefined;
  const question = `You sent ${rejections} plans back. Which of your remarks shall the next one follow?`;
  const options = [
    { id: "all", label: "All of them" },
    { id: "last", label: "Only the last one" },
  ];
  return {
    text: "Instead of guessing again I ask.",
    calls: [{ tool: "ask_user_question", args: { question, options } }],
  };
}

function submit(cycle: Cycle, { approval }: Status): Move {
  const { target, assumption } = targetOf(cycle);
  const feedback = followed(cycle);
  const submissions = cycle.made.filter((item) => item.call.tool === "exit_plan_mode" && item.status === "ok").length;
  const plan = planFor({ cycle, target, assumption, feedback, revision: submissions + 1 });
  const text =
    approval === "rejected"
      ? `I have taken your feedback into the plan: "${cycle.feedback.at(-1) ?? ""}". Here is revision ${submissions + 1}.`
      : "I know enough for a plan. It holds, word for word, what I would write; nothing happens before you approve it.";
  return { text, calls: [{ tool: "exit_plan_mode", args: plan }] };
}

type Target = { target: string; assumption: string | undefined };

/** Where to write: the file that a remark names last, else by the answer to the question. */
function targetOf(cycle: Cycle): Target {
  const named = followed(cycle).findLast((remark) => markdownFile(remark) !== undefined);
  const target = named === undefined ? undefined : markdownFile(named);
  return target === undefined ? answeredTarget(cycle) : { target, assumption: undefined };
}

const markdownFile = (words: string): string | undefined =>
  /(?:^|\s)([\p{L}\p{N}_-][\p{L}\p{M}\p{N}_.-]*(?:\/[\p{L}\p{N}_-][\p{L}\p{M}\p{N}_.-]*)*\.md)(?![\p{L}\p{N}_])/u.exec(
    words,
  )?.[1];

/** Without an answer the choice that touches no file of the person's, and the plan says so. */
function answeredTarget(cycle: Cycle): Target {
  const first = asked(cycle)[0];
  const answer = first?.status === "ok" ? answerAfter(cycle, first.at) : undefined;
  if (answer === undefined)
    return { target: OWN_FILE, assumption: `Nobody said where, so the note goes to ${OWN_FILE}.` };
  if ("words" in answer) {
    const path = markdownFile(answer.words);
    return path === undefined
      ? { target: OWN_FILE, assumption: `"${answer.words}" names no Markdown file, so the note goes to ${OWN_FILE}.` }
      : { target: path, assumption: undefined };
  }
  const files: Record<string, string> = { "own-file": OWN_FILE, readme: "README.md", docs: DOCS_FILE };
  return { target: files[answer.option] ?? OWN_FILE, assumption: undefined };
}

function followed(cycle: Cycle): string[] {
  const again = asked(cycle)[1];
  const answer = again === undefined ? undefined : answerAfter(cycle, again.at);
  const onlyLast = answer !== undefined && "option" in answer && answer.option === "last";
  const remarks = [...cycle.remarks, ...cycle.feedback];
  return onlyLast ? remarks.slice(-1) : remarks;
}
