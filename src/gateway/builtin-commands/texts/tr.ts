export const texts = {
  command_commands: "Tüm komutların adları.",
  command_help: "Ne diyebileceğiniz ya da bir komutun nasıl kullanıldığı.",
  command_status: "Bu oturumun durumu.",
  usage_help: "/help [komut] — ne diyebileceğiniz ya da bir komutun nasıl kullanıldığı",
  sayHelp: "Liste için /help yazın. Bir ileti eğik çizgiyle başlayamaz.",
  sessionStands: "{name} · ajan {agent} · {kind}, {surface}",
  thisSession: "Bu oturum",
  agentIdle: {
    one: "Ajan boşta, {count} turdan sonra.",
    other: "Ajan boşta, {count} turdan sonra.",
  },
  agentRequested: {
    one: "Ajan bir tura başlamak üzere, {count} turdan sonra.",
    other: "Ajan bir tura başlamak üzere, {count} turdan sonra.",
  },
  agentRunning: {
    one: "Ajan çalışıyor, {count} turdan sonra.",
    other: "Ajan çalışıyor, {count} turdan sonra.",
  },
  messagesWait: {
    one: "{count} ileti onu bekliyor.",
    other: "{count} ileti onu bekliyor.",
  },
  spent: "Şimdiye kadar harcanan: {usd} ABD doları.",
  forThePlan: "Plan için: /plan status",
  plugin_house_commands: "Yerleşik komutlar",
  about_house_commands: "Yardım ve durum, her yerde.",
};
