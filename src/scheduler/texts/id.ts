export const texts = {
  job_ok: "Tugas terjadwal “{name}” telah berakhir.",
  job_failed: "Tugas terjadwal “{name}” gagal.",
  job_timed_out: "Tugas terjadwal “{name}” terlalu lama dan dihentikan.",
  job_stopped: "Tugas terjadwal “{name}” dihentikan.",
  job_skipped: "Tugas terjadwal “{name}” dilewati.",
  jobFired: "Tugas terjadwal “{name}” meminta giliran.",
  jobPaused:
    "Tugas terjadwal “{name}” gagal {times} kali berturut-turut dan dijeda. Lihat riwayatnya, lalu: holdpoint cron enable {id}",
  plugin_scheduler: "Penjadwal",
  about_scheduler: "Giliran dan proses di kemudian waktu, sekali atau berulang.",
  fact_jobAdded: "Tugas dijadwalkan",
  fact_jobChanged: "Tugas terjadwal diubah",
  fact_jobRemoved: "Tugas terjadwal dihapus",
  fact_jobFired: "Tugas terjadwal dimulai",
  fact_runEnded: "Tugas terjadwal berakhir: {outcome}",
};
