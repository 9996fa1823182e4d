export const modes = {
  sure_auto: "Planlar okunmadan onaylansın mı?",
  sureText_auto:
    "Bu oturumun her planı, kimse görmeden bir kural tarafından hemen onaylanır. Bu, kayda geçer. İstediğiniz zaman kapatabilirsiniz.",
  sureYes_auto: "Planlama ⚡ modunu aç",
  sure_bypass: "Her şey sormadan çalışsın mı?",
  sureText_bypass:
    "Bu oturumda, yıkıcı olanlar dâhil hiçbir değişiklik artık sorulmaz. Plan modu geçerliliğini korur. İstediğiniz zaman kapatabilirsiniz.",
  sureYes_bypass: "Sormadan modunu aç",
  sure_leave: "Bir plan beklerken plan modundan çıkılsın mı?",
  sureText_leave: "İmza bekleyen plan geri çekilir. Ajan bundan sonra plansız değişiklik yapabilir.",
  sureYes_leave: "Plan modundan çık",
  sure_replan: "Planın uygulanması durdurulsun mu?",
  sureText_replan: "Onaylanan plan burada biter; kalanı yapılmaz. Yeni bir plan imzalanmadan hiçbir şey değişmez.",
  sureYes_replan: "Planlamaya dön",
  hint_default: "Yıkıcı işlemler önce sorulur.",
  hint_ask: "Her değişiklik önce sorulur.",
  hint_accept: "Dosya düzenlemeleri yapılır, diğer değişiklikler önce sorulur.",
  hint_plan: "Bir plan imzalanmadan hiçbir şey değişmez.",
  hint_auto: "Planları bir kural onaylar.",
  hint_bypass: "Hiçbir şey sorulmaz.",
} as const;
