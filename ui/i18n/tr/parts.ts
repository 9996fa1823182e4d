export const parts = {
  close: "Kapat",
  copy: "Kopyala",
  copied: "Kopyalandı",
  copyFailed: "Burada kopyalamaya izin yok",
  diagram: "Diyagram",
  source: "Kaynak",
  dismiss: "Gizle",
  timeIsUp: "süre doldu",
} as const;
