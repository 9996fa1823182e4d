/** `holdpoint gate explain`: how the gate reads one command, for a person who wonders why (GA-11). */
import { homedir } from "node:os";
import { homePath } from "../../../config/home.ts";
import { readRunningFile } from "../../../gateway/process/running-file.ts";
import { editPlaceOf } from "../../../plan-mode/gates/real-place.ts";
import {
  explainShell,
  judgeAcceptEdits,
  type ShellExplanation,
  type ShellVerdict,
} from "../../../plan-mode/shell/shell-gate.ts";
import type { CommandContext } from "../../context.ts";
import { EXIT_CODES } from "../../exit-codes.ts";
import { treeLines } from "../tree-lines.ts";
import type { Look } from "../../text/paint.ts";
import { sanitiseLine } from "../../text/sanitise.ts";
import { hang } from "../../text/wrap.ts";

const LABEL_COLUMNS = 14;

export async function explainGate(command: string, { output, cwd, env }: CommandContext): Promise<number> {
  const place = { cwd, home: env["HOME"] ?? homedir() };
  const explanation = explainShell(command, place);
  const edits = judgeAcceptEdits(
    { tool: "exec", command },
    {
      ...editPlaceOf(place),
      ...(await ownPlace(homePath(env))),
    },
  );
  const { verdict, commands, tree } = explanation;
  output.document({ command, plan: verdict, acceptEdits: edits, commands, tree: tree ?? null });
  const look = output.look();
  output.lines([
    ...row("plan mode", planText(verdict), look),
    ...verdictLines(verdict, look),
    ...commandLines(explanation, look),
    ...(tree === undefined ? [] : ["", look.paint.quiet("tree"), ...treeLines(tree).map((line) => `  ${line}`)]),
    "",
    ...row("accept-edits", edits.allowed ? "allowed" : `blocked (${edits.code}: ${edits.matched})`, look),
    ...(edits.allowed ? [] : row("", edits.reason, look)),
  ]);
  return EXIT_CODES.ok.code;
}

/** The gateway's own folder and, while it runs, its port and process. */
async function ownPlace(home: string): Promise<{ folders: string[]; ports?: number[]; pids?: number[] }> {
  const running = await readRunningFile(home);
  if (running === undefined) return { folders: [home] };
  return { folders: [home], ports: [running.port], pids: [process.pid, running.pid] };
}

const planText = (verdict: ShellVerdict): string =>
  verdict.allowed ? "allowed: proven read-only" : `blocked (${verdict.code}: ${verdict.matched})`;

function verdictLines(verdict: ShellVerdict, look: Look): string[] {
  const { canonical } = verdict;
  return [
    ...(canonical === undefined ? [] : row(verdict.allowed ? "runs" : "canonical", canonical, look)),
    ...(verdict.allowed
      ? row("rules", verdict.rules.join(", "), look)
      : [...row("", KINDS[verdict.verdict], look), ...row("hint", verdict.hint, look)]),
  ];
}

const KINDS = {
  writes: "It is known to change something or to reach out.",
  unknown: "It is proven neither to read nor to write.",
} as const;

function commandLines({ commands }: ShellExplanation, look: Look): string[] {
  if (commands.length === 0) return [];
  return [
    "",
    look.paint.quiet("commands"),
    ...commands.flatMap((item) => hang("  ", sanitiseLine(`${item.command}  ← ${item.rule}`), look.columns)),
  ];
}

function row(label: string, text: string, { columns, paint }: Look): string[] {
  const [first = "", ...rest] = hang(label.padEnd(LABEL_COLUMNS), sanitiseLine(text), columns);
  return [paint.strong(first.slice(0, LABEL_COLUMNS)) + first.slice(LABEL_COLUMNS), ...rest];
}
