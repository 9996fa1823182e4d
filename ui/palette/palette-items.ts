/** What the palette can find: places, sessions, plans, commands and settings, and which of them fit what was typed. */
import type { CommandView, SessionSummary } from "../../src/protocol/methods.ts";
import type { PlanRevision } from "../../src/plan-mode/protocol/plan.ts";
import type { IconName } from "../parts/icon.ts";

export const GROUPS = ["places", "sessions", "plans", "commands", "settings"] as const;
export type GroupName = (typeof GROUPS)[number];

export type PaletteItem = {
  group: GroupName;
  /** Of all items of its group. */
  id: string;
  label: string;
  hint: string;
  icon: IconName;
  run(): void;
};

/** Per group, so that no group pushes another out of the list. */
const SHOWN_MAX = 6;

/** Every word must be found; what begins with the first word comes first, then what has it nearest to its beginning. */
export function found(items: readonly PaletteItem[], typed: string): PaletteItem[] {
  const words = typed.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  const ranked = items.flatMap((item) => {
    const text = `${item.label} ${item.hint}`.toLocaleLowerCase();
    return words.every((word) => text.includes(word)) ? [{ item, at: text.indexOf(words[0] ?? "") }] : [];
  });
  const sorted = ranked.toSorted((a, b) => a.at - b.at).map(({ item }) => item);
  return GROUPS.flatMap((group) => sorted.filter((item) => item.group === group).slice(0, SHOWN_MAX));
}

type Go = (sessionId: string) => void;

export const sessionItem = (session: SessionSummary, title: string, go: Go): PaletteItem => ({
  group: "sessions",
  id: session.id,
  label: title,
  hint: session.waiting === null ? "" : session.waiting.title,
  icon: session.waiting === null ? "note" : "waiting",
  run: () => go(session.id),
});

export const planItem = (plan: PlanRevision, hint: string, go: Go): PaletteItem => ({
  group: "plans",
  id: plan.planId,
  label: plan.body.title,
  hint,
  icon: "plan",
  run: () => go(plan.sessionId),
});

/** A command and each of its subcommands that this person may run. */
export function commandItems({ name, description, allowed, subcommands }: CommandView, use: Go): PaletteItem[] {
  const all = [
    { line: `/${name}`, description, allowed },
    ...subcommands.map((sub) => ({ ...sub, line: `/${name} ${sub.name}` })),
  ];
  return all
    .filter((command) => command.allowed)
    .map(({ line, description: hint }) => ({
      group: "commands",
      id: line,
      label: line,
      hint,
      icon: "terminal",
      run: () => use(`${line} `),
    }));
}

/** One of several revisions of a plan is enough to find it: the newest. */
export function newestOfEach(plans: readonly PlanRevision[]): PlanRevision[] {
  const seen = new Set<string>();
  return plans.filter(({ cycleId }) => !seen.has(cycleId) && seen.add(cycleId) !== undefined);
}
