export const modes = {
  sure_auto: "Zatwierdzać plany bez czytania?",
  sureText_auto:
    "Każdy plan tej sesji będzie od razu zatwierdzany przez regułę, bez udziału człowieka. Zostanie to odnotowane w zapisie. Możesz to wyłączyć w każdej chwili.",
  sureYes_auto: "Włącz Planowanie ⚡",
  sure_bypass: "Wykonywać wszystko bez pytania?",
  sureText_bypass:
    "W tej sesji żadna zmiana nie będzie już wymagać zgody, nawet niszcząca. Tryb planowania nadal obowiązuje. Możesz to wyłączyć w każdej chwili.",
  sureYes_bypass: "Włącz tryb Bez pytania",
  sure_leave: "Wyjść z trybu planowania, choć plan czeka?",
  sureText_leave: "Plan czekający na podpis zostanie wycofany. Agent będzie mógł wprowadzać zmiany bez planu.",
  sureYes_leave: "Wyjdź z trybu planowania",
  sure_replan: "Przerwać wykonywanie planu?",
  sureText_replan:
    "Zatwierdzony plan kończy się tutaj; reszta nie zostanie wykonana. Nic się nie zmieni, dopóki nowy plan nie zostanie podpisany.",
  sureYes_replan: "Wróć do planowania",
  hint_default: "Działania niszczące wymagają zgody.",
  hint_ask: "Każda zmiana wymaga zgody.",
  hint_accept: "Edycje plików są wykonywane, inne zmiany wymagają zgody.",
  hint_plan: "Nic się nie zmieni, dopóki plan nie zostanie podpisany.",
  hint_auto: "Plany zatwierdza reguła.",
  hint_bypass: "Nic nie wymaga zgody.",
} as const;
