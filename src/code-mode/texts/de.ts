export const texts = {
  plugin_code_mode: "Code-Modus",
  about_code_mode: "Der Agent ruft seine Werkzeuge aus kleinen Programmen auf, die abgeschottet laufen.",
  codeModeCells:
    "Code-Modus: In diesem Lauf sieht das Modell exec und wait (etwa {cost} Token) statt {tools} Werkzeugen (etwa {direct} Token).",
  codeModeDirect:
    "Code-Modus: In diesem Lauf sieht das Modell seine {tools} Werkzeuge selbst (etwa {direct} Token); exec und wait würden etwa {cost} kosten.",
  codeModeUnavailable:
    "Der Code-Modus ist eingeschaltet, aber seine Sandbox lässt sich nicht starten (runtime_unavailable). Das Modell wurde nicht gefragt.",
};
