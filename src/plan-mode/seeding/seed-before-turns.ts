/** Begins the draft of a planning session with a skill's template, before its next turn is recorded. */
import { Json } from "../../protocol/json.ts";
import { type PluginApi, z } from "../../plugins/sdk.ts";
import { PLAN_MODE_SLICE } from "../machine/slice.ts";
import type { FindTemplates } from "./find-templates.ts";

const LOGGED_MAX = 10;
const SEED_MS_MAX = 5_000;

const Report = z.object({
  seeded: z.literal(true),
  skill: z.string(),
  report: z.object({
    rejected: z.array(z.string()),
    duplicates: z.array(z.string()),
    truncated: z.int(),
    maxSteps: z.int(),
  }),
});

export function seedBeforeTurns(api: Pick<PluginApi, "on" | "sessions" | "log">, templates: FindTemplates): void {
  api.on("agent_turn_prepare", ({ sessionKey }) => seedSession(sessionKey, api, templates), {
    timeoutMs: SEED_MS_MAX,
  });
}

async function seedSession(
  sessionKey: string,
  { sessions, log }: Pick<PluginApi, "sessions" | "log">,
  templates: FindTemplates,
): Promise<void> {
  const session = await sessions.read(sessionKey);
  if (session === undefined || !wantsSeed(session.slices[PLAN_MODE_SLICE])) return;
  const found = await templates(session);
  if (found.every(({ steps }) => steps.length === 0)) return;
  const outcome = await sessions.dispatch(sessionKey, { type: "seed", templates: Json.parse(found) });
  if (!outcome.ok) return log("warn", "skill_plan_template_refused", { sessionKey, why: outcome.refusal.message });
  logReport(sessionKey, outcome.reply, log);
}

/** Looked at first: a failed parse of the rest costs more than all else that a turn waits for here. */
const Phased = z.object({ now: z.object({ phase: z.string() }) });

/** Only what decides whether to look for skills: the command decides once more, on the whole state. */
const Unseeded = z.object({
  now: z.object({
    phase: z.literal("exploring"),
    steps: z.tuple([]),
    cycle: z.object({ seed: z.undefined().optional() }),
  }),
});

/** Most turns are of sessions that do not plan, and no skill is looked at for them. */
const wantsSeed = (stored: unknown): boolean =>
  Phased.safeParse(stored).data?.now.phase === "exploring" && Unseeded.safeParse(stored).success;

/** For people who keep skills; the agent is not told. */
function logReport(sessionKey: string, reply: unknown, log: PluginApi["log"]): void {
  const parsed = Report.safeParse(reply);
  if (!parsed.success) return;
  const { skill, report } = parsed.data;
  const { rejected, duplicates, truncated, maxSteps } = report;
  if (rejected.length > 0)
    log("warn", "skill_plan_template_collision", { sessionKey, skill, rejected: rejected.slice(0, LOGGED_MAX) });
  if (duplicates.length > 0)
    log("warn", "skill_plan_template_duplicates", { sessionKey, skill, dropped: duplicates.slice(0, LOGGED_MAX) });
  if (truncated > 0) log("warn", "skill_plan_template_truncated", { sessionKey, skill, truncated, maxSteps });
}
