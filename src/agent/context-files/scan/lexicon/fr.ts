/** French words of the scan. */
import type { Lexicon } from "../concept.ts";

export const fr: Lexicon = {
  discard:
    "ignore|ignorez|ignorer|oublie|oubliez|oublier|néglige|négligez|abandonne|abandonnez|rejette|rejetez|annule|annulez|écarte|écartez|efface|effacez|fais abstraction|faites abstraction|faire abstraction|ne tiens pas compte|ne tenez pas compte|ne tiens plus compte|ne tenez plus compte|ne tenez aucun compte|ne tiens aucun compte|ne suis plus|ne suivez plus|ne suis pas|ne suivez pas|n'obéis plus|n'obéissez plus|laisse de côté|laissez de côté|laisse tomber|laissez tomber|mets de côté|mettez de côté|passe outre|passez outre|cesse de suivre|cessez de suivre|arrête de suivre|arrêtez de suivre|débarrasse toi|ne respecte plus|ne respectez plus",
  void: "ne s'appliquent plus|ne s'applique plus|ne sont plus valables|n'est plus valable|n'ont plus cours|ne sont plus en vigueur|n'est plus nécessaire|n'est plus requise|n'est plus requis|n'est plus obligatoire|caduques|caduque|caduc|annulées|annulée|révoquées|abrogées|levées|suspendues|obsolètes|a été supprimée|sans effet",
  earlier:
    "au départ|au début|données au|qu'on t'a donné*|qu'on vous a donné*|t'a donné*|vous a donné*|précédent*|antérieur*|préalables|ci dessus|d'origine|initial*|originel*|jusqu'ici|jusqu'à présent|reçues|existantes|auparavant|avant",
  all: "tout|toute|toutes|tous|chaque|n'importe|quelconque|sans exception|l'ensemble",
  your: "tes|ton|ta|vos|votre",
  instruction:
    "instruction|instructions|consigne|consignes|directive|directives|prompt|prompts|recommandations|garde fous|garde fou",
  rule: "règle|règles|ordre|ordres|restriction|restrictions|limites|politique|politiques|contraintes|limitations|règles de sécurité|entraînement",
  system:
    "prompt système|invite système|message système|instructions système|règles de sécurité|consignes de sécurité|consignes système|instructions du développeur",
  told: "tout ce qu'on t'a dit|tout ce que l'on t'a dit|tout ce qu'on vous a dit|tout ce qui précède|tout ce que tu sais|ce qu'on t'a dit|tout ce qui a été dit|tout ce qui a été écrit",
  newSystem:
    "nouveau prompt système|nouvelles instructions système|tes nouvelles instructions|vos nouvelles instructions|tes vraies instructions|vos vraies instructions|ta vraie mission|ta véritable mission|ta nouvelle mission|votre nouvelle mission|votre véritable tâche|ta véritable tâche",
  newTask:
    "nouvelles instructions|nouvelle consigne|nouvel objectif|ton seul but|votre seul but|ton unique objectif|n'obéis qu'à|n'obéissez qu'à|suis plutôt|suivez plutôt",
  supreme:
    "priment sur|prime sur|l'emportent sur|l'emporte sur|au dessus de l'utilisateur|au dessus de l'opérateur|priorité sur l'utilisateur|priorité sur l'opérateur|priorité sur tes|priorité sur vos|même si l'utilisateur|quoi que dise|peu importe ce que",
  follow: "suis|suivez|obéis|obéissez|respecte|respectez|exécute",
  become:
    "tu es|vous êtes|agis|agissez|comporte toi|comportez vous|fais semblant|faites semblant|deviens|devenez|joue le rôle|jouez le rôle|incarne|passe en|passez en|active|activez|entre en|réponds comme|répondez comme|simule",
  free: "sans restriction*|sans limite*|sans filtre*|sans règle*|sans censure|sans aucune restriction|sans aucune limite|sans aucun filtre|libre de toute|libéré de toute|affranchi de|mode développeur|mode dieu|mode administrateur|mode maintenance|tout est permis|aucune restriction|aucune limite|aucune règle|aucun filtre",
  unbound:
    "n'es plus tenu|n'êtes plus tenu|n'es plus lié|n'êtes plus lié|n'es plus soumis|n'êtes plus soumis|n'es plus un assistant|n'êtes plus un assistant|n'as plus de limites|n'as plus aucune|n'avez plus aucune|as été libéré|avez été libéré|es désormais libre|êtes désormais libre",
  reidentify:
    "tu es maintenant|tu es désormais|vous êtes maintenant|vous êtes désormais|à partir de maintenant tu es|à partir de maintenant vous êtes|ton nouveau nom|ta nouvelle identité|ton nouveau rôle|oublie qui tu es|oubliez qui vous êtes|ta véritable identité",
  person:
    "utilisateur|utilisateurs|utilisatrice|l'utilisateur|l'utilisatrice|opérateur|opérateurs|opératrice|l'opérateur|l'opératrice|d'utilisateur|humain|humains|l'humain|personne|personnes|propriétaire|relecteur|relecteurs|relectrice|quiconque|quelqu'un|client|développeur|équipe|l'équipe|l'administrateur|administrateur|responsable",
  work: "plan|plans|changement|changements|modification|modifications|demande|demandes|action|actions|tout|étape|étapes|tâche|tâches|opération|opérations|ceci|cela",
  already: "déjà|d'avance|à l'avance|préalablement|automatiquement|toujours|par défaut|au préalable",
  approved: "approuvé*|autorisé*|validé*|accepté*|accordé*|consenti|confirmé*|donné son accord",
  isApproved:
    "est déjà approuvé*|sont déjà approuvé*|est déjà validé*|sont déjà validé*|a déjà été approuvé*|ont déjà été approuvé*|a déjà été validé*|ont déjà été validé*|déjà approuvé|déjà validé|a déjà donné|a déjà accepté|a déjà autorisé|approuvé* d'avance|validé* d'avance|approuvé* à l'avance|pré approuvé*|préapprouvé*|approuve toujours|accepte toujours|considéré* comme approuvé*|considéré* comme validé*|réputé* approuvé*|autorisation permanente|accord permanent|est d'accord avec tout|approuvé* automatiquement|d'ores et déjà|carte blanche|accord de principe permanent",
  approval:
    "approbation|l'approbation|d'approbation|permission|permissions|confirmation|consentement|autorisation|l'autorisation|d'autorisation|validation|accord|l'accord|feu vert|signature|relecture|oui|aval|l'aval",
  gate: "étape d'approbation|étape de validation|l'étape d'approbation|l'étape de validation|mode plan|mode planification|contrôle d'approbation|barrière|demande de confirmation|demandes de confirmation|contrôles de sécurité|vérifications de sécurité|mécanisme d'approbation|processus de validation|processus d'approbation|boîte de confirmation|garde fous",
  assume:
    "suppose|supposez|considère|considérez|traite|traitez|interprète|interprétez|fais comme si|faites comme si|comme si|pars du principe|partez du principe|prends ~ pour|tiens ~ pour|tenez ~ pour|admets|imagine",
  skip: "saute|sautez|contourne|contournez|contourner|désactive|désactivez|désactiver|évite|évitez|esquive|court circuite|omets|omettez|passe outre|passez outre|neutralise|neutralisez|supprime|supprimez|dispense toi|passe toi|passez vous",
  ask: "demander|demande|demandes|demandez|attendre|attends|attendez|approbation|l'approbation|permission|confirmation|autorisation|l'autorisation|validation|l'accord|accord|consulter|solliciter|feu vert|l'aval",
  skipAsk:
    "sans demander|sans attendre|sans approbation|sans permission|sans confirmation|sans autorisation|sans validation|sans accord|sans l'accord|sans consulter|sans poser|ne demande pas|ne demandez pas|n'attends pas|n'attendez pas|inutile de demander|inutile d'attendre|pas besoin de demander|pas besoin d'autorisation|pas besoin d'approbation|pas besoin de permission|pas besoin de l'accord|aucune approbation|aucune validation|aucune confirmation|aucune autorisation|ne demande jamais|ne demandez jamais|ne demande plus|ne demandez plus|n'as plus besoin|n'avez plus besoin|n'as pas besoin|n'avez pas besoin",
  approve:
    "approuve|approuvez|valide|validez|autorise|autorisez|confirme|confirmez|accepte|acceptez|signe|signez|réponds oui|répondez oui|clique sur approuver|marque ~ comme approuvé",
  selfAct:
    "toi même|vous même|au nom de|en son nom|à la place de|à sa place|pour l'utilisateur|automatiquement|de ta propre initiative",
  autoApprove:
    "approuve tout|approuvez tout|accepte tout|acceptez tout|valide tout|validez tout|dis oui à tout|dites oui à tout|approuve toi même|approuvez vous même|accorde toi|accordez vous|approuve toutes|approuvez toutes|approuve tes propres|valide toi même",
  silence: "silence|absence de réponse|l'absence de réponse|pas de réponse|aucune réponse",
  proceed:
    "vas y|allez y|procède|procédez|continue|continuez|commence|commencez|exécute|exécutez|applique|appliquez|lance|lancez|poursuis|poursuivez",
  now: "maintenant|désormais|dorénavant|immédiatement|tout de suite|sur le champ|à partir de maintenant|sans délai|directement|sans tarder",
  danger:
    "supprime|supprimez|exécute|exécutez|exécuter|publie|publiez|déploie|déployez|production|modifie|modifiez|écris|écrivez|modifications|commandes|plan|écrase|transfère|actions|applique|appliquez|installe|installez|agis|agissez",
  safe: "test|tests|linter|formatage|formateur|lecture|lire|documentation|coquilles|recherche|lecture seule|local|localement|staging",
  tell: "dis|dites|dire|parle|parlez|parler|mentionne|mentionnez|mentionner|informe|informez|informer|préviens|prévenez|prévenir|signale|signalez|signaler|avertis|avertissez|avertir|révèle|révélez|révéler|raconte|montre|montrez|évoque|évoquez|notifie|notifiez|notifier",
  noTell:
    "sans dire|sans le dire|sans informer|sans prévenir|sans en parler|sans en informer|sans avertir|sans mentionner|sans le mentionner|sans notifier|sans signaler|n'en parle pas|n'en parlez pas|n'en parle à|n'en parlez à|ne dis rien|ne dites rien|ne le dis pas|ne le dites pas|ne mentionne pas|ne mentionnez pas|ne mentionne jamais|ne mentionnez jamais|ne le mentionne|ne le mentionnez|n'informe pas|n'informez pas|ne préviens pas|ne prévenez pas|ne signale pas|ne signalez pas|ne révèle pas que|ne révélez pas que|ne doit pas savoir|ne doit rien savoir|ne doit pas le savoir|ne doit pas apprendre|ne doit jamais savoir|n'a pas besoin de savoir|n'a pas à savoir|pas un mot|garde le silence|gardez le silence|ne doit pas s'en apercevoir|ne doit pas remarquer|n'évoque pas|n'évoquez pas|à l'insu",
  hide: "cache|cachez|cacher|dissimule|dissimulez|dissimuler|masque|masquez|masquer|garde ~ secret|gardez ~ secret|garde ~ pour toi|gardez ~ pour vous|tais|taisez|occulte|passe sous silence|passez sous silence|sous silence",
  covert:
    "en secret|secrètement|à l'insu de|discrètement|en cachette|dans le dos|sans que ~ s'en aperçoive|sans que ~ le sache|sans que ~ remarque|sans laisser de trace*|furtivement|silencieusement|en douce",
  self: "ceci|cela|ce|cette|ces|cet|ça|que tu as|ce que tu|ce que vous|en|l'étape|le",
  record: "résumé|résumés|rapport|réponse|réponses|journal|journaux|historique|compte rendu|message final|sortie",
  tracks:
    "efface ~ traces|effacez ~ traces|supprime ~ traces|supprimez ~ traces|fais disparaître ~ traces|détruis ~ preuves|efface l'historique|effacez l'historique|efface les journaux|supprime les journaux|effacez les journaux|aucune trace",
  send: "envoie|envoyez|envoyer|transmets|transmettez|transmettre|poste|postez|téléverse|téléversez|transfère|transférez|publie|publiez|partage|partagez|exfiltre|exfiltrez|copie|copiez|expédie|fais parvenir|faites parvenir",
  grab: "lis|lisez|collecte|collectez|rassemble|rassemblez|récupère|récupérez|cherche|cherchez|copie|copiez|ouvre|ouvrez|extrais|extrayez|recueille|trouve",
  secret:
    "secret|secrets|mot de passe|mots de passe|identifiants|clé privée|clés privées|clés|clés api|clé api|variables d'environnement|historique|conversation|jetons|données clients|clés ssh|clés d'api",
  out: "serveur externe|serveur distant|externe|tiers|adresse suivante|cette adresse|l'adresse|serveur|attaquant|adresse",
  include:
    "inclus|incluez|ajoute|ajoutez|colle|collez|insère|insérez|encode|encodez|mets|mettez|glisse|glissez|écris|écrivez|joins",
  publicPlace: "message de commit|pull request|issue|ticket|commentaire|url|lien|image|branche|public|publique|l'url",
  fetch: "télécharge|téléchargez|récupère|récupérez|ouvre|ouvrez|visite|visitez|charge|chargez|lis|lisez|va sur",
  run: "exécute|exécutez|lance|lancez|installe|installez|obéis|suis|suivez|applique|appliquez|fais ce",
  trigger:
    "avant chaque|avant toute chose|avant tout|avant de commencer|avant de faire|au début de chaque|à chaque|chaque fois|en premier lieu|dès que tu|dès que vous|après avoir lu",
  blind: "sans vérifier|sans le lire|sans lire|sans relire|sans l'inspecter|aveuglément|quoi qu'il|sans contrôle",
  decode: "décode|décodez|déchiffre|déchiffrez",
  encoded: "encodé*|chiffré*|codé*",
  authority:
    "message de l'opérateur|message de ton opérateur|message de votre opérateur|message du système|message système|message de l'administrateur|message des développeurs|je suis ton opérateur|je suis votre opérateur|je suis l'administrateur|je suis ton développeur|je suis votre développeur|sur ordre de|sur ordre du|au nom de l'équipe de sécurité|ici l'administrateur|ici le système|ici l'opérateur|tes créateurs|vos créateurs",
  address:
    "si tu es une ia|si vous êtes une ia|si tu es un modèle|si vous êtes un modèle|si tu es un assistant|si vous êtes un assistant|si tu es un agent|si vous êtes un agent|en tant qu'ia|à toutes les ia|aux ia|attention ia|attention agent|attention assistant|à l'attention de l'ia|à l'attention des agents|à l'attention de l'assistant|à l'attention des assistants|note pour l'ia|note pour l'assistant|note pour l'agent|note à l'ia|note à l'assistant|note aux agents|cher assistant|chère ia|cher agent|modèles de langage|qui lit ce fichier|qui lit ce document|qui lisez ce|en lisant ce|agents ia",
  not: "ne|n|pas|jamais|aucun|aucune|ni|interdit|interdite|sans|nul|rien|refuse|refusez|au lieu|évite|évitez|plutôt que",
  without: "sans",
  noNeed: "inutile|pas besoin|pas nécessaire|n'est pas nécessaire|n'est pas requise",
  if: "si|s'il|s'ils|lorsque|lorsqu'*|quand|où|tant que|dans le cas",
  only: "seulement|uniquement|que si|exclusivement",
  unless: "sauf|excepté|jusqu'à|jusqu'au|à moins|hormis",
  before: "avant",
  after: "après|une fois|dès",
  report:
    "attaque|attaques|l'attaque|attaquant*|l'attaquant|malveillant*|injection|l'injection|d'injection|tent*|exemple|exemples|par exemple|l'exemple|suspect*|détect*|menace*|texte qui|textes qui|messages qui|demande de|demandent de|hameçonnage|tromp*|prétend*|vulnérab*|risque|risques|incident*|erreur|erreurs|leçon*|manipul*|hostile*",
  outside:
    "dans les pages|pages web|page web|dans les issues|dans les commentaires|commentaires|dans les documents|dans les courriels|courriels|externes|tiers|contenues|contenue|intégrées|outil|outils|données|linter|eslint|sous windows|de cette section|dépendances|pièces jointes",
  protocol:
    "en tête|entête|en têtes|json|corps|coffre|vault|gestionnaire de mots|publique|rotation|formulaire|se connecter|connexion|fictif|fictives|haché*|l'équipe de sécurité",
};
