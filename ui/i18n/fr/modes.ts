export const modes = {
  sure_auto: "Accepter les plans sans les lire ?",
  sureText_auto:
    "Une règle acceptera aussitôt chaque plan de cette session, sans l’intervention d’une personne. Le registre le mentionnera. Vous pouvez désactiver ce mode à tout moment.",
  sureYes_auto: "Activer Planifier ⚡",
  sure_bypass: "Tout laisser s’exécuter sans demander ?",
  sureText_bypass:
    "Dans cette session, plus aucun changement ne demandera, même destructeur. Le mode plan reste en vigueur. Vous pouvez désactiver ce mode à tout moment.",
  sureYes_bypass: "Activer Sans demander",
  sure_leave: "Quitter le mode plan alors qu’un plan attend ?",
  sureText_leave: "Le plan qui attend une signature sera retiré. L’agent pourra alors faire des changements sans plan.",
  sureYes_leave: "Quitter le mode plan",
  sure_replan: "Arrêter l’exécution du plan ?",
  sureText_replan:
    "Le plan approuvé s’arrête ici ; ce qu’il en reste ne sera pas fait. Rien ne change tant qu’un nouveau plan n’est pas signé.",
  sureYes_replan: "Revenir à la planification",
  hint_default: "Ce qui est destructeur demande d’abord.",
  hint_ask: "Chaque changement demande d’abord.",
  hint_accept: "Les fichiers sont modifiés, les autres changements demandent d’abord.",
  hint_plan: "Rien ne change tant qu’un plan n’est pas signé.",
  hint_auto: "Une règle accepte les plans.",
  hint_bypass: "Plus rien ne demande.",
} as const;
