export const texts = {
  plugin_sub_agents: "Subagentes",
  about_sub_agents: "Una sesión puede dar tareas a sesiones por debajo de ella, con los mismos controles.",
};
