/** What the built-in commands say, by key. Keys stand in what is stored: add, never rename. */
export const ENGLISH = {
  // commands
  command_commands: "The names of all commands.",
  command_help: "What you can say, or how one command is used.",
  command_status: "How this session stands.",
  usage_help: "/help [command] — what you can say, or how one command is used",
  sayHelp: "Say /help for the list. A message cannot begin with a slash.",

  // how a session stands
  sessionStands: "{name} · agent {agent} · {kind} from {surface}",
  thisSession: "This session",
  agentIdle: { one: "The agent is idle, after {count} turn.", other: "The agent is idle, after {count} turns." },
  agentRequested: {
    one: "The agent is about to begin a turn, after {count} turn.",
    other: "The agent is about to begin a turn, after {count} turns.",
  },
  agentRunning: {
    one: "The agent is working, after {count} turn.",
    other: "The agent is working, after {count} turns.",
  },
  messagesWait: { one: "{count} message waits for it.", other: "{count} messages wait for it." },
  spent: "Spent so far: {usd} US dollars.",
  forThePlan: "For the plan: /plan status",

  // plugins
  plugin_house_commands: "House commands",
  about_house_commands: "Help and status, on every surface.",
} as const;
