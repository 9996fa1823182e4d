export const attachments = {
  attach: "Joindre des fichiers",
  attached: "Fichiers joints",
  remove: "Retirer {name}",
  tooMany: "Un message accepte au plus {max} fichiers.",
  tooLarge: "« {name} » est trop volumineux. Les fichiers d’un message peuvent totaliser {max} Kio.",
  textTooLong: "« {name} » est trop long : un message accepte au plus {max} caractères de texte.",
  unreadable: "« {name} » n’est ni une image ni un fichier texte.",
  size: "{size} Kio",
  image: "Image : {name}",
  larger: "Agrandir {name}",
  loading: "Lecture de {name}…",
  missing: "Impossible de lire {name}.",
} as const;
