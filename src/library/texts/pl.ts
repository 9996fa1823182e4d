export const texts = {
  plugin_library: "Biblioteka planów",
  about_library: "Przechowuje każdy złożony plan jako plik i pozwala przeszukiwać wszystkie.",
  planFileLost_full: "Dysk jest pełny: ten plan nie ma kopii w pliku. Sam plan jest zapisany i można o nim zdecydować.",
  planFileLost_read_only:
    "W folderze planów nie można pisać: ten plan nie ma kopii w pliku. Sam plan jest zapisany i można o nim zdecydować.",
  planFileLost_refused:
    "Folder planów prowadzi gdzie indziej: ten plan nie ma kopii w pliku. Sam plan jest zapisany i można o nim zdecydować.",
  planFileLost_taken:
    "Wszystkie nazwy plików dla tego tytułu i dnia są zajęte: ten plan nie ma kopii w pliku. Sam plan jest zapisany i można o nim zdecydować.",
  planFileLost_unwritable:
    "Dysk zawiódł: ten plan nie ma kopii w pliku. Sam plan jest zapisany i można o nim zdecydować.",
  unitLostTracked:
    "Git śledzi pliki w .holdpoint/work, a takich nigdy się nie rusza: ten plan nie ma tam odbicia. Mimo to jest wykonywany.",
  unitLost: "Tego planu nie udało się odbić w .holdpoint/work ({because}). Mimo to jest wykonywany.",
  workUnitsHere: "Zatwierdzone plany w tym obszarze roboczym",
};
