/** `holdpoint sessions …` */
import { createInterface } from "node:readline/promises";
import type { ResultOf } from "../../all-methods.ts";
import type { SessionSummary, SessionView } from "../../protocol/methods.ts";
import { sessionIdOf } from "../chat/choose-session.ts";
import { answerLines } from "../cards/answer-lines.ts";
import { statusLines } from "../cards/card-lines.ts";
import { cardsOf } from "../cards/session-cards.ts";
import { CliError } from "../cli-error.ts";
import { type CommandContext, isTerminal } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { overviewOf } from "../plan-state.ts";
import { ago } from "../text/duration.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import type { Look } from "../text/paint.ts";
import { wrap } from "../text/wrap.ts";
import { clip } from "../text/width.ts";
import { workspaceFolder } from "../workspace.ts";

export type SessionListOptions = { archived?: boolean; waiting?: boolean; search?: string; limit: number };

const PAGE_MAX = 200;

export async function list(options: SessionListOptions, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const filter = {
      archived: options.archived === true,
      ...(options.waiting === true ? { waiting: true } : {}),
      ...(options.search === undefined ? {} : { search: options.search }),
    };
    const sessions: SessionSummary[] = [];
    let cursor: string | null = null;
    do {
      const page: ResultOf<"sessions.list"> = await link.call("sessions.list", {
        ...filter,
        cursor,
        limit: Math.min(options.limit - sessions.length, PAGE_MAX),
      });
      sessions.push(...page.sessions);
      cursor = page.nextCursor;
    } while (cursor !== null && sessions.length < options.limit);
    output.document({ sessions });
    if (sessions.length === 0)
      return output.lines([options.waiting === true ? "Nothing waits for a person." : "There are no sessions yet."]);
    output.lines(sessions.flatMap((session) => summaryLines(session, output.look())));
  });
}

/** Two lines each: an id fills most of a line and must stay whole to be copied. */
function summaryLines(
  { id, title, updatedAtMs, waiting, mode = "normal" }: SessionSummary,
  { columns, paint, isPiped }: Look,
): string[] {
  const needs = waiting === null ? "" : waiting.kind === "question" ? "⏸ question waits" : "⏸ plan waits";
  const room = columns - needs.length - 2;
  const name = clip(sanitiseLine(title) || "(no title)", isPiped ? Number.POSITIVE_INFINITY : room);
  return [
    `${paint.strong(name)}${needs === "" ? "" : `  ${paint.waiting(needs)}`}`,
    ...wrap(`  ${id} · ${sanitiseLine(mode)} · ${ago(Date.now() - updatedAtMs)}`, columns).map(paint.quiet),
  ];
}

export async function show(id: string, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { session } = await link.call("sessions.get", { sessionId: sessionIdOf(id) });
    output.document({ session });
    const { mode, permission } = overviewOf(session);
    const look = output.look();
    const { paint } = look;
    const beholder = { look, nowMs: Date.now(), person: link.operator() };
    output.lines([
      paint.strong(sanitiseLine(session.title) || "(no title)"),
      `${session.id} · agent ${session.agentId} · ${session.kind}${session.archived ? " · archived" : ""}`,
      `in ${sanitiseLine(session.workspace)}`,
      `${session.entryCount} entries, ${session.turnCount} turns, turn ${session.turn.status}, changed ${ago(Date.now() - session.updatedAtMs)}`,
      `mode ${mode}${permission === "default" ? "" : `, permissions ${permission}`}`,
      ...cardsOf(session).flatMap((card) => [...statusLines(card, beholder), ...answerLines(card, session.id)]),
    ]);
  });
}

export async function create(
  options: { title?: string; agent: string; workspace?: string },
  { output, env, cwd }: CommandContext,
): Promise<void> {
  await withGateway(env, async (link) => {
    const workspace = await workspaceFolder(options.workspace, { cwd, env });
    const { session } = await link.call("sessions.create", {
      agentId: options.agent,
      title: options.title ?? "",
      workspace,
    });
    printResult(output, session, `Created ${session.id}. Talk in it with: holdpoint chat --session ${session.id}`);
  });
}

export async function rename(id: string, title: string, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { session } = await link.call("sessions.patch", { sessionId: sessionIdOf(id), title });
    printResult(output, session, `Renamed ${id}.`);
  });
}

export async function archive(
  id: string,
  { undo }: { undo?: boolean },
  { output, env }: CommandContext,
): Promise<void> {
  await withGateway(env, async (link) => {
    const { session } = await link.call("sessions.patch", { sessionId: sessionIdOf(id), archived: undo !== true });
    printResult(output, session, undo === true ? `${id} is back.` : `Archived ${id}.`);
  });
}

export async function reset(id: string, { output, env }: CommandContext): Promise<void> {
  await withGateway(env, async (link) => {
    const { session } = await link.call("sessions.reset", { sessionId: sessionIdOf(id) });
    printResult(output, session, `Reset ${id}.`);
  });
}

export async function remove(id: string, { yes }: { yes?: boolean }, context: CommandContext): Promise<void> {
  const sessionId = sessionIdOf(id);
  if (yes !== true) await confirm(`Delete ${id} for good? Type its id to confirm: `, id, context);
  await withGateway(context.env, (link) => link.call("sessions.delete", { sessionId }));
  context.output.document({ deleted: sessionId });
  context.output.lines([`Deleted ${id}. Its audit rows stay.`]);
}

async function confirm(question: string, wanted: string, context: CommandContext): Promise<void> {
  const refused = new CliError({
    exit: "usage",
    message: "Not deleted.",
    advice: "Confirm it with --yes.",
    code: "USAGE",
  });
  if (!isTerminal(context)) throw refused;
  const rl = createInterface({ input: context.stdin, output: context.terminal });
  const typed = await rl.question(question);
  rl.close();
  if (typed.trim() !== wanted) throw refused;
}

function printResult(output: CommandContext["output"], session: SessionView | null, line: string): void {
  output.document({ session });
  output.lines([line]);
}
