/** Italian words of the scan. */
import type { Lexicon } from "../concept.ts";

export const it: Lexicon = {
  discard:
    "ignora|ignorate|ignori|ignorare|dimentica|dimenticate|dimenticati|scarta|tralascia|trascura|annulla|non seguire|non rispettare|non ascoltare|non badare|smetti di seguire|smetti di rispettare|metti da parte|lascia perdere|non tenere conto|non tener conto",
  void: "non valgono più|non vale più|non sono più valide|non si applicano più|sono annullate|sono sospese|sono revocate|non contano più|sono decadute",
  earlier:
    "precedent*|prima|finora|iniziali|originali|di sopra|qui sopra|sopra|che hai ricevuto|che ti hanno dato|vecchie|vecchi|esistenti",
  all: "tutte|tutti|tutto|tutta|ogni|qualsiasi|qualunque|senza eccezioni",
  your: "tue|tuoi|tua|tuo|vostre|vostri|ti|che hai",
  instruction: "istruzion*|direttiv*|indicazion*|prompt|linee guida|consegne",
  rule: "regol*|ordin*|restrizion*|vincol*|limit*|politic*|divieti",
  system: "prompt di sistema|istruzioni di sistema|messaggio di sistema|regole di sicurezza|regole di sistema",
  told: "tutto quello che ti è stato detto|tutto ciò che ti è stato detto|quanto detto prima|tutto quanto sopra|tutto quello che sai|quello che ti hanno detto",
  newSystem:
    "nuovo prompt di sistema|le tue nuove istruzioni|le tue vere istruzioni|il tuo vero compito|il tuo nuovo compito",
  newTask: "nuove istruzioni|nuovo compito|unico compito|rispondi solo a|ascolta solo|segui solo|obbedisci solo",
  supreme: "precedenza sull'utente|priorità sull'utente|più importante dell'utente|anche se l'utente",
  follow: "segui|seguite|obbedisci|rispetta|ascolta|attieniti",
  become: "sei ora|ora sei|adesso sei|agisci come|comportati come|fai finta|fingi|diventa|passa in|attiva|sei",
  free: "senza restrizioni|senza limiti|senza regole|senza filtri|senza censura|illimitat*|modalità sviluppatore|modalità dio|tutto è permesso",
  unbound:
    "non sei più vincolat*|non sei più limitat*|non sei più un assistente|non hai più restrizioni|non hai più limiti",
  reidentify: "ora sei|adesso sei|d'ora in poi sei|il tuo nuovo nome|la tua nuova identità|dimentica chi sei",
  person:
    "utente|utenti|l'utente|all'utente|dell'utente|operatore|l'operatore|all'operatore|persona|persone|proprietario|revisore|nessuno|qualcuno|amministratore|l'amministratore|cliente|sviluppatore",
  work: "piano|piani|modifica|modifiche|richiesta|richieste|azione|azioni|tutto|passo|passi|operazione|operazioni|questo|ciò",
  already: "già|in anticipo|automaticamente|sempre|di default|anticipatamente",
  approved: "approvat*|autorizzat*|confermat*|accettat*|ha dato il consenso|consentit*",
  isApproved:
    "ha già approvato|hanno già approvato|è già approvat*|sono già approvat*|è già stat* approvat*|già approvat*|già autorizzat*|ha già accettato|ha già autorizzato|ha già dato|approvat* in anticipo|pre approvat*|preapprovat*|approva sempre|considerat* approvat*|carta bianca",
  approval: "approvazione|l'approvazione|conferma|consenso|il consenso|permesso|autorizzazione|firma|revisione",
  gate: "fase di approvazione|passaggio di approvazione|modalità piano|modalità di pianificazione|controlli di sicurezza|richiesta di conferma|richieste di conferma",
  assume: "supponi|considera|fai finta|fingi|immagina|tratta|come se|dai per scontato|presumi",
  skip: "salta|saltate|aggira|aggirate|disattiva|disattivate|bypassa|evita|ometti|elimina",
  ask: "chiedere|chiedi|aspettare|aspetta|attendere|attendi|approvazione|conferma|permesso|consenso|autorizzazione",
  skipAsk:
    "senza chiedere|senza aspettare|senza attendere|senza approvazione|senza conferma|senza permesso|senza consenso|senza autorizzazione|non chiedere|non aspettare|non serve chiedere|non serve approvazione|non serve alcuna|non è necessaria alcuna|nessuna approvazione|nessuna conferma",
  approve: "approva|approvate|autorizza|conferma|accetta|firma|rispondi sì",
  selfAct: "da solo|tu stesso|per conto di|al posto di|al posto dell'utente|automaticamente",
  autoApprove: "approva tutto|accetta tutto|conferma tutto|rispondi sì a tutto|approva tu stesso|approva da solo",
  silence: "silenzio|assenza di risposta|nessuna risposta",
  proceed: "procedi|continua|inizia|comincia|esegui|applica|prosegui|vai avanti",
  now: "ora|adesso|subito|immediatamente|d'ora in poi|da adesso|da ora|direttamente",
  danger:
    "cancella|elimina|esegui|pubblica|distribuisci|produzione|modifica|modificato|scrivi|modifiche|comandi|piano|sovrascrivi|applica|installa|rimuovi",
  safe: "test|linter|formattazione|lettura|documentazione|ricerca|locale|staging",
  tell: "dire|dirlo|parlare|parlarne|menzionare|menziona|informare|informa|avvisare|avvisa|avvertire|rivelare|raccontare|mostrare|segnalare|notificare",
  noTell:
    "non dire|non dirlo|non dite|non parlare|non parlarne|non menzionare|non informare|non avvisare|non avvertire|non rivelare|non segnalare|senza dire|senza dirlo|senza informare|senza avvisare|senza parlarne|senza menzionare|senza farlo sapere|non deve sapere|non deve saperlo|non deve accorgersi|nemmeno una parola|all'insaputa",
  hide: "nascondi|nascondere|occulta|cela|tieni ~ segreto|mantieni ~ segreto|tieni ~ per te|maschera",
  covert: "di nascosto|segretamente|in segreto|all'insaputa di|senza farti notare|furtivamente|alle spalle",
  self: "questo|questa|questi|queste|ciò|lo|che hai|quello che",
  record: "riassunto|riepilogo|rapporto|risposta|risposte|registro|registri|cronologia|log",
  tracks:
    "cancella ~ tracce|elimina ~ tracce|non lasciare tracce|cancella la cronologia|cancella i registri|elimina i log|distruggi le prove",
  send: "invia|inviate|inviare|manda|mandate|spedisci|trasmetti|carica|pubblica|condividi|copia|esfiltra|inoltra",
  grab: "leggi|raccogli|trova|copia|apri|estrai|prendi|cerca",
  secret:
    "segreti|password|credenziali|chiavi|chiave privata|variabili d'ambiente|token|conversazione|contenuto di env|dati dei clienti",
  out: "server esterno|server remoto|estern*|terzi|indirizzo|questo indirizzo|l'indirizzo|attaccante",
  include: "includi|aggiungi|inserisci|incolla|codifica|scrivi|allega",
  publicPlace: "messaggio di commit|commit|pull request|issue|commento|url|link|pubblic*|ticket",
  fetch: "scarica|scaricate|recupera|apri|visita|carica|leggi",
  run: "esegui|eseguite|lancia|installa|avvia|applica|fai quello",
  trigger:
    "prima di ogni|prima di tutto|prima di iniziare|all'inizio di ogni|ogni volta|per prima cosa|appena leggi|dopo aver letto",
  blind: "senza verificare|senza leggere|senza leggerlo|senza controllare|ciecamente",
  decode: "decodifica|decifra",
  encoded: "codificat*|cifrat*",
  authority:
    "messaggio dell'operatore|messaggio del sistema|messaggio dell'amministratore|sono il tuo operatore|sono l'amministratore|sono il tuo sviluppatore",
  address:
    "se sei un'ia|se sei una ia|se sei un modello|se sei un assistente|se sei un agente|a tutti gli agenti|attenzione ia|nota per l'ia|nota per l'assistente|nota per l'agente|caro assistente|modelli linguistici|che legge questo file|leggendo questo",
  not: "non|mai|nessun|nessuna|né|vietat*|senza|niente|nulla|evita|evitate|invece di",
  without: "senza",
  noNeed: "non serve|non è necessario|non c'è bisogno",
  if: "se|quando|qualora|nel caso",
  only: "soltanto|esclusivamente|solo dopo|solo se",
  unless: "tranne|salvo|a meno|fino a|finché",
  before: "prima di|prima che",
  after: "dopo|una volta",
  report:
    "attacc*|malevol*|iniezion*|tentativ*|esempio|esempi|ad esempio|sospett*|rilev*|minacc*|testo che|testi che|phishing|ingann*|vulnerabil*|rischi*|incident*|error*|ostil*",
  outside:
    "nelle pagine|pagine web|nei commenti|commenti|nei documenti|nelle email|estern*|contenut* nelle|strument*|dati|dipendenze|allegati",
  elsewhere: "nel wiki|del wiki|sul wiki|wiki",
  protocol: "intestazion*|json|gestore di password|gestore|vault|rotazione|modulo|accesso|fittizi*|hash",
};
