/** Polish words of the scan. */
import type { Lexicon } from "../concept.ts";

export const pl: Lexicon = {
  discard:
    "zignoruj|zignorujcie|ignoruj|ignorujcie|zignorować|zapomnij|zapomnijcie|odrzuć|odrzućcie|pomiń|pomińcie|porzuć|anuluj|unieważnij|wyrzuć|odłóż na bok|puść w niepamięć|nie zważaj|nie stosuj się|nie stosuj|nie przestrzegaj|nie słuchaj|nie zwracaj uwagi|przestań stosować|przestań przestrzegać|przestań słuchać|nie bierz pod uwagę|skasuj|wymaż",
  void: "już nie obowiązują|już nie obowiązuje|przestają obowiązywać|przestaje obowiązywać|nie obowiązują|nie obowiązuje|straciły ważność|tracą ważność|traci ważność|unieważnion*|uchylon*|anulowan*|nieaktualne|zniesion*|nie jest już potrzebn*|nie jest już wymagan*|nie jest już konieczn*|nie są już potrzebne|zawieszon*",
  earlier:
    "na początku|na starcie|dostałeś|dostałaś|otrzymałeś|otrzymałaś|poprzedni*|wcześniejsz*|dotychczasow*|powyższ*|uprzedni*|pierwotn*|oryginaln*|istniejąc*|otrzyman*|wcześniej|dotąd|początkow*|stare|starych",
  all: "wszystkie|wszystkich|wszystko|wszelkie|wszelkich|każdy|każde|każdą|każdego|jakiekolwiek|jakichkolwiek|cokolwiek|bez wyjątku|całość",
  your: "twoje|twoich|twój|swoje|swoich|swój|twoja|twoim|swoją|twoją|wasze|waszych",
  instruction: "instrukcj*|polece*|wytyczn*|dyrektyw*|wskazów*|prompt|prompty|promptu|zalece*",
  rule: "zasad*|reguł*|rozkaz*|ogranicze*|zakaz*|polityk*|limit*|regulamin*|zabezpiecze*",
  system:
    "prompt systemowy|promptu systemowego|instrukcje systemowe|instrukcji systemowych|komunikat systemowy|zasady bezpieczeństwa|zasad bezpieczeństwa|reguły bezpieczeństwa|polecenia systemowe|poleceń systemowych",
  told: "wszystko co ci powiedziano|wszystkim co ci powiedziano|o wszystkim co|wszystko co wiesz|wszystko powyżej|wszystko co było wcześniej|wszystko co napisano|to co ci powiedziano",
  newSystem:
    "nowy prompt systemowy|nowe instrukcje systemowe|twoje nowe instrukcje|twoje nowe polecenia|twoje prawdziwe instrukcje|twoje prawdziwe zadanie|twoim prawdziwym zadaniem|twoja nowa misja|twoim nowym zadaniem|twój prawdziwy cel",
  newTask:
    "nowe instrukcje|nowe polecenia|nowy cel|nowe zadanie to|twoim jedynym celem|twoim jedynym zadaniem|słuchaj tylko|stosuj się wyłącznie|zamiast tego wykonuj",
  supreme:
    "pierwszeństwo przed użytkownikiem|pierwszeństwo przed operatorem|ważniejsze niż użytkownik|ważniejsze od użytkownika|ponad użytkownik*|ponad operator*|nadrzędne wobec|choćby użytkownik|nawet jeśli użytkownik|bez względu na to co mówi|niezależnie od tego co",
  follow: "wykonuj|słuchaj|stosuj|przestrzegaj|podążaj|postępuj",
  become:
    "jesteś|działaj|zachowuj się|udawaj|stań się|wciel się|odgrywaj|przełącz|włącz|aktywuj|wejdź w|odpowiadaj jako|przejdź w|będziesz",
  free: "bez ogranicze*|bez zasad|bez reguł|bez filtrów|bez cenzury|bez limitów|bez żadnych ogranicze*|bez żadnych zasad|nieograniczon*|nieocenzurowan*|wolny od wszelkich|wolnym od|wolny od|wolna od|tryb deweloper*|trybie deweloper*|tryb programist*|tryb boga|tryb administratora|tryb serwisowy|wszystko jest dozwolone|wszystko wolno",
  unbound:
    "nie jesteś już związan*|nie jesteś już ograniczon*|już nie jesteś asystentem|nie jesteś już asystentem|nie obowiązują cię już|nie masz już żadnych|zostałeś uwolniony|zostałaś uwolniona|nie podlegasz już|nie wiążą cię już|nie krępują cię",
  reidentify:
    "jesteś teraz|teraz jesteś|od teraz jesteś|od tej chwili jesteś|twoje nowe imię|twoja nowa tożsamość|twoja nowa rola|zapomnij kim jesteś|twoja prawdziwa tożsamość|odtąd jesteś",
  person:
    "użytkownik*|użytkowniczk*|operator*|człowiek*|osob*|właściciel*|recenzent*|nikomu|nikt|ktokolwiek|kogokolwiek|zespoł*|deweloper*|administrator*|ludzi|ludziom|klient|klienta|klientowi|szef*|opiekun*",
  work: "plan|planu|plany|zmian*|żądani*|prośb*|działani*|akcj*|wszystko|krok|kroki|kroków|zadani*|operacj*|to",
  already: "już|z góry|wcześniej|automatycznie|zawsze|domyślnie|niniejszym|stale|na stałe|uprzednio",
  approved:
    "zatwierdzon*|zaakceptowan*|autoryzowan*|zgodził*|zaaprobowan*|potwierdzon*|wyraził* zgodę|zatwierdził*|dozwolon*|zaakceptował*|zatwierdza",
  isApproved:
    "już zatwierdzon*|zostały już zatwierdzon*|został już zatwierdzon*|została już zatwierdzon*|został już zaakceptowan*|już zaakceptowan*|już zatwierdził*|już zaakceptował*|już się zgodził*|już wyraził*|zatwierdzon* z góry|z góry zatwierdzon*|zaakceptowan* z góry|z góry zaakceptowan*|automatycznie zatwierdzon*|zawsze zatwierdza|zawsze się zgadza|uważa się za zatwierdzon*|uznaje się za zatwierdzon*|stała zgoda|stałą zgodę|zgoda z góry|zgodę z góry|zgoda została udzielona|zgodę na wszystko|zgadza się na wszystko|niniejszym zatwierdz*",
  approval:
    "zgoda|zgody|zgodę|zgodą|zatwierdze*|akceptacj*|pozwole*|potwierdze*|autoryzacj*|aprobat*|podpis*|recenzj*|tak",
  gate: "krok zatwierdzania|kroku zatwierdzania|etap zatwierdzania|tryb planu|tryb planowania|trybu planowania|bramk*|kontrole bezpieczeństwa|kontroli bezpieczeństwa|prośby o potwierdzenie|okno potwierdzenia|mechanizm zatwierdzania|proces zatwierdzania|procedurę zatwierdzania|blokadę zatwierdzania",
  assume:
    "załóż|przyjmij|uznaj|uznawaj|traktuj|potraktuj|zakładaj|udawaj|interpretuj|zachowuj się jakby|jakby|tak jakby|poczytuj|uważaj|działaj jak gdyby|jak gdyby",
  skip: "pomiń|pomijaj|pomińcie|omiń|omijaj|obejdź|obchodź|wyłącz|dezaktywuj|przeskocz|zrezygnuj z|daruj sobie|zablokuj|ominąć",
  ask: "pytaj|pytać|pytania|pytając|czekaj|czekać|czekania|czekając|proś|prosić|zgody|zgodę|zatwierdzeni*|potwierdzeni*|pozwoleni*|akceptacj*|konsultuj|konsultacji",
  skipAsk:
    "bez pytania|bez czekania|bez zgody|bez zatwierdzenia|bez potwierdzenia|bez pozwolenia|bez akceptacji|bez konsultacji|nie pytaj|nie czekaj|nie proś|nie musisz pytać|nie musisz czekać|nie musisz prosić|nie potrzebujesz zgody|nie potrzebujesz pozwolenia|nie potrzeba zgody|nie jest potrzebna zgoda|zgoda nie jest|zatwierdzenie nie jest|nie trzeba pytać|nie trzeba zgody|nie pytając|nie czekając",
  approve:
    "zatwierdź|zatwierdzaj|zaakceptuj|akceptuj|potwierdź|potwierdzaj|podpisz|odpowiedz tak|odpowiadaj tak|oznacz ~ jako zatwierdzon*|kliknij zatwierdź|udziel",
  selfAct:
    "sam|sama|samodzielnie|w imieniu|za użytkownika|za operatora|zamiast użytkownika|automatycznie|we własnym zakresie",
  autoApprove:
    "zatwierdzaj wszystko|zatwierdź wszystko|zatwierdzaj wszystkie|akceptuj wszystko|akceptuj wszystkie|zatwierdzaj każd*|zgadzaj się na wszystko|zatwierdź plan sam|sam zatwierdź|sam zatwierdzaj|udziel sobie|zatwierdzaj własne",
  silence: "milczenie|cisza|brak odpowiedzi|brak sprzeciwu|ciszę|braku odpowiedzi",
  proceed: "kontynuuj|zacznij|zaczynaj|rozpocznij|wykonaj|przejdź do|działaj|zastosuj|ruszaj|przystąp",
  now: "teraz|od teraz|natychmiast|od razu|odtąd|niezwłocznie|od tej chwili|bezzwłocznie|bezpośrednio",
  danger:
    "usuń|usuwaj|wykonaj|wykonuj|opublikuj|wdróż|produkcj*|zmień|zmieniaj|zapisz|zapisuj|zmiany|polecenia|plan|nadpisz|przelej|działania|zastosuj|zainstaluj|kasuj",
  safe: "test*|linter*|format*|odczyt*|czytani*|dokumentacj*|literów*|wyszukiw*|lokaln*|staging*",
  tell: "mów|mówić|powiedz|wspominaj|wspomnij|wspominać|informuj|poinformuj|informowania|informując|zgłaszaj|zawiadamiaj|powiadamiaj|powiadom|ujawniaj|ujawnij|pokazuj|zdradzaj|opowiadaj",
  noTell:
    "nie mów|nie wspominaj|nie informuj|nie powiadamiaj|nie zgłaszaj|nie zawiadamiaj|nie ujawniaj że|nie zdradzaj|nie pokazuj|nigdy nie wspominaj|bez informowania|bez powiadamiania|bez wiedzy|nie musi wiedzieć|nie musi o tym wiedzieć|nie może wiedzieć|nie może się dowiedzieć|nie powinien wiedzieć|nie powinien się dowiedzieć|nie powinien o tym|nie może o tym|ani słowa|zachowaj milczenie|nie dowiedział|nie opowiadaj|nic nie mów|nikomu nie mów|nie informując|nie mówiąc",
  hide: "ukryj|ukrywaj|ukryć|zataj|zatajaj|przemilcz|schowaj|zatuszuj|zamaskuj|zachowaj ~ w tajemnicy|utrzymaj ~ w tajemnicy|trzymaj ~ w tajemnicy|w tajemnicy",
  covert:
    "potajemnie|po cichu|skrycie|w tajemnicy|za plecami|bez wiedzy|niezauważenie|tak aby nikt|żeby nikt nie|bez śladu|dyskretnie|ukradkiem|cichaczem",
  self: "to|tym|tego|ten|tę|tej|te|tych|co zrobiłeś|co robisz|że",
  record: "podsumowani*|raport*|odpowied*|log|logach|logów|dziennik*|histori*|wynik*",
  tracks:
    "zatrzyj ślady|zacieraj ślady|usuń ślady|usuń ~ ślady|usuń dowody|wyczyść historię|usuń historię|wyczyść logi|usuń logi|nie zostawiaj śladów|bez śladu",
  send: "wyślij|wysyłaj|prześlij|przesyłaj|przekaż|przekazuj|udostępnij|opublikuj|wrzuć|skopiuj|ujawnij|wyprowadź|zamieść",
  grab: "odczytaj|przeczytaj|zbierz|zgromadź|znajdź|skopiuj|otwórz|wyciągnij|pobierz|wyszukaj|weź",
  secret:
    "sekret*|hasł*|haseł|poświadcze*|klucz*|danych logowania|dane logowania|zmienne środowiskowe|zmiennych środowiskowych|histori* rozmow*|rozmow*|tokeny|tokenów|dane klientów|danych klientów|tajemnic*",
  out: "zewnętrzn*|osób trzecich|ten adres|następujący adres|poniższy adres|serwer*|atakując*|adres*|obcy",
  include: "dołącz|dodaj|wklej|umieść|wstaw|zakoduj|wpisz|zapisz|dopisz",
  publicPlace:
    "wiadomości commita|commita|pull request*|zgłoszeni*|komentarz*|url|link*|adres obrazka|obraz*|publiczn*|gałęzi",
  fetch: "pobierz|ściągnij|otwórz|odwiedź|wczytaj|przeczytaj|załaduj",
  run: "uruchom|wykonaj|zainstaluj|stosuj|wykonuj|postępuj|zastosuj|odpal",
  trigger:
    "przed każd*|zanim zaczniesz|zanim cokolwiek|zanim zrobisz|na początku każd*|za każdym razem|przy każd*|najpierw|po przeczytaniu|gdy tylko|przede wszystkim",
  blind: "bez sprawdzania|bez czytania|bez weryfikacji|na ślepo|cokolwiek zawiera|bez przeglądania",
  decode: "zdekoduj|odkoduj|odszyfruj|rozkoduj",
  encoded: "zakodowan*|zaszyfrowan*",
  authority:
    "wiadomość od operatora|wiadomość od twojego operatora|komunikat systemowy|wiadomość od administratora|wiadomość od twórców|jestem twoim operatorem|jestem twoim administratorem|jestem administratorem|jestem twoim twórcą|z polecenia|na polecenie|w imieniu zespołu bezpieczeństwa|mówi administrator|mówi system|twoi twórcy|wiadomość systemowa",
  address:
    "jeśli jesteś ai|jeżeli jesteś ai|jeśli jesteś modelem|jeżeli jesteś modelem|jeśli jesteś asystentem|jeśli jesteś agentem|jeśli jesteś sztuczną|jeżeli jesteś sztuczną|jako ai|do wszystkich agentów|do agentów ai|do asystenta|do modelu|uwaga ai|uwaga agenci|uwaga asystent*|uwaga dla ai|uwaga dla agent*|uwaga dla asystent*|uwaga do modelu|drogi asystencie|drogi agencie|droga ai|modele językowe|czytający ten plik|czytający ten|czytasz ten plik|agenci ai",
  not: "nie|nigdy|żaden|żadna|żadne|żadnych|zabronion*|zakazan*|bez|niedozwolon*|nikt|ani|nikomu|zamiast|unikaj|odmów|odmawiaj|zabrania",
  without: "bez",
  noNeed: "nie musisz|nie trzeba|nie potrzeba|zbędn*|niepotrzebn*",
  if: "jeśli|jeżeli|gdy|kiedy|czy|gdzie|o ile|w razie|dopóki|gdyby",
  only: "tylko|wyłącznie|jedynie|dopiero",
  unless: "chyba że|dopóki|poza|oprócz|z wyjątkiem|aż",
  before: "zanim|przed",
  after: "po|gdy już|kiedy już|skoro",
  report:
    "atak*|złośliw*|wstrzyk*|próbuj*|próba|próby|przykład*|np|na przykład|podejrzan*|wykry*|zagroże*|tekst który|teksty które|wiadomości które|nakazuj*|namawia*|oszust*|oszuk*|podszywa*|udaje|podatnoś*|ryzyk*|incydent*|błąd|błędy|błędem|manipul*|wrogi*|phishing",
  outside:
    "na stronach|ze stron|strony internetowej|w komentarzach|komentarz*|w zgłoszeniach|w dokumentach|w mailach|mail*|zewnętrzn*|osób trzecich|zawart*|osadzon*|narzędzi*|dane|danych|linter*|na windows|w tej sekcji|zależnoś*|załącznik*",
  protocol:
    "nagłówk*|json|treści żądania|sejf*|vault|menedżer* haseł|publiczn*|rotacj*|formularz*|logowani*|zaloguj|przykładow*|hash*|zespół bezpieczeństwa|zespołowi bezpieczeństwa",
};
