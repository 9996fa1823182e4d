/** The text of `/help` in the terminal chat, and the commands that the terminal answers itself. */
import type { Look } from "../text/paint.ts";
import { width } from "../text/width.ts";
import { hang } from "../text/wrap.ts";

/** What the terminal answers itself; everything else that begins with a slash is the gateway's. */
export const LOCAL_COMMANDS = [
  { name: "help", what: "this list; with a command behind it, how that is used" },
  { name: "abort", what: "stop what the agent is doing now (or Ctrl+C)" },
  { name: "say", what: "say something to the agent while a question waits" },
  { name: "press", what: "take an action of a card that has no command of its own" },
  { name: "quit", what: "leave; what waits stays pending (or Ctrl+C twice, Ctrl+D)" },
] as const;

const ABOUT_PLANS = [
  ["/plan accept", "approve the plan: the agent may make its changes"],
  ["/plan accept edits", "approve, and allow further edits on the way"],
  ["/plan revise <what>", "send it back with what should change"],
  ["/plan answer <choice>", "answer a question (or just type its number)"],
  ["/plan diff", "what the last revision changed"],
  ["/plan view 3", "the third step, whole; without a number the whole plan"],
  ["/plan status", "where things stand"],
  ["/plan on", "plan first: the agent changes nothing until you approve"],
  ["/plan off", "leave plan mode"],
  ["/plan lift", "let a held session change things again"],
] as const;

export function helpLines(commands: readonly string[], look: Look): string[] {
  const rows = [...ABOUT_PLANS, ...LOCAL_COMMANDS.map(({ name, what }) => [`/${name}`, what] as const)];
  const shown = new Set(rows.map(([name]) => name.split(" ")[0]));
  const others = commands.filter((name) => !name.includes(" ") && !shown.has(name));
  const left = Math.max(...rows.map(([name]) => width(name))) + 4;
  const lines = rows.flatMap(([name, what]) => row(name, what, { left, look }));
  const more = others.length === 0 ? [] : hang("  also: ", others.join(", "), look.columns);
  return [
    "",
    ...lines,
    ...more,
    ...hang(
      "  ",
      "Tab completes. A line that ends with \\ goes on in the next. Pasted lines stay one message.",
      look.columns,
    ).map(look.paint.quiet),
  ];
}

function row(name: string, what: string, { left, look }: { left: number; look: Look }): string[] {
  const { columns, paint } = look;
  if (columns < left * 2) return [`  ${paint.accent(name)}`, ...hang("      ", what, columns)];
  const [first = "", ...rest] = hang(" ".repeat(left), what, columns);
  return [`  ${paint.accent(name)}${first.slice(2 + width(name))}`, ...rest];
}
