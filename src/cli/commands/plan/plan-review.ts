/** `holdpoint plan notes|note|resolve|reply|reopen|export|share|unshare`: review for scripts and for people who are elsewhere. */
import { writeFile } from "node:fs/promises";
import { parseNote } from "../../../plan-mode/commands/parse-note.ts";
import { isBlank } from "../../../plugins/sdk.ts";
import { renderNotes } from "../../../plan-mode/render/render-notes.ts";
import { approvalIn } from "../../../protocol/card/card.ts";
import { ApprovalId, PlanId, ShareId } from "../../../protocol/ids.ts";
import type { SessionView } from "../../../protocol/methods.ts";
import { cardsOf } from "../../cards/session-cards.ts";
import { CliError } from "../../cli-error.ts";
import type { CommandContext } from "../../context.ts";
import { findGateway, withGateway } from "../../gateway-link.ts";
import { overviewOf } from "../../plan-state.ts";
import { sanitise, sanitiseLine } from "../../text/sanitise.ts";
import { table } from "../../text/table.ts";
import { type OnSession, planOf, sessionOf } from "./plan.ts";

export async function listPlanNotes(planId: string | undefined, options: OnSession, { output, env }: CommandContext) {
  await withGateway(env, async (link) => {
    const plan = await planOf(link, planId, options);
    const found = await link.call("plans.notes", { planId: plan.planId });
    output.document({ planId: plan.planId, ...found });
    output.lines(sanitise(renderNotes(found.notes, { format: "plain" })).split("\n"));
  });
}

export async function addPlanNote(words: readonly string[], options: OnSession, { output, env }: CommandContext) {
  const typed = parseNote(words.join(" "));
  if ("refused" in typed) throw usage(typed.refused.message.replaceAll("/plan note", "holdpoint plan note"));
  await withGateway(env, async (link) => {
    const session = await sessionOf(link, options);
    const card = approvalIn(cardsOf(session));
    if (card === undefined) throw usage("There is no plan in this session to note on.");
    const approvalId = ApprovalId.parse(card.id);
    const planNote = { action: "add", approvalId, ...typed } as const;
    const { reply } = await link.call("sessions.patch", { sessionId: session.id, planNote });
    output.document({ sessionId: session.id, note: reply });
    output.lines(["Noted. It goes to the agent with your decision."]);
  });
}

type OnNote = { options: OnSession; context: CommandContext };

export const resolvePlanNote = (number: string, options: OnSession, context: CommandContext): Promise<void> =>
  onThread(number, { act: { action: "resolve" }, done: "Resolved." }, { options, context });

export const reopenNote = (number: string, options: OnSession, context: CommandContext): Promise<void> =>
  onThread(number, { act: { action: "reopen" }, done: "Open again." }, { options, context });

export async function replyToNote(number: string, text: string, on: OnNote): Promise<void> {
  if (isBlank(text)) throw usage("Write your reply behind the number of the note.");
  await onThread(number, { act: { action: "reply", text }, done: "Replied." }, on);
}

type ThreadAct = { act: { action: "resolve" | "reopen" } | { action: "reply"; text: string }; done: string };

async function onThread(number: string, { act, done }: ThreadAct, { options, context }: OnNote): Promise<void> {
  const { output, env } = context;
  await withGateway(env, async (link) => {
    const session = await sessionOf(link, options);
    const planNote = { ...act, noteId: noteIdOf(session, number) };
    const { reply } = await link.call("sessions.patch", { sessionId: session.id, planNote });
    output.document({ sessionId: session.id, note: reply });
    output.lines([done]);
  });
}

