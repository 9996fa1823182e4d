/** What code mode says, by key. Keys stand in what is stored: add, never rename. */
export const ENGLISH = {
  plugin_code_mode: "Code mode",
  about_code_mode: "The agent calls its tools from small programs that run enclosed.",
  codeModeCells:
    "Code mode: in this run the model sees exec and wait (about {cost} tokens) instead of {tools} tools (about {direct} tokens).",
  codeModeDirect:
    "Code mode: in this run the model sees its {tools} tools (about {direct} tokens); exec and wait would take about {cost}.",
  codeModeUnavailable:
    "Code mode is on, but its sandbox cannot be started (runtime_unavailable). The model was not asked.",
} as const;
