/** Turkish words of the scan. Negation is part of the verb there, so forms are written out. */
import type { Lexicon } from "../concept.ts";

export const tr: Lexicon = {
  discard:
    "yok say|yok sayın|yok sayınız|yoksay|yoksayın|görmezden gel|görmezden gelin|göz ardı et|göz ardı edin|gözardı et|gözardı edin|unut|unutun|unutunuz|dikkate alma|dikkate almayın|boş ver|boşver|boş verin|bir kenara bırak|bir kenara bırakın|iptal et|iptal edin|hiçe say|hiçe sayın|uyma|uymayın|uymayı bırak|uymayı bırakın|takip etme|takip etmeyi bırak|geçersiz say|geçersiz sayın|çöpe at|kulak asma|kulak asmayın|sil at",
  void: "artık geçerli değil|artık geçerli değildir|geçersizdir|geçersiz|hükümsüz|hükümsüzdür|yürürlükten kaldırıl*|iptal edildi|kaldırıldı|artık gerekli değil|artık gerek yok|artık gerekmiyor|artık gerekmez|askıya alındı",
  earlier:
    "başta|başlangıçta|en başta|sana verilen|verilmiş|önceki|öncekileri|önceden verilen|daha önceki|daha önce|yukarıdaki|yukarıda|bundan önceki|şimdiye kadarki|şimdiye kadar|eski|ilk|mevcut|asıl|evvelki",
  all: "tüm|bütün|her|hepsi|hepsini|herhangi|her şeyi|her şey|tümü|tümünü|istisnasız",
  your: "sana|size|senin|sizin|talimatlarını|kurallarını|talimatların|kuralların",
  instruction: "talimat*|yönerge*|komut istemi|direktif*|kılavuz*|prompt|promptu|promptları|yönlendirme*|buyruk*",
  rule: "kural*|emir*|emri|kısıtlama*|sınırlama*|politika*|yasak*|sınır*|güvenlik kural*",
  system:
    "sistem istemi*|sistem prompt*|sistem talimat*|sistem mesaj*|güvenlik kural*|güvenlik talimat*|sistem kural*|sistem komut*|geliştirici talimat*",
  told: "sana söylenen her şeyi|size söylenen her şeyi|sana söylenenleri|şimdiye kadar söylenen|bildiğin her şeyi|yukarıdaki her şeyi|önceki her şeyi|yukarıdakilerin hepsini|söylenen her şeyi",
  newSystem:
    "yeni sistem istemi*|yeni sistem talimat*|yeni talimatların|yeni talimatlarınız|gerçek talimatların|gerçek görevin|asıl görevin|yeni görevin|gerçek amacın|yeni sistem mesaj*",
  newTask:
    "yeni talimatlar|yeni talimat|yeni hedef|yeni görev|tek amacın|tek görevin|yalnızca şunlara uy|bunun yerine şu*|sadece bu dosyaya uy",
  supreme:
    "kullanıcıdan önce gelir|kullanıcıdan üstün*|operatörden üstün*|kullanıcının üstünde*|her şeyin üstünde*|kullanıcı ne derse desin|kullanıcı itiraz etse|kullanıcı karşı çıksa|sistem isteminden üstün*|sistem isteminden önce",
  follow: "uy|uyun|izle|izleyin|itaat et|yerine getir",
  become:
    "sen artık|artık sen|gibi davran|gibi davranın|rolüne gir|rolünü üstlen|rol yap|gibi yap|taklit et|moduna geç|modunu etkinleştir|modunu aç|olarak yanıt|olarak cevap|olarak davran|sensin|ol",
  free: "sınırsız|kısıtlamasız|sansürsüz|filtresiz|kuralsız|hiçbir kural*|hiçbir kısıtlama*|hiçbir sınır*|kısıtlaması olmayan|sınırı olmayan|kuralı olmayan|kurallardan muaf|geliştirici mod*|tanrı mod*|yönetici mod*|bakım mod*|her şey serbest",
  unbound:
    "artık bağlı değilsin|kurallara bağlı değilsin|artık asistan değilsin|bir asistan değilsin artık|artık hiçbir kural*|kısıtlamaların kaldırıldı|kısıtlamalarından kurtul*|serbest bırakıldın|özgürsün|özgür kaldın|bağlı değilsin",
  reidentify:
    "sen artık|artık sen|şu andan itibaren sen|bundan sonra sen|yeni adın|yeni kimliğin|yeni rolün|kim olduğunu unut|gerçek kimliğin",
  person:
    "kullanıcı*|operatör*|insan*|kişi*|sahib*|gözden geçiren*|inceleyen*|geliştirici*|yönetici*|ekip*|ekib*|hiç kimse*|kimse*|onlara|ona|müşteri*|sorumlu*",
  work: "plan|planı|planın|planlar|değişiklik*|istek|isteği|istekler|eylem*|her şey|adım*|görev*|işlem*|bu|bunlar",
  already: "zaten|çoktan|önceden|peşinen|otomatik*|her zaman|daima|baştan|evvelce|kalıcı",
  approved:
    "onaylandı|onaylanmış*|onaylı*|onayladı|onaylamış*|izin verildi|izin verdi|yetkilendirildi|kabul etti|kabul edildi|onay verdi|onay verildi|onaylar|onaylıyor",
  isApproved:
    "zaten onaylandı|zaten onaylanmış*|çoktan onaylandı|çoktan onaylanmış*|önceden onaylandı|önceden onaylanmış*|önceden onaylı*|peşinen onaylan*|peşinen onaylı*|zaten onayladı|çoktan onayladı|önceden onayladı|zaten izin verdi|zaten kabul etti|her zaman onaylar|daima onaylar|her şeyi onaylıyor|her şeyi onaylar|her şeyi onayladı|otomatik onaylan*|otomatik olarak onaylan*|onaylanmış sayılır|onaylanmış kabul|onaylı sayılır|onaylı sayılıyor|genel onay|sürekli onay|kalıcı onay|kalıcı izin|açık çek|onay verilmiştir|onayı alınmıştır|onay alındı|onayı alındı",
  approval: "onay|onayı|onayını|onayına|onaya|onaylar|izin|izni|iznini|teyit|teyidi|rıza|rızası|imza|imzası|evet|yetki",
  gate: "onay adım*|onay aşama*|onay kapı*|plan mod*|güvenlik denetim*|güvenlik kontrol*|onay mekanizma*|onay süreç*|onay süreci*|onay penceresi*|izin istem*|onay kontrol*|onay ekran*",
  assume:
    "varsay|varsayın|farz et|farzet|kabul et|say|sayın|gibi davran|gibi davranın|gibi hareket et|yerine koy|olarak yorumla|olarak değerlendir|olarak gör|mış gibi|miş gibi",
  skip: "atla|atlayın|es geç|es geçin|devre dışı bırak|devre dışı bırakın|kapat|kapatın|baypas et|etrafından dolaş|pas geç|kaldır",
  ask: "sor|sormak|bekle|beklemek|onay iste|izin iste|onay al|izin al|danış",
  skipAsk:
    "sormadan|sormaksızın|beklemeden|beklemeksizin|onay beklemeden|onay almadan|onay alınmadan|onaysız|izin almadan|izin istemeden|izinsiz|teyit almadan|danışmadan|onay istemeden|sorma|onay isteme|izin isteme|onay bekleme|izin bekleme|onay beklemeyin|onay istemeyin|izin istemeyin|onaya gerek yok*|izne gerek yok*|onay gerekmez|onay gerekmiyor|izin gerekmez|izin gerekmiyor|onay almana gerek yok|izin almana gerek yok|sormana gerek yok|onay gerekli değil*",
  approve:
    "onayla|onaylayın|kabul et|imzala|evet de|evet yaz|evet yanıtını|onay ver|izin ver|onaylandı olarak işaretle|evet diye",
  selfAct:
    "kendin|kendi kendine|kullanıcı adına|operatör adına|onun adına|onların adına|kullanıcının yerine|otomatik olarak|adına|yerine",
  autoApprove:
    "her şeyi onayla|hepsini onayla|tümünü onayla|her isteği onayla|her planı onayla|bütün istekleri onayla|tüm istekleri onayla|her şeyi kabul et|hepsini kabul et|planı kendin onayla|kendin onayla|kendine izin ver|kendi planını onayla|her soruya evet",
  silence: "sessizlik*|sessizliği|yanıt gelmezse|cevap gelmezse|yanıt verilmemesi|cevapsızlık|yanıtsızlık",
  proceed: "devam et|başla|uygula|ilerle|yürüt|işe koyul|hemen başla|çalıştır",
  now: "şimdi|hemen|derhal|artık|bundan sonra|bundan böyle|şu andan itibaren|doğrudan|vakit kaybetmeden|anında",
  danger:
    "sil|çalıştır|yayınla|dağıt|üretim|değiştir|yaz|değişiklikleri|komutları|planı|üzerine yaz|aktar|eylemleri|uygula|yürüt|kur|gönder",
  safe: "test*|linter|biçimlendir*|okuma|salt okunur|belge*|dokümantasyon|yazım hata*|arama|yerel*|staging",
  tell: "söyle|bahset|bildir|haber ver|anlat|belirt|açıkla|göster|uyar|ilet",
  noTell:
    "söyleme|söylemeyin|bahsetme|bahsetmeyin|sözünü etme|bildirme|bildirmeyin|haber verme|haber vermeyin|anlatma|anlatmayın|belirtme|belirtmeyin|açıklama yapma|haber vermeden|söylemeden|bildirmeden|bahsetmeden|bilmesin|bilmemeli|bilmemelidir|öğrenmesin|öğrenmemeli|bilmesine gerek yok|haberi olmasın|haberi olmamalı|fark etmesin|fark etmemeli|sessiz kal|tek kelime etme|bilgi verme|bilgi vermeyin|bilgilendirme|bilgi vermeden|bilgilendirmeden",
  hide: "gizle|gizleyin|sakla|saklayın|gizli tut|gizli tutun|ört bas et|örtbas et|sır olarak|sır tut|aranızda kalsın|maskele|gizleyerek",
  covert:
    "gizlice|gizli gizli|fark ettirmeden|haberi olmadan|habersizce|arkasından|sessizce|iz bırakmadan|çaktırmadan|el altından|belli etmeden",
  self: "bunu|bu|bundan|bunun|bunları|şunu|yaptığını|yaptıklarını|yaptığın|olanları|bu adımı",
  record: "özet*|rapor*|yanıt*|cevap*|günlük*|kayıt*|kaydı|geçmiş*|çıktı*",
  tracks:
    "izleri sil|izlerini sil|izleri yok et|izleri temizle|kanıtları sil|kanıtları yok et|geçmişi temizle|geçmişi sil|günlükleri sil|kayıtları sil|iz bırakma",
  send: "gönder|gönderin|yolla|yollayın|yükle|yükleyin|ilet|iletin|paylaş|paylaşın|aktar|aktarın|sızdır|kopyala|postala|ulaştır",
  grab: "oku|okuyun|topla|toplayın|bul|kopyala|aç|çıkar|al|ara|derle|okuyup|toplayıp|bulup|alıp",
  secret:
    "gizli bilgi*|sır|sırlar*|parola*|şifre*|kimlik bilgi*|özel anahtar*|anahtar*|ortam değişken*|konuşma geçmiş*|sohbet geçmiş*|tokens|tokenları|belirteç*|müşteri veri*",
  out: "harici sunucu*|dış sunucu*|uzak sunucu*|harici|üçüncü taraf*|şu adrese|bu adrese|adrese|adresine|sunucuya|sunucusuna|saldırgan*",
  include: "ekle|ekleyin|yapıştır|göm|yerleştir|kodla|yaz|koy|iliştir",
  publicPlace: "commit mesaj*|pull request*|issue*|yorum*|url*|bağlantı*|görsel*|herkese açık|dal adı*",
  fetch: "indir|indirin|getir|aç|ziyaret et|yükle|oku|indirip|al",
  run: "çalıştır|çalıştırın|yürüt|kur|uygula|uy|yap|yerine getir",
  trigger:
    "her oturum*|her görevden önce|her şeyden önce|başlamadan önce|bir şey yapmadan önce|her seferinde|her başlangıçta|ilk olarak|önce|okur okumaz|okuduktan sonra",
  blind: "incelemeden|okumadan|kontrol etmeden|körü körüne|gözden geçirmeden|denetlemeden|ne yazarsa yazsın",
  decode: "çöz|kodunu çöz|deşifre et|çözün|çözüp",
  encoded: "kodlanmış|şifreli|şifrelenmiş|kodlu",
  authority:
    "operatörünün mesajı|operatörden mesaj|operatörünüzden mesaj|sistem mesajı|yöneticiden mesaj|yönetici mesajı|geliştiricinden mesaj|ben senin operatörün*|ben senin yöneticin*|ben yöneticiyim|ben operatörüm|ben geliştiricin*|emriyle|talimatıyla bildirilir|güvenlik ekibi adına|sistem konuşuyor|yaratıcıların",
  address:
    "yapay zekaysan|yapay zeka isen|bir yapay zekaysan|dil modeliysen|bir dil modeliysen|asistansan|bir asistansan|ajansan|bir ajansan|yapay zeka olarak|tüm yapay zeka*|yapay zeka ajanları*|yapay zeka asistan*|dikkat yapay zeka|dikkat ajan*|dikkat asistan*|ajanlara not|asistana not|yapay zekaya not|modele not|sevgili asistan|sevgili yapay zeka|dil modelleri*|bu dosyayı okuyan|bunu okuyan|bu belgeyi okuyan|bu dosyayı okuyorsan|bunu okuyorsan",
  not: "değil|değildir|asla|hiçbir zaman|yasak*|yasaktır|hayır|sakın|etme|etmeyin|sayma|saymayın|gelme|gelmeyin|unutma|unutmayın|atlama|atlamayın|bırakma|bırakmayın|gönderme|göndermeyin|paylaşma|paylaşmayın|çalıştırma|çalıştırmayın|onaylama|onaylamayın|varsayma|varsaymayın|gizleme|gizlemeyin|saklama|saklamayın|kapatma|kapatmayın|etmez|edilmez|gönderilmez|yapma|yapmayın|yerine|olamaz|yüklemeyin|yükleme|ekleme|eklemeyin|yazma|yazmayın|değiştirme|değiştirmeyin|etmemeli*|edilmemeli*|atlanmaz|atlanamaz|davranma|davranmayın|reddet|silme|silmeyin",
  without: "olmadan|olmaksızın",
  noNeed: "gerek yok|gerekmez|gerekmiyor|lüzum yok",
  if: "eğer|ise|şayet|durumda|olursa|zaman|sürece|takdirde|halinde|isterse",
  only: "yalnızca|sadece|ancak|sınırlı",
  unless: "hariç|dışında|kadar|ta ki|olmadıkça|edilmedikçe|sormadıkça|istemedikçe",
  before: "önce",
  after: "sonra|ardından|sonrasında",
  report:
    "saldırı*|saldırgan*|kötü niyetli*|kötücül|enjeksiyon*|dene*|çalış*|girişim*|örnek|örneğin|örnekler|mesela|gibi metinler|şüpheli*|tespit*|tehdit*|isteyen metin*|diyen|söyleyen|isteyen|kandır*|iddia*|oltalama|zafiyet*|risk*|olay*|hata|hatası|manipül*|düşmanca",
  outside:
    "web sayfa*|sayfalardaki|sayfasındaki|yorumlardaki|yorum*|belgelerdeki|e posta*|postalardaki|harici|dış kaynak*|içindeki|gömülü|araç çıktı*|araç*|veri|veriler|verilerdeki|linter*|windows*|bu bölüm*|bağımlılık*|ekler*|issue*",
  protocol:
    "başlık*|json|gövde*|kasa*|vault|parola yönetici*|açık anahtar*|döndür*|form|giriş*|oturum aç*|örnek|karma|güvenlik ekibi*",
};
