export const texts = {
  plugin_library: "Pustaka rencana",
  about_library: "Menyimpan setiap rencana yang diajukan sebagai berkas dan membuat semuanya dapat dicari.",
  planFileLost_full:
    "Disk penuh: rencana ini tidak punya salinan berkas. Rencananya sendiri tersimpan dan dapat diputuskan.",
  planFileLost_read_only:
    "Folder rencana tidak dapat ditulisi: rencana ini tidak punya salinan berkas. Rencananya sendiri tersimpan dan dapat diputuskan.",
  planFileLost_refused:
    "Folder rencana mengarah ke tempat lain: rencana ini tidak punya salinan berkas. Rencananya sendiri tersimpan dan dapat diputuskan.",
  planFileLost_taken:
    "Semua nama berkas untuk judul dan hari ini sudah terpakai: rencana ini tidak punya salinan berkas. Rencananya sendiri tersimpan dan dapat diputuskan.",
  planFileLost_unwritable:
    "Disk gagal: rencana ini tidak punya salinan berkas. Rencananya sendiri tersimpan dan dapat diputuskan.",
};
