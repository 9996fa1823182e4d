export const parts = {
  close: "Tutup",
  dismiss: "Sembunyikan",
  timeIsUp: "waktu habis",
} as const;
