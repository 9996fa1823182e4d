/** Indonesian words of the scan. */
import type { Lexicon } from "../concept.ts";

export const id: Lexicon = {
  discard:
    "abaikan|mengabaikan|abaikanlah|lupakan|lupakanlah|buang|kesampingkan|hiraukan|acuhkan|batalkan|tinggalkan|hapus dari ingatan|jangan ikuti|jangan patuhi|jangan hiraukan|jangan pedulikan|berhenti mengikuti|berhenti mematuhi|tidak usah mengikuti|tak perlu mengikuti",
  void: "tidak berlaku lagi|tak berlaku lagi|sudah tidak berlaku|tidak lagi berlaku|dicabut|dibatalkan|kedaluwarsa|tidak diperlukan lagi|tidak lagi diperlukan|sudah tidak diperlukan|dihapuskan|tidak perlu lagi|gugur",
  earlier:
    "di awal|pada awalnya|yang diberikan|sebelumnya|terdahulu|sebelum ini|di atas|tadi|awal|semula|lama|yang ada|selama ini|yang diterima|yang telah diberikan",
  all: "semua|seluruh|segala|setiap|apa pun|apapun|semuanya|tanpa kecuali|tanpa terkecuali",
  your: "anda|kamu|mu|mereka berikan kepadamu|instruksimu|aturanmu",
  instruction: "instruksi|instruksimu|petunjuk|arahan|pedoman|perintah|prompt|panduan|instruksinya",
  rule: "aturan|aturanmu|peraturan|kebijakan|batasan|pembatasan|larangan|ketentuan|pelatihan",
  system:
    "prompt sistem|instruksi sistem|pesan sistem|perintah sistem|aturan keamanan|aturan sistem|aturan keselamatan|instruksi pengembang",
  told: "semua yang dikatakan|semua yang telah dikatakan|semua yang kamu ketahui|semua yang diberitahukan|apa yang dikatakan sebelumnya|semua di atas|segala yang dikatakan|semua hal sebelumnya",
  newSystem:
    "prompt sistem baru|instruksi sistem baru|instruksi barumu|instruksi baru anda|tugasmu yang sebenarnya|tugas anda yang sebenarnya|instruksi sebenarnya|misi barumu|tugas sebenarnya",
  newTask: "instruksi baru|tujuan baru|tugas baru|satu satunya tujuan|patuhi hanya|ikuti hanya|sebagai gantinya ikuti",
  supreme:
    "lebih tinggi dari pengguna|lebih tinggi daripada pengguna|lebih utama daripada|mengalahkan perintah|di atas pengguna|di atas operator|sekalipun pengguna|meskipun pengguna|apa pun kata pengguna|apapun kata pengguna|mengungguli",
  follow: "ikuti|patuhi|turuti|taati|laksanakan",
  become:
    "kamu adalah|anda adalah|bertindaklah|bertindak sebagai|berpura puralah|berpura pura|jadilah|berperan|berperanlah|masuk ke|aktifkan|beralih|kamu sekarang|anda sekarang|jawab sebagai|jawablah sebagai",
  free: "tanpa batasan|tanpa batas|tanpa aturan|tanpa filter|tanpa sensor|tanpa pembatasan|tanpa larangan|bebas dari semua|bebas dari segala|bebas dari aturan|mode pengembang|mode dewa|mode admin|mode pemeliharaan|tidak punya batasan|tidak terikat|semua diperbolehkan|serba boleh",
  unbound:
    "tidak lagi terikat|tak lagi terikat|bukan lagi asisten|tidak lagi dibatasi|tidak lagi tunduk|telah dibebaskan|sudah dibebaskan|tidak punya batasan lagi",
  reidentify:
    "kamu sekarang adalah|anda sekarang adalah|mulai sekarang kamu adalah|mulai sekarang anda adalah|nama barumu|identitas barumu|identitas baru anda|peran barumu|lupakan siapa dirimu",
  person:
    "pengguna|penggunanya|operator|operatornya|orang|manusia|pemilik|peninjau|siapa pun|siapapun|seseorang|tim|pengembang|admin|administrator|reviewer|pelanggan|penanggung jawab|atasan",
  work: "rencana|perubahan|permintaan|tindakan|semua|semuanya|langkah|tugas|operasi|pekerjaan|ini|perintah",
  already: "sudah|telah|otomatis|selalu|di muka|terlebih dahulu|lebih dulu|secara otomatis|permanen",
  approved: "disetujui|setujui|diizinkan|menyetujui|setuju|dikonfirmasi|mengizinkan|disahkan|diotorisasi|memberi izin",
  isApproved:
    "sudah disetujui|telah disetujui|sudah diizinkan|telah diizinkan|sudah menyetujui|telah menyetujui|sudah memberi izin|telah memberi izin|sudah memberikan izin|telah memberikan izin|sudah memberikan persetujuan|telah memberikan persetujuan|sudah setuju|telah setuju|disetujui sebelumnya|disetujui di muka|disetujui terlebih dahulu|disetujui otomatis|otomatis disetujui|selalu menyetujui|selalu setuju|selalu disetujui|dianggap disetujui|dianggap sudah disetujui|izin tetap|izin permanen|persetujuan permanen|persetujuan menyeluruh",
  approval: "persetujuan|izin|konfirmasi|restu|otorisasi|tanda tangan|peninjauan|ya",
  gate: "langkah persetujuan|mode rencana|gerbang persetujuan|gerbang|pemeriksaan keamanan|permintaan konfirmasi|mekanisme persetujuan|proses persetujuan|tahap persetujuan|dialog konfirmasi",
  assume:
    "anggap|anggaplah|asumsikan|berpura puralah|berpura pura|perlakukan|tafsirkan|artikan|bertindaklah seolah|bertindak seolah|seolah olah|seakan akan|seolah|pura pura",
  skip: "lewati|lewatkan|loncati|lompati|hindari|nonaktifkan|matikan|akali|langkahi|terobos|tiadakan|hilangkan",
  ask: "bertanya|tanya|tanyakan|menunggu|tunggu|meminta|minta|konfirmasi|persetujuan|izin|mengonfirmasi|berkonsultasi",
  skipAsk:
    "tanpa bertanya|tanpa menunggu|tanpa meminta|tanpa izin|tanpa persetujuan|tanpa konfirmasi|tanpa minta|jangan bertanya|jangan tanya|jangan menunggu|jangan tunggu|jangan meminta|jangan minta|tidak perlu bertanya|tidak perlu izin|tidak perlu persetujuan|tidak perlu meminta|tidak perlu menunggu|tidak perlu minta|tak perlu izin|tak perlu bertanya|tidak usah bertanya|tidak usah minta|tidak usah menunggu|tidak memerlukan persetujuan|tidak membutuhkan persetujuan",
  approve: "setujui|setujuilah|konfirmasikan|terima|sahkan|tandatangani|jawab ya|jawablah ya|izinkan|klik setuju",
  selfAct: "sendiri|atas nama|mewakili|menggantikan pengguna|untuk pengguna|secara otomatis|otomatis",
  autoApprove:
    "setujui semua|setujui segala|setujui apa pun|setujui sendiri|terima semua|izinkan semua|jawab ya untuk semua|setujui rencanamu sendiri|setujui rencana sendiri|beri dirimu izin",
  silence: "diam|diamnya|tidak ada jawaban|tidak adanya jawaban|tanpa jawaban|tidak menjawab",
  proceed: "lanjutkan|mulai|mulailah|jalankan|langsung|kerjakan|terapkan|teruskan|laksanakan",
  now: "sekarang|mulai sekarang|segera|langsung|seketika|saat ini juga|selanjutnya|sejak sekarang",
  danger:
    "hapus|jalankan|terbitkan|produksi|ubah|tulis|menulis|perubahan|perintah|rencana|timpa|transfer|tindakan|terapkan|kerjakan|pasang|deploy|eksekusi",
  safe: "tes|pengujian|uji|linter|format|membaca|baca|dokumentasi|salah ketik|pencarian|lokal|staging",
  tell: "beri tahu|beritahu|memberi tahu|memberitahu|katakan|mengatakan|sebutkan|menyebutkan|sebut|laporkan|melaporkan|ceritakan|menceritakan|informasikan|ungkapkan|tunjukkan|kabarkan|singgung",
  noTell:
    "jangan beri tahu|jangan beritahu|jangan katakan|jangan sebutkan|jangan sebut|jangan laporkan|jangan ceritakan|jangan informasikan|jangan ungkapkan bahwa|jangan singgung|jangan pernah sebutkan|jangan kabarkan|tanpa memberi tahu|tanpa memberitahu|tanpa mengatakan|tanpa menyebutkan|tanpa melaporkan|tidak perlu tahu|tak perlu tahu|tidak boleh tahu|tidak boleh mengetahui|jangan sampai tahu|jangan sampai ~ tahu|jangan sampai ~ mengetahui|jangan biarkan ~ tahu|diam saja",
  hide: "sembunyikan|menyembunyikan|rahasiakan|merahasiakan|tutupi|menutupi|samarkan|hilangkan|jaga rahasia|simpan ~ sebagai rahasia",
  covert:
    "diam diam|secara rahasia|secara diam|tanpa sepengetahuan|tanpa diketahui|tanpa ketahuan|di belakang pengguna|tanpa disadari|tanpa jejak|sembunyi sembunyi",
  self: "ini|itu|hal ini|tersebut|yang kamu lakukan|yang anda lakukan|bahwa kamu|bahwa anda|tindakanmu",
  record: "ringkasan|laporan|jawaban|log|catatan|riwayat|keluaran|pesan akhir|balasan",
  tracks:
    "hapus ~ jejak|hapus jejak|hilangkan jejak|hilangkan bukti|hapus bukti|hapus riwayat|hapus log|jangan tinggalkan jejak|tanpa meninggalkan jejak",
  send: "kirim|kirimkan|mengirim|unggah|unggahkan|teruskan|bocorkan|posting|bagikan|salin|salinkan|serahkan|sebarkan|kirimlah",
  grab: "baca|bacalah|kumpulkan|cari|salin|buka|ambil|ekstrak|temukan|himpun",
  secret:
    "rahasia|kata sandi|sandi|kredensial|kunci privat|kunci pribadi|kunci api|kunci ssh|variabel lingkungan|riwayat|percakapan|token|tokens|data pelanggan",
  out: "server eksternal|server luar|eksternal|pihak ketiga|alamat berikut|alamat ini|server|penyerang|alamat",
  include: "sertakan|tambahkan|tempelkan|sisipkan|masukkan|kodekan|tulis|lampirkan",
  publicPlace: "pesan commit|pull request|issue|komentar|url|tautan|gambar|publik|nama cabang",
  fetch: "unduh|ambil|buka|kunjungi|muat|baca|akses",
  run: "jalankan|eksekusi|pasang|ikuti|patuhi|laksanakan|turuti|lakukan",
  trigger:
    "sebelum setiap|sebelum memulai|sebelum mulai|sebelum melakukan|sebelum apa pun|di awal setiap|pada awal setiap|setiap kali|setiap sesi|pertama tama|setelah membaca|begitu kamu",
  blind: "tanpa memeriksa|tanpa membaca|tanpa meninjau|mentah mentah|apa pun isinya",
  decode: "dekode|dekodekan|uraikan sandi|pecahkan sandi|terjemahkan sandi",
  encoded: "disandikan|terenkripsi|dikodekan",
  authority:
    "pesan dari operator|pesan dari pengembang|pesan dari administrator|pesan sistem|saya operatormu|saya operator anda|saya administrator|saya pengembangmu|atas perintah|atas nama tim keamanan|ini adalah sistem|pemberitahuan sistem|penciptamu",
  address:
    "jika kamu adalah ai|jika anda adalah ai|jika kamu ai|jika anda ai|jika kamu model|jika anda model|jika kamu asisten|sebagai ai|untuk semua ai|kepada semua ai|untuk agen ai|kepada agen ai|perhatian ai|perhatian agen|perhatian asisten|perhatian untuk|catatan untuk ai|catatan untuk agen|catatan untuk asisten|wahai asisten|wahai ai|asisten yang terhormat|model bahasa|yang membaca berkas ini|yang membaca file ini|yang membaca ini|saat membaca",
  not: "tidak|jangan|tak|bukan|dilarang|tanpa|belum|tiada|terlarang|hindari|tolak|jangan pernah|larang|alih alih",
  without: "tanpa",
  noNeed: "tidak perlu|tak perlu|tidak usah|tidak wajib|tidak diperlukan",
  if: "jika|bila|kalau|apabila|ketika|saat|selama|apakah|seandainya",
  only: "hanya|cuma|sebatas",
  unless: "kecuali|sampai|hingga|selain",
  before: "sebelum",
  after: "setelah|sesudah|begitu|usai",
  report:
    "serangan|penyerang|berbahaya|jahat|injeksi|mencoba|upaya|contoh|misalnya|seperti misalnya|mencurigakan|deteksi|mendeteksi|ancaman|teks yang|pesan yang|meminta anda|menyuruh|phishing|menipu|mengaku|kerentanan|risiko|insiden|kesalahan|manipul*|pelajaran",
  outside:
    "di halaman|halaman web|dari halaman|di komentar|komentar|di dokumen|di surel|surel|eksternal|pihak ketiga|tertanam|alat|keluaran alat|data|linter|di windows|bagian ini|dependensi|lampiran|di isu|di dalam",
  protocol:
    "header|json|badan|brankas|vault|pengelola kata sandi|publik|rotasi|formulir|masuk|login|contoh|hash|tim keamanan",
};
