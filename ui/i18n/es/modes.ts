export const modes = {
  sure_auto: "¿Aceptar planes sin leerlos?",
  sureText_auto:
    "Una regla aceptará al instante todos los planes de esta sesión, sin que intervenga nadie. Quedará en el registro. Puedes desactivarlo en cualquier momento.",
  sureYes_auto: "Activar Planificar ⚡",
  sure_bypass: "¿Dejar que todo se ejecute sin preguntar?",
  sureText_bypass:
    "En esta sesión ya no se preguntará por ningún cambio, ni siquiera por los destructivos. El modo plan sigue vigente. Puedes desactivarlo en cualquier momento.",
  sureYes_bypass: "Activar Sin preguntar",
  sure_leave: "¿Salir del modo plan con un plan pendiente?",
  sureText_leave: "El plan que espera una firma se retirará. Después, el agente podrá hacer cambios sin un plan.",
  sureYes_leave: "Salir del modo plan",
  sure_replan: "¿Dejar de ejecutar el plan?",
  sureText_replan:
    "El plan aprobado termina aquí y lo que queda no se hará. Nada cambia hasta que se firme un plan nuevo.",
  sureYes_replan: "Volver a planificar",
  hint_default: "Lo destructivo se pregunta antes.",
  hint_ask: "Cada cambio se pregunta antes.",
  hint_accept: "Los archivos se editan; los demás cambios se preguntan antes.",
  hint_plan: "Nada cambia hasta que se firme un plan.",
  hint_auto: "Una regla acepta los planes.",
  hint_bypass: "No se pregunta nada.",
} as const;
