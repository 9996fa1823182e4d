export const texts = {
  plugin_code_mode: "Modo código",
  about_code_mode: "El agente llama a sus herramientas desde pequeños programas que se ejecutan aislados.",
  codeModeCells:
    "Modo código: en esta ejecución el modelo ve exec y wait (unos {cost} tokens) en lugar de {tools} herramientas (unos {direct} tokens).",
  codeModeDirect:
    "Modo código: en esta ejecución el modelo ve sus {tools} herramientas (unos {direct} tokens); exec y wait costarían unos {cost}.",
  codeModeUnavailable:
    "El modo código está activado, pero su entorno aislado no se puede iniciar (runtime_unavailable). No se consultó al modelo.",
};
