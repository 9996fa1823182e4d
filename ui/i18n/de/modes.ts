export const modes = {
  sure_auto: "Pläne annehmen, ohne sie zu lesen?",
  sureText_auto:
    "Jeder Plan dieser Sitzung wird dann sofort von einer Regel angenommen, ohne einen Menschen. Das Protokoll hält es fest. Sie können es jederzeit abschalten.",
  sureYes_auto: "Planen ⚡ einschalten",
  sure_bypass: "Alles ohne Fragen laufen lassen?",
  sureText_bypass:
    "In dieser Sitzung fragt dann keine Änderung mehr, auch keine zerstörende. Der Planmodus gilt weiterhin. Sie können es jederzeit abschalten.",
  sureYes_bypass: "Ohne Fragen einschalten",
  sure_leave: "Den Planmodus verlassen, obwohl ein Plan wartet?",
  sureText_leave:
    "Der Plan, der auf eine Unterschrift wartet, wird zurückgezogen. Der Agent kann dann ohne Plan Dinge ändern.",
  sureYes_leave: "Planmodus verlassen",
  sure_replan: "Die Ausführung des Plans beenden?",
  sureText_replan:
    "Der genehmigte Plan endet hier; was von ihm noch übrig ist, wird nicht getan. Nichts ändert sich, bevor ein neuer Plan unterschrieben ist.",
  sureYes_replan: "Zurück zum Planen",
  hint_default: "Was zerstört, fragt vorher.",
  hint_ask: "Jede Änderung fragt vorher.",
  hint_accept: "Dateien werden geändert, anderes fragt vorher.",
  hint_plan: "Nichts ändert sich, bevor ein Plan unterschrieben ist.",
  hint_auto: "Pläne werden von einer Regel angenommen.",
  hint_bypass: "Nichts fragt mehr.",
} as const;
