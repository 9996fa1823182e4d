export const attachments = {
  attach: "Anexar arquivos",
  attached: "Arquivos anexados",
  remove: "Remover {name}",
  tooMany: "Uma mensagem aceita no máximo {max} arquivos.",
  tooLarge: "“{name}” é grande demais. Os arquivos de uma mensagem podem somar até {max} KiB.",
  textTooLong: "“{name}” é longo demais: uma mensagem aceita no máximo {max} caracteres de texto.",
  unreadable: "“{name}” não é imagem nem arquivo de texto.",
  size: "{size} KiB",
  image: "Imagem {name}",
  larger: "Ampliar {name}",
  loading: "Lendo {name}…",
  missing: "Não foi possível ler {name}.",
} as const;
