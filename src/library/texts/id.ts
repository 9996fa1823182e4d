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
  unitLostTracked:
    "Git melacak berkas di .holdpoint/work, dan itu tidak pernah disentuh: rencana ini tidak punya cermin di sana. Rencana tetap dijalankan.",
  unitLost: "Rencana ini tidak dapat dicerminkan ke .holdpoint/work ({because}). Rencana tetap dijalankan.",
  workUnitsHere: "Rencana yang disetujui di ruang kerja ini",
};
