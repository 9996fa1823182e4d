/** Decides whether the agent sees the tools of plan mode. */
import { z } from "zod";
import type { Session } from "../../protocol/session.ts";
import { PlanModeSettings } from "../protocol/settings.ts";
import { SessionMode } from "../protocol/state.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";

const Mode = z.object({ now: z.object({ mode: SessionMode }) });

type Settings = Readonly<Record<string, unknown>>;

/** Where plan mode is off, the agent does not see its tools; settings that cannot be read count as off. */
export function planEntryOffered(_session: unknown, settings: Settings): boolean {
  const known = offeredBy.get(settings);
  if (known !== undefined) return known;
  const parsed = PlanModeSettings.safeParse(settings[PLAN_MODE_SLICE]);
  const isOffered = parsed.success && parsed.data.enabled;
  offeredBy.set(settings, isOffered);
  return isOffered;
}

/** Settings are the same object until they change, and each of the tools is asked about in every request. */
const offeredBy = new WeakMap<Settings, boolean>();

/** A cycle that has begun keeps the tools that it needs until it ends. */
export const planToolsOffered = (session: Pick<Session, "slices">, settings: Settings): boolean =>
  planEntryOffered(session, settings) || isInCycle(session);

function isInCycle({ slices }: Pick<Session, "slices">): boolean {
  const stored = Mode.safeParse(slices[PLAN_MODE_SLICE]);
  return stored.success && stored.data.now.mode !== "normal";
}
