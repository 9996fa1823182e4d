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
  jobEndedWithPlan:
    "Tugas terjadwal “{name}” berakhir bersama rencananya: rencana yang ditandatangani tidak menyebutnya.",
  jobStopped:
    "Tugas terjadwal “{name}” dihentikan: akses operator penanggung jawabnya dicabut. Operator lain dapat mengambil alih: holdpoint cron enable {id}",
  standingSigned: "Sebuah rencana berlaku untuk tugas terjadwal “{name}” (jalan: {runs}, sampai {untilAtMs}).",
  standing_withdrawn: "Rencana tetap tugas terjadwal “{name}” ditarik kembali.",
  standing_job_changed: "Rencana tetap tugas terjadwal “{name}” tidak berlaku lagi: tugasnya berubah.",
  standing_job_removed: "Rencana tetap tugas terjadwal “{name}” berakhir bersama tugasnya.",
  standing_used_up: "Rencana tetap tugas terjadwal “{name}” habis terpakai. Tugas itu kembali hanya membaca.",
  standing_expired: "Rencana tetap tugas terjadwal “{name}” kedaluwarsa. Tugas itu kembali hanya membaca.",
  standing_revoked:
    "Rencana tetap tugas terjadwal “{name}” tidak berlaku lagi: akses operator yang menandatanganinya dicabut.",
  standing_replaced: "Rencana lain menggantikan rencana tetap tugas terjadwal “{name}”.",
  fact_standingSigned: "Rencana tetap berlaku",
  fact_standingEnded: "Rencana tetap berakhir",
};
