export const texts = {
  command_commands: "Les noms de toutes les commandes.",
  command_help: "Ce que vous pouvez dire, ou comment utiliser une commande.",
  command_status: "Où en est cette session.",
  usage_help: "/help [commande] — ce que vous pouvez dire, ou comment utiliser une commande",
  sayHelp: "Dites /help pour la liste. Un message ne peut pas commencer par une barre oblique.",
  sessionStands: "{name} · agent {agent} · {kind}, {surface}",
  thisSession: "Cette session",
  agentIdle: {
    one: "L’agent est au repos, après {count} tour.",
    many: "L’agent est au repos, après {count} de tours.",
    other: "L’agent est au repos, après {count} tours.",
  },
  agentRequested: {
    one: "L’agent va commencer un tour, après {count} tour.",
    many: "L’agent va commencer un tour, après {count} de tours.",
    other: "L’agent va commencer un tour, après {count} tours.",
  },
  agentRunning: {
    one: "L’agent travaille, après {count} tour.",
    many: "L’agent travaille, après {count} de tours.",
    other: "L’agent travaille, après {count} tours.",
  },
  messagesWait: {
    one: "{count} message l’attend.",
    many: "{count} de messages l’attendent.",
    other: "{count} messages l’attendent.",
  },
  spent: "Dépensé jusqu’ici : {usd} dollars américains.",
  forThePlan: "Pour le plan : /plan status",
  plugin_house_commands: "Commandes intégrées",
  about_house_commands: "Aide et état, sur toutes les surfaces.",
};
