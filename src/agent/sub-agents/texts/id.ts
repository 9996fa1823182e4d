export const texts = {
  plugin_sub_agents: "Subagen",
  about_sub_agents: "Sesi dapat memberi tugas kepada sesi di bawahnya, dengan pembatasan yang sama.",
};
