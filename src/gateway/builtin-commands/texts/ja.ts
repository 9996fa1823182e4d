export const texts = {
  command_commands: "すべてのコマンドの名前。",
  command_help: "使えるコマンド、またはコマンドの使い方。",
  command_status: "このセッションの状態。",
  usage_help: "/help [コマンド] — 使えるコマンド、またはコマンドの使い方",
  sayHelp: "一覧は /help で表示できます。メッセージをスラッシュで始めることはできません。",
  sessionStands: "{name} · エージェント {agent} · {kind}（{surface}）",
  thisSession: "このセッション",
  agentIdle: {
    other: "エージェントは待機中です（{count}ターン後）。",
  },
  agentRequested: {
    other: "エージェントはまもなくターンを始めます（{count}ターン後）。",
  },
  agentRunning: {
    other: "エージェントは作業中です（{count}ターン後）。",
  },
  messagesWait: {
    other: "{count}件のメッセージが待っています。",
  },
  spent: "これまでの費用：{usd} 米ドル。",
  forThePlan: "計画については：/plan status",
  plugin_house_commands: "標準コマンド",
  about_house_commands: "ヘルプと状態。どの画面でも使えます。",
};
