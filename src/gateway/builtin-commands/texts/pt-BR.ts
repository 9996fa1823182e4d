export const texts = {
  command_commands: "Os nomes de todos os comandos.",
  command_help: "O que você pode dizer, ou como se usa um comando.",
  command_status: "Como está esta sessão.",
  usage_help: "/help [comando] — o que você pode dizer, ou como se usa um comando",
  sayHelp: "Diga /help para ver a lista. Uma mensagem não pode começar com barra.",
  sessionStands: "{name} · agente {agent} · {kind}, {surface}",
  thisSession: "Esta sessão",
  agentIdle: {
    one: "O agente está parado, após {count} turno.",
    many: "O agente está parado, após {count} de turnos.",
    other: "O agente está parado, após {count} turnos.",
  },
  agentRequested: {
    one: "O agente vai começar um turno, após {count} turno.",
    many: "O agente vai começar um turno, após {count} de turnos.",
    other: "O agente vai começar um turno, após {count} turnos.",
  },
  agentRunning: {
    one: "O agente está trabalhando, após {count} turno.",
    many: "O agente está trabalhando, após {count} de turnos.",
    other: "O agente está trabalhando, após {count} turnos.",
  },
  messagesWait: {
    one: "{count} mensagem espera por ele.",
    many: "{count} de mensagens esperam por ele.",
    other: "{count} mensagens esperam por ele.",
  },
  spent: "Gasto até agora: {usd} dólares americanos.",
  forThePlan: "Sobre o plano: /plan status",
  plugin_house_commands: "Comandos próprios",
  about_house_commands: "Ajuda e estado, em todo lugar.",
};
