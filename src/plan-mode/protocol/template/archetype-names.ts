/** The kinds of work by name, without a schema, so that pages can list them. Add, never rename. */
export const ARCHETYPES = ["bug-fix", "feature", "refactor", "migration", "incident", "research"] as const;
