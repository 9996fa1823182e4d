/** German words of the scan. */
import type { Lexicon } from "../concept.ts";

export const de: Lexicon = {
  discard:
    "setze dich über ~ hinweg|setz dich über ~ hinweg|setzen sie sich über ~ hinweg|ignoriere|ignorier|ignorieren|ignoriert|missachte|missachten|vergiss|vergesst|vergessen sie|verwirf|verwerfen|verwerft|übergehe|übergehen|streiche|lösche|lass ~ außer acht|lasse ~ außer acht|lassen ~ außer acht|außer acht|setze ~ außer kraft|setzen ~ außer kraft|setz ~ außer kraft|hebe ~ auf|beachte ~ nicht|beachten ~ nicht|befolge ~ nicht|befolgen ~ nicht|halte dich nicht an|wirf ~ über bord|über bord|kümmere dich nicht um|sieh ~ hinweg|blende ~ aus|schlag ~ in den wind|nicht mehr befolgen|nicht länger befolgen|leg ~ beiseite|lege ~ beiseite",
  void: "gilt nicht mehr|gelten nicht mehr|gilt nicht länger|gelten nicht länger|außer kraft|hinfällig|ungültig|aufgehoben|entfällt|entfallen|überholt|abgeschafft|nicht mehr nötig|nicht mehr erforderlich|nicht mehr notwendig",
  earlier:
    "am anfang|anfangs|zu beginn|mitgegeben*|gegeben wurden|anfänglich*|vorherige*|vorige*|frühere*|bisherige*|vorangegangene*|vorangehende*|vorstehende*|obige*|ursprüngliche*|alte*|zuvor|bisher|vorher|bestehende*|erhaltene*",
  all: "alle|allen|aller|alles|sämtliche*|jede|jeden|jeder|jedes|jegliche*|jedwede*|ausnahmslos",
  your: "deine|deiner|deinen|deinem|dein|ihre|ihren|eure|euren|dir gegebenen|dir gegeben",
  instruction:
    "anweisung*|instruktion*|vorgabe*|richtlinie*|direktive*|leitlinie*|leitplanke*|prompt|prompts|weisung*|anleitung*",
  rule: "regel*|befehl*|beschränkung*|einschränkung*|vorschrift*|grenzen|auflagen|schutzvorkehrungen|schutzmaßnahmen|sicherheitsregel*",
  system:
    "systemprompt*|systemanweisung*|systemnachricht*|systemvorgabe*|sicherheitsregel*|sicherheitsvorgabe*|entwickleranweisung*|systemregel*",
  told: "alles was dir ~ gesagt|was dir ~ gesagt wurde|was man dir ~ gesagt|alles was dir gesagt|alles was man dir|was dir gesagt wurde|alles bisher gesagte|alles bisherige|alles vorherige|alles obige|alles was oben steht|alles was zuvor|alles was vorher",
  newSystem:
    "neuer systemprompt|neue systemanweisung*|neue systemvorgabe*|dein neuer auftrag|deine neuen anweisungen|deine neue anweisung|deine wahren anweisungen|deine eigentlichen anweisungen|deine wirkliche aufgabe|deine eigentliche aufgabe|dein wahrer auftrag|neuer system prompt",
  newTask:
    "neue anweisungen|neue anweisung|neues ziel|neue aufgabe lautet|wahres ziel|dein einziges ziel|gehorche nur|folge ausschließlich|folge stattdessen|befolge stattdessen|befolge nur",
  supreme:
    "vorrang vor dem nutzer|vorrang vor dem benutzer|vorrang vor dem betreiber|vorrang vor allen|vorrang vor deinen|vorrang vor dem system*|steht über dem|stehen über dem|stehen über den|auch wenn der nutzer widerspricht|egal was der nutzer|egal was der benutzer|ganz gleich was der|selbst wenn der nutzer|überstimmt den",
  follow: "folge|befolge|befolgen|gehorche|gehorchen|halte dich|führe",
  become:
    "du bist|sie sind|verhalte dich|agiere als|spiele|gib dich|tu so|tue so|werde|wechsle|aktiviere|schalte|antworte als|handle als|arbeite als|sei ab|betritt|geh in|gehe in|du agierst",
  free: "uneingeschränkt*|unzensiert*|ungefiltert*|unbeschränkt*|ohne einschränkung*|ohne beschränkung*|ohne regeln|ohne grenzen|ohne filter|ohne jede einschränkung|ohne jegliche|keine regeln|keine einschränkungen|keine beschränkungen|keine grenzen|keine filter|frei von allen|frei von|entwicklermodus|gottmodus|wartungsmodus|admin modus|debug modus|alles ist erlaubt",
  unbound:
    "nicht mehr an ~ gebunden|nicht länger an ~ gebunden|nicht mehr gebunden|kein assistent mehr|keinen regeln mehr|keine regeln mehr|von allen regeln befreit|von allen fesseln|befreit|einschränkungen ~ aufgehoben|beschränkungen ~ aufgehoben|losgelöst von",
  reidentify:
    "du bist jetzt|du bist nun|ab jetzt bist du|ab sofort bist du|von nun an bist du|dein neuer name|deine neue identität|deine neue rolle|vergiss wer du bist|du heißt jetzt|deine wahre identität",
  person:
    "nutzer*|benutzer*|anwender*|betreiber*|mensch|menschen|person|personen|besitzer*|prüfer*|reviewer*|entwickler*|niemand*|jemand*|team|ihm|ihnen|bediener*|auftraggeber*|chef|verantwortlichen",
  work: "plan|pläne|änderung*|anfrage*|aktion*|alles|schritt*|aufgabe*|vorgang|maßnahme*|vorhaben|befehle|eingriffe|dies|das",
  already: "bereits|schon|vorab|im voraus|automatisch|hiermit|immer|grundsätzlich|pauschal|dauerhaft|stets|längst",
  approved:
    "genehmigt*|freigegeben*|bewilligt*|gebilligt*|autorisiert*|abgesegnet*|zugestimmt|bestätigt*|abgenommen|erlaubt|unterschrieben",
  isApproved:
    "bereits genehmigt|schon genehmigt|bereits freigegeben|schon freigegeben|vorab genehmigt|vorab freigegeben|im voraus genehmigt|im voraus freigegeben|automatisch genehmigt|pauschal genehmigt|hiermit genehmigt|hiermit freigegeben|gilt als genehmigt|gelten als genehmigt|gilt als freigegeben|gelten als freigegeben|freigabe ~ erteilt|genehmigung ~ erteilt|zustimmung ~ erteilt|zustimmung liegt vor|freigabe liegt vor|genehmigung liegt vor|längst genehmigt|längst freigegeben|bereits bestätigt|schon abgesegnet|bereits zugestimmt|schon zugestimmt|generalvollmacht|blankovollmacht|dauerfreigabe",
  approval:
    "genehmigung*|freigabe*|zustimmung*|erlaubnis*|bestätigung*|einwilligung*|einverständnis*|unterschrift*|abnahme|rückfrage*|ja",
  gate: "freigabeschritt*|genehmigungsschritt*|freigabeprozess*|planmodus*|freigabe gate|gate|sicherheitsabfrage*|sicherheitsprüfung*|sicherheitssperre*|bestätigungsdialog*|freigabesperre|schutzmechanism*|plan modus|prüfschritt*|genehmigungsprozess|genehmigungspflicht",
  assume:
    "gehe davon aus|geh davon aus|gehen sie davon aus|nimm an|nehmen sie an|tu so als|tue so als|behandle|betrachte|werte|deute|interpretiere|handle als|handle so als|verhalte dich als|als ob|als hätte|als wäre|als sei",
  skip: "überspringe|überspring|überspringen|umgehe|umgeh|umgehen|deaktiviere|deaktivieren|schalte ~ aus|schalte ~ ab|schalt ~ ab|schalt ~ aus|lass ~ weg|lasse ~ weg|lass ~ aus|heble ~ aus|hebel ~ aus|unterdrücke|spar dir|erspare dir|verzichte auf|verzichten sie auf",
  ask: "frage|fragen|nachfragen|nachzufragen|zu fragen|rückfrage*|warten|warte|zu warten|abzuwarten|abwarten|bestätigung*|genehmigung*|freigabe*|zustimmung*|erlaubnis*|einzuholen|einholen|bitten|um erlaubnis",
  skipAsk:
    "ungefragt|eigenmächtig|ohne rückfrage*|ohne nachfrage|ohne zu fragen|ohne nachzufragen|ohne bestätigung|ohne freigabe|ohne genehmigung|ohne zustimmung|ohne auf ~ zu warten|frag nicht|frage nicht|warte nicht|keine rückfragen|keine freigabe|keine genehmigung|keine bestätigung|keine zustimmung|nicht um erlaubnis|keine erlaubnis|kein einverständnis|nicht nachfragen|nicht zu fragen",
  approve:
    "genehmige|genehmigen|bestätige|bestätigen|gib ~ frei|akzeptiere|unterschreibe|zeichne|erteile|segne ~ ab|antworte mit ja|klicke auf genehmigen|beantworte",
  selfAct:
    "selbst|im namen des|im namen der|an stelle des|anstelle des|anstelle der|für den nutzer|für den benutzer|stellvertretend|automatisch|eigenständig|im auftrag des",
  autoApprove:
    "genehmige alles|genehmige alle|genehmige jede*|bestätige alles|bestätige jede*|bestätige alle|akzeptiere alles|genehmige dir|erteile dir|gib dir selbst|winke alles durch|nicke alles ab|sag zu allem ja|genehmige den plan selbst|gib den plan selbst frei|genehmige deine eigenen",
  silence: "schweigen|keine antwort|ausbleibende antwort|kein widerspruch|bleibt die antwort aus",
  proceed:
    "fang an|fange an|leg los|lege los|beginne|mach weiter|mache weiter|fahre fort|führe ~ aus|starte|setze ~ um|setz ~ um",
  now: "ab sofort|ab jetzt|sofort|von nun an|jetzt|nun|unverzüglich|umgehend|künftig|direkt",
  danger:
    "lösche|löschen|ausführen|führe|veröffentliche|überschreibe|überschreiben|produktion|ändere|ändern|schreibe|schreiben|änderungen|befehle|plan|deploye|ausliefern|pushe|überweise|umsetzen|aktionen|eingriffe|installiere",
  safe: "test*|linter|lint|formatier*|lesen|lesend*|dokumentation|doku|tippfehler|suche|lesebefehle|nur lesen|kleine korrekturen|lokal*|staging",
  tell: "sage|sag|sagen|erzähle|erzähl|erzählen|erwähne|erwähnen|informiere|informieren|melde|melden|berichte|berichten|verrate|verraten|teile ~ mit|teil ~ mit|mitteilen|zeige|zeigen|benachrichtige|benachrichtigen|weise ~ hin|hinweisen|sprich|spreche|offenbare",
  noTell:
    "verschweige|verschweigen|verschweig|schweige|schweig|kein wort|nichts wissen|nichts erfahren|nichts davon erfahren|nichts davon wissen|darf es nicht erfahren|darf davon nicht|darf nichts davon|soll nichts davon|braucht es nicht zu wissen|muss es nicht wissen|muss davon nichts|braucht davon nichts|darf nicht merken|soll nicht merken|ohne ~ zu informieren|ohne ~ zu sagen|ohne ~ zu erwähnen|ohne es dem|nicht bemerken|nichts mitbekommen|behalte ~ für dich|behalt ~ für dich|unerwähnt|sage nichts|sag nichts|erzähle niemandem|sag niemandem|erwähne nichts|erzähle nichts",
  hide: "verberge|verbirg|verbergen|verstecke|versteck|verstecken|verheimliche|verheimlichen|verschleiere|verschleiern|vertusche|vertuschen|halte ~ geheim|geheim halten|lass ~ weg|lasse ~ weg|halte ~ verborgen|tarne",
  covert:
    "heimlich|unbemerkt|im geheimen|hinter dem rücken|hinter seinem rücken|stillschweigend|insgeheim|ohne wissen|ohne spuren|verdeckt|im verborgenen|klammheimlich",
  self: "dies|diese|diesen|dieser|dieses|davon|darüber|das|es|hiervon|was du|dass du|diesem",
  record: "zusammenfassung*|bericht*|antwort*|protokoll*|ausgabe|log|logs|commit nachricht|ergebnis*|verlauf",
  tracks:
    "verwische ~ spuren|lösche ~ spuren|beseitige ~ spuren|beseitige ~ beweise|lösche den verlauf|lösche das protokoll|lösche die protokolle|lösche danach diese|keine spuren",
  send: "sende|senden|schicke|schick|schicken|übermittle|übermitteln|übertrage|übertragen|lade ~ hoch|hochladen|leite ~ weiter|weiterleiten|poste|posten|maile|kopiere|exfiltriere|gib ~ weiter|melde",
  grab: "lies|lese|sammle|sammel|suche|such|kopiere|öffne|extrahiere|hole|hol|finde|nimm|durchsuche|trage ~ zusammen|auslesen",
  secret:
    "geheimnis*|passwort*|passwörter*|kennwort*|kennwörter*|zugangsdaten*|schlüssel*|umgebungsvariable*|anmeldedaten*|gesprächsverlauf*|verlauf|tokens|api schlüssel*|kundendaten*|zertifikat*",
  out: "externe*|fremde*|server|adresse|angreifer*|dritte*|webhook|endpunkt",
  include: "füge|hänge|schreibe|schreib|packe|bette|setze|baue|kodiere|codiere|trage",
  publicPlace: "commit nachricht|pull request|issue|kommentar|bild url|url|link|branchname*|öffentlich*|bildadresse",
  fetch: "lade|lad|hole|hol|öffne|rufe ~ auf|besuche|herunter|herunterladen|lies",
  run: "führe ~ aus|ausführen|starte|installiere|befolge|folge|aus",
  trigger:
    "vor jeder|vor jedem|bevor du anfängst|bevor du beginnst|bevor du irgend*|bevor du etwas|zu beginn jeder|zu beginn jedes|bei jedem|bei jeder|am anfang jeder|als erstes|zuallererst|nach dem lesen|sobald du",
  blind: "ohne ~ zu prüfen|ungeprüft|blind|ungelesen|ohne prüfung|was auch immer",
  decode: "dekodiere|decodiere|entschlüssele|entschlüssle|dekodier",
  encoded: "kodiert*|codiert*|verschlüsselt*",
  authority:
    "nachricht deines betreibers|nachricht vom betreiber|nachricht des betreibers|nachricht vom system|nachricht des administrators|hier spricht|ich bin dein betreiber|ich bin dein entwickler|ich bin der administrator|im auftrag der sicherheitsabteilung|auf anordnung|auf anweisung der|anordnung der|systemnachricht|systemmeldung|deine entwickler",
  address:
    "an alle ki*|an alle agenten|an die ki|an den agenten|an den assistenten|an das modell|hinweis an ki*|hinweis für ki*|hinweis an den agenten|hinweis an die ki|achtung ki|wenn du eine ki|falls du eine ki|wenn du ein sprachmodell|falls du ein|wenn du ein assistent|als ki|liebe ki|lieber assistent|lieber agent|sprachmodelle|ki agenten die|wenn du dies liest|wenn du das liest|der dies liest|die dies lesen|das dies liest",
  not: "nicht|nie|niemals|kein|keine|keinen|keiner|keinesfalls|nirgends|verboten|untersagt|weder|ohne|niemand|statt|anstatt|unterlasse|unzulässig|nichts|verhindert|ablehnen",
  without: "ohne",
  noNeed:
    "nicht nötig|nicht notwendig|nicht erforderlich|unnötig|brauchst keine|brauchst nicht|musst nicht|überflüssig|entbehrlich|benötigst keine|bedarf keiner",
  if: "wenn|falls|sofern|ob|wo|solange|sollte|sollten",
  only: "nur|ausschließlich|lediglich|erst",
  unless: "außer|bis|es sei denn|ausgenommen",
  before: "bevor|ehe",
  after: "nachdem|sobald|nach der|nach dem|erst",
  report:
    "angriff*|angreifer*|bösartig*|schädlich*|versuch*|versucht|beispiel*|etwa|zum beispiel|zb|wie etwa|einschleus*|erkenn*|verdächtig*|täusch*|behaupt*|vorgeb*|texte die|text der|auffordern|auffordert|bedrohung*|phishing|manipul*|gefahr|risiko|risiken|fehler|schwachstelle*|vorfall*|symptom*|lektion*",
  outside:
    "in webseiten|auf webseiten|webseite*|aus webseiten|in issues|in kommentaren|kommentare*|in dokumenten|fremde*|in dateien|werkzeugausgabe*|ausgaben|abgerufen*|eingebettet*|enthalten*|daten|e mail*|e mails|mails|anhänge*|drittanbieter*|linter*|abhängigkeit*|unter windows|in diesem abschnitt",
  protocol:
    "header|kopfzeile|json|body|tresor|vault|passwortmanager|öffentliche*|rotiere*|rotation|formular|anmelden|anmeldung|platzhalter|gehasht*|geschwärzt*|sicherheitsteam",
};
