export const texts = {
  plugin_code_mode: "Tryb kodu",
  about_code_mode: "Agent wywołuje swoje narzędzia z małych programów działających w izolacji.",
  codeModeCells:
    "Tryb kodu: w tym przebiegu model widzi exec i wait (około {cost} tokenów) zamiast narzędzi, których jest {tools} (około {direct} tokenów).",
  codeModeDirect:
    "Tryb kodu: w tym przebiegu model widzi swoje narzędzia, których jest {tools} (około {direct} tokenów); exec i wait kosztowałyby około {cost}.",
  codeModeUnavailable:
    "Tryb kodu jest włączony, ale jego piaskownicy nie można uruchomić (runtime_unavailable). Model nie został zapytany.",
};
