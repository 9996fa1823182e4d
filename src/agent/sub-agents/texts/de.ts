export const texts = {
  plugin_sub_agents: "Unteragenten",
  about_sub_agents: "Eine Sitzung kann Aufgaben an Sitzungen unter ihr geben; für die gelten dieselben Schranken.",
};
