export const texts = {
  command_commands: "Die Namen aller Befehle.",
  command_help: "Was Sie sagen können, oder wie ein Befehl benutzt wird.",
  command_status: "Wie es um diese Sitzung steht.",
  usage_help: "/help [Befehl] — was Sie sagen können, oder wie ein Befehl benutzt wird",
  sayHelp: "/help zeigt die Liste. Eine Nachricht kann nicht mit einem Schrägstrich beginnen.",
  sessionStands: "{name} · Agent {agent} · {kind}, {surface}",
  thisSession: "Diese Sitzung",
  agentIdle: {
    one: "Der Agent ruht, nach {count} Zug.",
    other: "Der Agent ruht, nach {count} Zügen.",
  },
  agentRequested: {
    one: "Der Agent beginnt gleich einen Zug, nach {count} Zug.",
    other: "Der Agent beginnt gleich einen Zug, nach {count} Zügen.",
  },
  agentRunning: {
    one: "Der Agent arbeitet, nach {count} Zug.",
    other: "Der Agent arbeitet, nach {count} Zügen.",
  },
  messagesWait: {
    one: "{count} Nachricht wartet auf ihn.",
    other: "{count} Nachrichten warten auf ihn.",
  },
  spent: "Bisher verbraucht: {usd} US-Dollar.",
  forThePlan: "Zum Plan: /plan status",
  plugin_house_commands: "Befehle des Hauses",
  about_house_commands: "Hilfe und Stand, auf jeder Oberfläche.",
};
