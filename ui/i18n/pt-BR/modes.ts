export const modes = {
  sure_auto: "Aceitar planos sem ler?",
  sureText_auto:
    "Uma regra aceitará na hora todos os planos desta sessão, sem a participação de uma pessoa. Isso ficará no registro. Você pode desativar quando quiser.",
  sureYes_auto: "Ativar Planejar ⚡",
  sure_bypass: "Deixar tudo ser executado sem perguntar?",
  sureText_bypass:
    "Nesta sessão, nenhuma mudança perguntará mais, nem mesmo as destrutivas. O modo de plano continua valendo. Você pode desativar quando quiser.",
  sureYes_bypass: "Ativar Sem perguntar",
  sure_leave: "Sair do modo de plano com um plano pendente?",
  sureText_leave:
    "O plano que aguarda uma assinatura será retirado. O agente poderá então fazer mudanças sem um plano.",
  sureYes_leave: "Sair do modo de plano",
  sure_replan: "Parar de executar o plano?",
  sureText_replan:
    "O plano aprovado termina aqui, e o que resta dele não será feito. Nada muda até um novo plano ser assinado.",
  sureYes_replan: "Voltar a planejar",
  hint_default: "O que é destrutivo pergunta antes.",
  hint_ask: "Cada mudança pergunta antes.",
  hint_accept: "Arquivos são editados; as outras mudanças perguntam antes.",
  hint_plan: "Nada muda até um plano ser assinado.",
  hint_auto: "Uma regra aceita os planos.",
  hint_bypass: "Nada pergunta.",
} as const;
