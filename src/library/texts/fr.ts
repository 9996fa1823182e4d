export const texts = {
  plugin_library: "Bibliothèque de plans",
  about_library: "Conserve chaque plan soumis dans un fichier et permet de chercher parmi tous.",
  planFileLost_full:
    "Le disque est plein : ce plan n’a pas de copie sous forme de fichier. Le plan lui-même est enregistré et peut être décidé.",
  planFileLost_read_only:
    "Le dossier des plans n’est pas accessible en écriture : ce plan n’a pas de copie sous forme de fichier. Le plan lui-même est enregistré et peut être décidé.",
  planFileLost_refused:
    "Le dossier des plans mène ailleurs : ce plan n’a pas de copie sous forme de fichier. Le plan lui-même est enregistré et peut être décidé.",
  planFileLost_taken:
    "Tous les noms de fichier pour ce titre et ce jour sont pris : ce plan n’a pas de copie sous forme de fichier. Le plan lui-même est enregistré et peut être décidé.",
  planFileLost_unwritable:
    "Le disque a échoué : ce plan n’a pas de copie sous forme de fichier. Le plan lui-même est enregistré et peut être décidé.",
  unitLostTracked:
    "Git suit des fichiers dans .holdpoint/work, et ceux-ci ne sont jamais touchés : ce plan n’y a pas de copie. Il est exécuté quand même.",
  unitLost: "Ce plan n’a pas pu être copié dans .holdpoint/work ({because}). Il est exécuté quand même.",
  workUnitsHere: "Plans approuvés dans cet espace de travail",
};
