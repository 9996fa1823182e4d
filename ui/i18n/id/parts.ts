export const parts = {
  close: "Tutup",
  copy: "Salin",
  copied: "Tersalin",
  copyFailed: "Menyalin tidak diizinkan di sini",
  diagram: "Diagram",
  source: "Sumber",
  dismiss: "Sembunyikan",
  timeIsUp: "waktu habis",
} as const;
