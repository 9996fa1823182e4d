export const texts = {
  plugin_code_mode: "Modo código",
  about_code_mode: "O agente chama suas ferramentas a partir de pequenos programas executados em isolamento.",
  codeModeCells:
    "Modo código: nesta execução o modelo vê exec e wait (cerca de {cost} tokens) em vez de {tools} ferramentas (cerca de {direct} tokens).",
  codeModeDirect:
    "Modo código: nesta execução o modelo vê suas {tools} ferramentas (cerca de {direct} tokens); exec e wait custariam cerca de {cost}.",
  codeModeUnavailable:
    "O modo código está ligado, mas seu ambiente isolado não pode ser iniciado (runtime_unavailable). O modelo não foi consultado.",
};
