/** Which methods of bundled plugins the client may send again. Made by scripts/bundled-lists.ts from src/bundled.ts: do not edit, run npm run fix. */
export const BUNDLED_KEYED = {
  plan_mode_resolve: true,
  "cron.add": true,
  "cron.update": true,
  "cron.remove": true,
  "cron.run": true,
  "cron.withdraw": true,
  "changes.rollback": true,
  "changes.resume": true,
} as const;

export const BUNDLED_ONCE_ONLY = ["plans.share", "plans.seed"] as const;
