/** What an approval with edits does not cover (AE-02), as the agent reads it. */
export const ACCEPT_EDITS_LIMITS = [
  "what removes or empties files, data or history, or hides what it runs (rm, an emptied file, DROP, reset --hard, eval of decoded text)",
  "what stops or restarts the gateway, by whatever road",
  "what changes the configuration of the gateway or of an agent, its plugins or its plans",
] as const;
