export const texts = {
  plugin_library: "Biblioteca de planos",
  about_library: "Guarda cada plano enviado como arquivo e permite pesquisar todos.",
  planFileLost_full:
    "O disco está cheio: este plano não tem cópia em arquivo. O plano em si está guardado e pode ser decidido.",
  planFileLost_read_only:
    "A pasta de planos não permite escrita: este plano não tem cópia em arquivo. O plano em si está guardado e pode ser decidido.",
  planFileLost_refused:
    "A pasta de planos leva a outro lugar: este plano não tem cópia em arquivo. O plano em si está guardado e pode ser decidido.",
  planFileLost_taken:
    "Todos os nomes de arquivo para este título e dia estão em uso: este plano não tem cópia em arquivo. O plano em si está guardado e pode ser decidido.",
  planFileLost_unwritable:
    "O disco falhou: este plano não tem cópia em arquivo. O plano em si está guardado e pode ser decidido.",
  unitLostTracked:
    "O Git rastreia arquivos em .holdpoint/work, e esses nunca são tocados: este plano não tem cópia lá. Ele é executado mesmo assim.",
  unitLost: "Este plano não pôde ser copiado para .holdpoint/work ({because}). Ele é executado mesmo assim.",
  workUnitsHere: "Planos aprovados neste espaço de trabalho",
};
