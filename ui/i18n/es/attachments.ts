export const attachments = {
  attach: "Adjuntar archivos",
  attached: "Archivos adjuntos",
  remove: "Quitar {name}",
  tooMany: "Un mensaje admite como máximo {max} archivos.",
  tooLarge: "«{name}» es demasiado grande. Los archivos de un mensaje pueden sumar hasta {max} KiB.",
  textTooLong: "«{name}» es demasiado largo: un mensaje admite como máximo {max} caracteres de texto.",
  unreadable: "«{name}» no es ni una imagen ni un archivo de texto.",
  size: "{size} KiB",
  image: "Imagen {name}",
  larger: "Ampliar {name}",
  loading: "Leyendo {name}…",
  missing: "No se pudo leer {name}.",
} as const;
