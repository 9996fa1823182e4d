/** `holdpoint plans search|open|export|reuse|tag|link`: the library of all plans. */
import { writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { homePath } from "../../config/home.ts";
import { type LibraryEntry, PlanLink, PlanOutcome, PlanTag } from "../../library/protocol/library-entry.ts";
import { PlanId } from "../../protocol/ids.ts";
import { changeLines } from "../changes/plan-changes.ts";
import { type ChangedByPlan, changedByPlan } from "../changes/changed-by-plan.ts";
import type { Look } from "../text/paint.ts";
import { sessionIdOf } from "../chat/choose-session.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { withGateway } from "../gateway-link.ts";
import { ago } from "../text/duration.ts";
import { sanitise, sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";

export type SearchOptions = {
  tag?: string;
  person?: string;
  file?: string;
  link?: string;
  status?: string;
  limit: number;
};

export async function searchPlans(
  words: readonly string[],
  { status, limit, tag, person, file, link: ref }: SearchOptions,
  { output, env }: CommandContext,
): Promise<void> {
  const outcome = status === undefined ? undefined : PlanOutcome.safeParse(status);
  if (outcome?.success === false) throw usage(`--status is one of ${PlanOutcome.options.join(", ")}.`);
  await withGateway(env, async (link) => {
    const found = await link.call("library.search", {
      query: words.join(" "),
      limit: Math.min(limit, 200),
      ...given({ tag, person, file, link: ref }),
      ...(outcome === undefined ? {} : { outcome: outcome.data }),
    });
    output.document(found);
    if (found.plans.length === 0) output.lines(["No plan matches."]);
    else output.lines(table(["plan", "rev", "status", "submitted", "title"], found.plans.map(row), output.look()));
    if (found.indexing) output.lines(["Plans of an earlier version are still being read: search again in a moment."]);
  });
}

const given = <Filters extends Record<string, string | undefined>>(
  filters: Filters,
): { [Name in keyof Filters]?: string } =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same fields, without those that nobody named
  Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined)) as never;

const row = ({ planId, revision, outcome, rule, submittedAtMs, title }: LibraryEntry): string[] => [
  planId,
  String(revision),
  rule === undefined ? outcome : `${outcome} by a rule`,
  ago(Date.now() - submittedAtMs),
  sanitiseLine(title),
];

/** The plan with its decisions and proofs, what it changed, and how that is taken back. */
export async function openPlan(id: string, { output, env }: CommandContext): Promise<void> {
  const planId = planIdOf(id);
  await withGateway(env, async (link) => {
    const { plan } = await link.call("library.get", { planId });
    const changes = await changedByPlan(link, plan);
    const { text } = await link.call("plans.export", { planId, format: "markdown" });
    const file = plan.file === null ? null : join(homePath(env), "agents", plan.agentId, "plans", plan.file);
    output.document({ ...plan, path: file, text, changes: changes?.changes ?? null, undo: changes?.undo ?? null });
    const facts: [string, readonly string[]][] = [
      ["Status", [plan.outcome]],
      ["Approved by a rule, not by a person", plan.rule === undefined ? [] : [plan.rule]],
      ["Session", [plan.sessionDeleted === true ? `${plan.sessionId} (deleted)` : plan.sessionId]],
      ["People", plan.people.map(({ name }) => name)],
      ["Tags", plan.tags],
      ["Links", plan.links],
      ["Files", plan.files],
      ["Kept in", file === null ? [] : [file]],
    ];
    const lines = facts.filter(([, values]) => values.length > 0);
    output.lines([
      ...sanitise(text).split("\n"),
      ...lines.map(([name, values]) => sanitiseLine(`${name}: ${values.join(", ")}`)),
      ...(changes === undefined ? [] : ["", ...changedLines(changes, output.look()), ""]),
    ]);
  });
}

