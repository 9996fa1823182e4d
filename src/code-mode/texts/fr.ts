export const texts = {
  plugin_code_mode: "Mode code",
  about_code_mode: "L’agent appelle ses outils depuis de petits programmes exécutés isolément.",
  codeModeCells:
    "Mode code : dans cette exécution le modèle voit exec et wait (environ {cost} jetons) au lieu de {tools} outils (environ {direct} jetons).",
  codeModeDirect:
    "Mode code : dans cette exécution le modèle voit ses {tools} outils (environ {direct} jetons) ; exec et wait coûteraient environ {cost}.",
  codeModeUnavailable:
    "Le mode code est activé, mais son bac à sable ne démarre pas (runtime_unavailable). Le modèle n’a pas été interrogé.",
};
