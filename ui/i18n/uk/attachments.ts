export const attachments = {
  attach: "Додати файли",
  attached: "Додані файли",
  remove: "Вилучити {name}",
  tooMany: "Найбільша кількість файлів в одному повідомленні: {max}.",
  tooLarge: "Файл «{name}» завеликий. Усі файли повідомлення разом можуть мати {max} КіБ.",
  textTooLong: "Файл «{name}» задовгий. Найбільша кількість символів тексту в одному повідомленні: {max}.",
  unreadable: "«{name}» — не зображення й не текстовий файл.",
  size: "{size} КіБ",
  image: "Зображення {name}",
  larger: "Збільшити {name}",
  loading: "Читання {name}…",
  missing: "Не вдалося прочитати {name}.",
} as const;
