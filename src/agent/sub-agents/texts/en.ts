/** What sub-agents say, by key. Keys stand in what is stored: add, never rename. */
export const ENGLISH = {
  // plugins
  plugin_sub_agents: "Sub-agents",
  about_sub_agents: "A session may hand tasks to sessions below it, which are gated as it is.",

  // facts of the audit chain
  fact_childSpawned: "Sub-agent started",
  fact_childEnded: "Sub-agent ended: {outcome}",
  fact_childStopping: "Sub-agent is being stopped",
} as const;