/** `plan_mode_resolve`, as every awaiting line names it. */
export async function resolvePlan(
  id: string,
  { decision, reason }: { decision: string; reason: string },
  { output, env }: CommandContext,
) {
  const planId = PlanId.safeParse(id);
  if (!planId.success) throw usage(`"${id}" is no plan's id; it begins with pln_.`);
  if (decision !== "approve" && decision !== "reject") throw usage("A plan is resolved with approve or reject.");
  if (decision === "reject" && reason.trim() === "") throw usage("Write behind reject what should change.");
  if (decision === "approve" && reason.trim() !== "") throw usage("approve takes no reason.");
  await withGateway(env, async (link) => {
    const given = decision === "reject" ? { reason } : {};
    const decided = await link.call("plan_mode_resolve", { plan_id: planId.data, decision, ...given });
    output.document(decided);
    output.lines([RESOLVED[decided.decision]]);
  });
}

const RESOLVED = {
  approved: "Approved. The agent may make its changes now.",
  rejected: "Sent back. The agent is told what to change.",
  signed: "Signed. The plan waits for further signatures.",
} as const;

function noteIdOf(session: SessionView, number: string) {
  const n = Number(/^n?(\d{1,5})$/i.exec(number)?.[1] ?? 0);
  const all = overviewOf(session).notes;
  const found = all.find((item) => item.n === n);
  if (found !== undefined) return found.id;
  const known = all.map((item) => `n${item.n}`).join(", ");
  throw usage(`There is no note ${number}. ${known === "" ? "This plan has none." : `There are ${known}.`}`);
}

export type ExportOptions = OnSession & { format: "markdown" | "json" | "html"; out?: string };

export async function exportPlan(planId: string | undefined, options: ExportOptions, { output, env }: CommandContext) {
  await withGateway(env, async (link) => {
    const plan = await planOf(link, planId, options);
    const found = await link.call("plans.export", { planId: plan.planId, format: options.format });
    if (options.out !== undefined) await writeFile(options.out, found.text, { flag: "wx" }).catch(cannotWrite);
    output.document({ planId: plan.planId, ...found, file: options.out ?? null });
    output.lines(options.out === undefined ? sanitise(found.text).split("\n") : [`Written to ${options.out}.`]);
  });
}

function cannotWrite(error: unknown): never {
  const why = error instanceof Error ? error.message : "unknown";
  throw usage(`The file could not be written (${why}). Name another with --out.`);
}

const DAY_SECONDS = 86_400;

export async function sharePlan(
  planId: string | undefined,
  options: OnSession & { days: number },
  context: CommandContext,
) {
  const { output, env } = context;
  await withGateway(env, async (link) => {
    const plan = await planOf(link, planId, options);
    const expiresInSeconds = options.days * DAY_SECONDS;
    const made = await link.call("plans.share", { planId: plan.planId, expiresInSeconds });
    const url = new URL(made.path, (await findGateway(env)).url.replace(/^ws/, "http")).href;
    output.document({ planId: plan.planId, ...made, url });
    output.lines([
      url,
      `Whoever has this link can read the plan until ${new Date(made.expiresAtMs).toISOString()}.`,
      `End it with: holdpoint plan unshare ${made.shareId}`,
    ]);
  });
}

export async function listShares(options: OnSession, { output, env }: CommandContext) {
  await withGateway(env, async (link) => {
    const { id: sessionId } = await sessionOf(link, options);
    const { shares } = await link.call("plans.shares", { sessionId });
    output.document({ sessionId, shares });
    if (shares.length === 0) return output.lines(["No link leads to a plan of this session."]);
    const rows = shares.map(({ shareId, planId, by, expiresAtMs, revoked }) => [
      shareId,
      planId,
      sanitiseLine(by.name),
      revoked ? "ended" : `until ${new Date(expiresAtMs).toISOString()}`,
    ]);
    output.lines(table(["link", "plan", "by", "works"], rows, output.look()));
  });
}

export async function unsharePlan(id: string, { output, env }: CommandContext) {
  const shareId = ShareId.safeParse(id);
  if (!shareId.success) throw usage(`"${id}" is no link's id; it begins with shr_.`);
  await withGateway(env, async (link) => {
    output.document(await link.call("plans.unshare", { shareId: shareId.data }));
    output.lines(["The link shows nothing any more."]);
  });
}

const usage = (message: string): CliError =>
  new CliError({ exit: "usage", message, advice: "See: holdpoint plan --help", code: "USAGE" });
