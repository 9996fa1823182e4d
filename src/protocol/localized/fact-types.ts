/**
 * The facts that the gateway itself keeps in the audit chain, by their names; a plugin's stand in its folder
 * (`protocol/facts.ts`). Whatever shows the chain to people has words for each of them. Without a schema library: the page
 * reads this file too.
 */
export const FACT_TYPES = [
  "session.created",
  "session.archived",
  "session.reset",
  "session.deleted",
  "turn.taken-over",
  "turn.aborting",
  "call.claimed",
  "call.rewritten",
  "call.refused",
  "call.closed",
  "caller.opened",
  "caller.resumed",
  "caller.closed",
  "config.changed",
  "config.set",
  "config.unset",
  "device.created",
  "device.revoked",
  "token.created",
  "token.revoked",
  "backup.created",
  "plugin.installed",
  "plugin.enabled",
  "plugin.disabled",
  "plugin.trusted",
  "plugin.untrusted",
  "plugin.removed",
  "plugin.owns",
  "plugin.committed",
  "plugin.trouble",
  "plugin.muted",
  "plugin.failed",
] as const;
export type FactType = (typeof FACT_TYPES)[number];
