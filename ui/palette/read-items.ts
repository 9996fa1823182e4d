/** Gathers what the palette can find. What the page knows already needs no request. */
import type { App } from "../app/app.ts";
import { startSession } from "../app/session/session-actions.ts";
import { titleOf } from "../app/session/session-title.ts";
import { Composer } from "../chat/composer.ts";
import { drafts } from "../chat/drafts.ts";
import { sayDate } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import type { PlainKey } from "../i18n/text-types.ts";
import type { IconName } from "../parts/icon.ts";
import { SETTINGS } from "../settings/config/settings-of.ts";
import type { SessionSummary } from "../../src/protocol/methods.ts";
import { visibly } from "../text/visibly.ts";
import { goToWaiting } from "./next-waiting.ts";
import { commandItems, newestOfEach, type PaletteItem, planItem, sessionItem } from "./palette-items.ts";

const FOUND_MAX = 20;
const PLANS_MAX = 50;

const PLACES = [
  { name: "inbox", text: "app.inbox", icon: "inbox" },
  { name: "audit", text: "app.audit", icon: "record" },
  { name: "charts", text: "app.charts", icon: "record" },
  { name: "settings", text: "app.settings", icon: "settings" },
] as const;

const item = (text: PlainKey, icon: IconName, run: () => void): PaletteItem => ({
  group: "places",
  id: text,
  label: t(text),
  hint: "",
  icon,
  run,
});

export function placeItems(app: App): PaletteItem[] {
  return [
    item("app.newSession", "add", () => void startSession(app)),
    item("palette.nextWaiting", "waiting", () => goToWaiting(app)),
    ...PLACES.map(({ name, text, icon }) => item(text, icon, () => app.router.go(name, {}))),
  ];
}

export function settingItems(app: App): PaletteItem[] {
  return SETTINGS.map(({ path, label }) => ({
    group: "settings",
    id: path,
    label: t(label),
    hint: path,
    icon: "settings",
    run: () => app.router.open(`/settings?at=${encodeURIComponent(path)}`),
  }));
}

/** The sessions that fit, archived ones left out; the gateway knows more of them than the page does. */
export async function sessionItems(app: App, search: string): Promise<PaletteItem[]> {
  const known = app.state.sessions.get().sessions;
  const asked = search === "" ? [] : (await app.call("sessions.list", { search, limit: FOUND_MAX })).sessions;
  const all = new Map<string, SessionSummary>([...asked, ...known].map((session) => [session.id, session]));
  const go = (sessionId: string): void => app.router.go("session", { sessionId });
  return [...all.values()].map((session) => sessionItem(session, titleOf(session), go));
}

export async function planItems(app: App): Promise<PaletteItem[]> {
  const { plans } = await app.call("plans.list", { limit: PLANS_MAX });
  const go = (sessionId: string): void => app.router.go("plan", { sessionId });
  return newestOfEach(plans).map((plan) => {
    const shown = planItem(plan, sayDate(plan.submittedAtMs), go);
    return { ...shown, label: visibly(shown.label) };
  });
}

/** The field for messages, if it is shown now; one that comes later reads its draft by itself. */
function composerIn(root: ParentNode): { readDraft(): void } | undefined {
  for (const element of root.querySelectorAll("*")) {
    if (element instanceof Composer) return element;
    const below = element.shadowRoot === null ? undefined : composerIn(element.shadowRoot);
    if (below !== undefined) return below;
  }
  return undefined;
}

/** A command is put into the message of the open session, where a person completes and sends it. */
export async function commandsOf(app: App): Promise<PaletteItem[]> {
  const open = app.state.open.get();
  if (open.status !== "ready") return [];
  const { commands } = await app.call("commands.list", {});
  const use = (line: string): void => {
    drafts.write(open.id, `${line}${drafts.read(open.id)}`); // what was typed is never lost
    app.router.go("session", { sessionId: open.id });
    composerIn(document)?.readDraft();
  };
  return commands.flatMap((command) => commandItems(command, use));
}
