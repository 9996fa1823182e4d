export const attachments = {
  attach: "Dosya ekle",
  attached: "Eklenen dosyalar",
  remove: "Kaldır: {name}",
  tooMany: "Bir mesaja en fazla {max} dosya eklenebilir.",
  tooLarge: "“{name}” çok büyük. Bir mesajdaki tüm dosyalar toplam {max} KiB olabilir.",
  textTooLong: "“{name}” çok uzun: bir mesajla en fazla {max} karakter metin gönderilebilir.",
  unreadable: "“{name}” ne görüntü ne de metin dosyası.",
  size: "{size} KiB",
  image: "Görüntü: {name}",
  larger: "Büyük göster: {name}",
  loading: "{name} okunuyor…",
  missing: "{name} okunamadı.",
} as const;
