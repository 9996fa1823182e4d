export const modes = {
  sure_auto: "Terima rencana tanpa membacanya?",
  sureText_auto:
    "Setiap rencana dalam sesi ini akan langsung diterima oleh aturan, tanpa orang. Hal itu tercatat. Anda dapat mematikannya kapan saja.",
  sureYes_auto: "Nyalakan Rencana ⚡",
  sure_bypass: "Biarkan semuanya berjalan tanpa bertanya?",
  sureText_bypass:
    "Dalam sesi ini tidak ada perubahan yang bertanya lagi, termasuk yang merusak. Mode rencana tetap berlaku. Anda dapat mematikannya kapan saja.",
  sureYes_bypass: "Nyalakan Tanpa tanya",
  sure_leave: "Keluar dari mode rencana saat ada rencana yang menunggu?",
  sureText_leave: "Rencana yang menunggu tanda tangan akan ditarik. Agen lalu dapat membuat perubahan tanpa rencana.",
  sureYes_leave: "Keluar dari mode rencana",
  sure_replan: "Berhenti menjalankan rencana?",
  sureText_replan:
    "Rencana yang disetujui berakhir di sini; sisanya tidak dikerjakan. Tidak ada yang berubah sebelum rencana baru ditandatangani.",
  sureYes_replan: "Kembali merencanakan",
  hint_default: "Yang merusak bertanya dulu.",
  hint_ask: "Setiap perubahan bertanya dulu.",
  hint_accept: "File langsung diedit, perubahan lain bertanya dulu.",
  hint_plan: "Tidak ada yang berubah sebelum rencana ditandatangani.",
  hint_auto: "Rencana diterima oleh aturan.",
  hint_bypass: "Tidak ada yang bertanya.",
} as const;
