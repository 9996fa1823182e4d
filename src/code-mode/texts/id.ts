export const texts = {
  plugin_code_mode: "Mode kode",
  about_code_mode: "Agen memanggil alatnya dari program kecil yang berjalan terisolasi.",
  codeModeCells:
    "Mode kode: dalam proses ini model melihat exec dan wait (sekitar {cost} token), bukan {tools} alat (sekitar {direct} token).",
  codeModeDirect:
    "Mode kode: dalam proses ini model melihat {tools} alatnya sendiri (sekitar {direct} token); exec dan wait akan memakan sekitar {cost}.",
  codeModeUnavailable:
    "Mode kode aktif, tetapi sandbox-nya tidak dapat dijalankan (runtime_unavailable). Model tidak ditanya.",
};
