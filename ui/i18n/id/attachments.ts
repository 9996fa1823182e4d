export const attachments = {
  attach: "Lampirkan file",
  attached: "File terlampir",
  remove: "Hapus {name}",
  tooMany: "Satu pesan memuat paling banyak {max} file.",
  tooLarge: "“{name}” terlalu besar. Semua file dalam satu pesan paling besar {max} KiB.",
  textTooLong: "“{name}” terlalu panjang: satu pesan memuat paling banyak {max} karakter teks.",
  unreadable: "“{name}” bukan gambar dan bukan file teks.",
  size: "{size} KiB",
  image: "Gambar {name}",
  larger: "Perbesar {name}",
  loading: "Membaca {name}…",
  missing: "{name} tidak dapat dibaca.",
} as const;
