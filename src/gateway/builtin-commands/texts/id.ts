export const texts = {
  command_commands: "Nama semua perintah.",
  command_help: "Apa yang dapat Anda katakan, atau cara memakai satu perintah.",
  command_status: "Keadaan sesi ini.",
  usage_help: "/help [perintah] — apa yang dapat Anda katakan, atau cara memakai satu perintah",
  sayHelp: "Katakan /help untuk daftarnya. Pesan tidak boleh diawali garis miring.",
  sessionStands: "{name} · agen {agent} · {kind}, {surface}",
  thisSession: "Sesi ini",
  agentIdle: {
    other: "Agen diam, setelah {count} giliran.",
  },
  agentRequested: {
    other: "Agen akan memulai giliran, setelah {count} giliran.",
  },
  agentRunning: {
    other: "Agen sedang bekerja, setelah {count} giliran.",
  },
  messagesWait: {
    other: "{count} pesan menunggunya.",
  },
  spent: "Terpakai sejauh ini: {usd} dolar AS.",
  forThePlan: "Tentang rencana: /plan status",
  plugin_house_commands: "Perintah bawaan",
  about_house_commands: "Bantuan dan keadaan, di mana pun.",
};
