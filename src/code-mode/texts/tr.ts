export const texts = {
  plugin_code_mode: "Kod modu",
  about_code_mode: "Ajan araçlarını yalıtılmış çalışan küçük programlardan çağırır.",
  codeModeCells:
    "Kod modu: bu çalışmada model {tools} araç (yaklaşık {direct} belirteç) yerine exec ve wait görür (yaklaşık {cost} belirteç).",
  codeModeDirect:
    "Kod modu: bu çalışmada model {tools} aracını doğrudan görür (yaklaşık {direct} belirteç); exec ve wait yaklaşık {cost} tutardı.",
  codeModeUnavailable: "Kod modu açık, ancak korumalı alanı başlatılamıyor (runtime_unavailable). Modele sorulmadı.",
};