const changedLines = ({ changes, undo }: ChangedByPlan, look: Look): string[] => [
  ...(changes === null ? [] : [look.paint.strong("What it changed"), ...changeLines(changes, look)]),
  "command" in undo ? `Undo it: ${undo.command}` : `It cannot be undone: ${sanitiseLine(undo.why)}`,
];

export type ExportPlanOptions = { format: "markdown" | "json" | "html"; out?: string; whole?: boolean };

export async function exportPlanOf(
  id: string,
  { format, out, whole = false }: ExportPlanOptions,
  { output, env, cwd }: CommandContext,
): Promise<void> {
  const planId = planIdOf(id);
  await withGateway(env, async (link) => {
    const made = await link.call(whole ? "plans.export" : "library.export", { planId, format });
    if (out === undefined) {
      output.document({ planId, redacted: !whole, ...made });
      return output.lines(sanitise(made.text).split("\n"));
    }
    const path = resolve(cwd, out);
    await writeFile(path, made.text, { flag: "wx" }).catch((error: unknown) => {
      throw new CliError({
        exit: "failed",
        message: `${path} could not be written: ${error instanceof Error ? error.message : String(error)}`,
        advice: "Name another file with --out.",
        code: "NOT_WRITTEN",
      });
    });
    output.document({ planId, redacted: !whole, path });
    output.lines([`Written to ${path}${whole ? "" : ", without secrets and names"}.`]);
  });
}

export type ReuseOptions = { session?: string; print?: boolean };

export async function reusePlan(
  id: string,
  { session, print = false }: ReuseOptions,
  { output, env, cwd }: CommandContext,
): Promise<void> {
  const planId = planIdOf(id);
  await withGateway(env, async (link) => {
    const { title, text } = await link.call("library.template", { planId });
    if (print) {
      output.document({ planId, title, text });
      return output.lines(sanitise(text).split("\n"));
    }
    const sessionId =
      session === undefined
        ? (await link.call("sessions.create", { title: title.slice(0, 100), workspace: cwd })).session.id
        : sessionIdOf(session);
    await link.call("chat.send", { sessionId, text });
    output.document({ planId, sessionId, title });
    output.lines([`The agent plans anew along "${sanitiseLine(title)}" in ${sessionId}. Nothing is approved yet.`]);
  });
}

export async function tagPlan(
  id: string,
  tags: readonly string[],
  { remove = false, output, env }: CommandContext & { remove?: boolean },
): Promise<void> {
  const planId = planIdOf(id);
  const parsed = tags.map((tag) => PlanTag.safeParse(tag.replace(/^#/, "")));
  if (parsed.some(({ success }) => !success))
    throw usage("A tag has letters, digits, dots, slashes and hyphens, at most 40.");
  const valid = parsed.flatMap(({ data }) => (data === undefined ? [] : [data]));
  await withGateway(env, async (link) => {
    const { plan } = await link.call("library.tag", { planId, [remove ? "remove" : "add"]: valid });
    output.document({ plan });
    output.lines([`Tags: ${sanitiseLine(plan.tags.join(", ")) || "none"}`]);
  });
}

export async function linkPlan(
  id: string,
  ref: string,
  { remove = false, output, env }: CommandContext & { remove?: boolean },
): Promise<void> {
  const planId = planIdOf(id);
  const parsed = PlanLink.safeParse(ref);
  if (!parsed.success) throw usage("A link is #12, owner/repo#12, KEY-12 or an address that begins with https://.");
  await withGateway(env, async (link) => {
    const { plan } = await link.call("library.link", { planId, link: parsed.data, remove });
    output.document({ plan });
    output.lines([`Links: ${sanitiseLine(plan.links.join(", ")) || "none"}`]);
  });
}

function planIdOf(id: string): PlanId {
  const parsed = PlanId.safeParse(id);
  if (parsed.success) return parsed.data;
  throw usage(`"${sanitiseLine(id)}" is no plan's id; it begins with pln_.`);
}

const usage = (message: string): CliError =>
  new CliError({ exit: "usage", message, advice: "Find plans with: holdpoint plans search", code: "USAGE" });
