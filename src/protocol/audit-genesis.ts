/** What the first row of the audit chain follows. By itself, so that the writer's thread needs no schemas for it. */
export const AUDIT_GENESIS: string = "0".repeat(64);
