export const attachments = {
  attach: "Załącz pliki",
  attached: "Załączone pliki",
  remove: "Usuń {name}",
  tooMany: "Limit plików w jednej wiadomości: {max}.",
  tooLarge: "Plik „{name}” jest za duży. Wszystkie pliki w wiadomości mogą mieć łącznie {max} KiB.",
  textTooLong: "Plik „{name}” jest za długi. Limit znaków tekstu w jednej wiadomości: {max}.",
  unreadable: "„{name}” nie jest ani obrazem, ani plikiem tekstowym.",
  size: "{size} KiB",
  image: "Obraz {name}",
  larger: "Powiększ {name}",
  loading: "Odczytywanie: {name}…",
  missing: "Nie udało się odczytać {name}.",
} as const;
