export const texts = {
  plugin_sub_agents: "Subagen",
  about_sub_agents: "Sesi dapat memberi tugas kepada sesi di bawahnya, dengan pembatasan yang sama.",
  fact_childSpawned: "Subagen dimulai",
  fact_childEnded: "Subagen berakhir: {outcome}",
  fact_childStopping: "Subagen sedang dihentikan",
};
