/** What runs that nobody attends may do (GA-14). */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";

/** Under this name the core finds them among the settings of a session. */
export const AUTOMATION_SETTINGS = "automation";

export const AutomationSettings = lazySchema(() =>
  z.strictObject({
    unattended: z
      .enum(["held", "open"])
      .default("held")
      .describe(
        "What a run may do that no person started (scheduled jobs, heartbeats, nudges outside an approved plan). held: only read; open: change things as if a person were there.",
      ),
  }),
);
export type AutomationSettings = z.infer<typeof AutomationSettings>;

/** Settings that nobody gave, or that cannot be read, are the cautious ones. */
export function automationSettings(settings: Readonly<Record<string, unknown>>): AutomationSettings {
  const parsed = AutomationSettings.safeParse(settings[AUTOMATION_SETTINGS] ?? {});
  return parsed.success ? parsed.data : AutomationSettings.parse({});
}
