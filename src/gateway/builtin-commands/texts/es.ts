export const texts = {
  command_commands: "Los nombres de todos los comandos.",
  command_help: "Qué puedes decir o cómo se usa un comando.",
  command_status: "Cómo está esta sesión.",
  usage_help: "/help [comando] — qué puedes decir o cómo se usa un comando",
  sayHelp: "Escribe /help para ver la lista. Un mensaje no puede empezar con una barra.",
  sessionStands: "{name} · agente {agent} · {kind}, {surface}",
  thisSession: "Esta sesión",
  agentIdle: {
    one: "El agente está inactivo, tras {count} turno.",
    many: "El agente está inactivo, tras {count} de turnos.",
    other: "El agente está inactivo, tras {count} turnos.",
  },
  agentRequested: {
    one: "El agente está a punto de empezar un turno, tras {count} turno.",
    many: "El agente está a punto de empezar un turno, tras {count} de turnos.",
    other: "El agente está a punto de empezar un turno, tras {count} turnos.",
  },
  agentRunning: {
    one: "El agente está trabajando, tras {count} turno.",
    many: "El agente está trabajando, tras {count} de turnos.",
    other: "El agente está trabajando, tras {count} turnos.",
  },
  messagesWait: {
    one: "{count} mensaje lo espera.",
    many: "{count} de mensajes lo esperan.",
    other: "{count} mensajes lo esperan.",
  },
  spent: "Gastado hasta ahora: {usd} dólares estadounidenses.",
  forThePlan: "Para el plan: /plan status",
  plugin_house_commands: "Comandos propios",
  about_house_commands: "Ayuda y estado, en todas partes.",
};
