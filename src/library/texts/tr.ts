export const texts = {
  plugin_library: "Plan kitaplığı",
  about_library: "Sunulan her planı dosya olarak saklar ve hepsini aranabilir kılar.",
  planFileLost_full: "Disk dolu: bu planın dosya kopyası yok. Planın kendisi saklandı ve karara bağlanabilir.",
  planFileLost_read_only:
    "Plan klasörüne yazılamıyor: bu planın dosya kopyası yok. Planın kendisi saklandı ve karara bağlanabilir.",
  planFileLost_refused:
    "Plan klasörü başka bir yere gidiyor: bu planın dosya kopyası yok. Planın kendisi saklandı ve karara bağlanabilir.",
  planFileLost_taken:
    "Bu başlık ve gün için tüm dosya adları alınmış: bu planın dosya kopyası yok. Planın kendisi saklandı ve karara bağlanabilir.",
  planFileLost_unwritable:
    "Disk hata verdi: bu planın dosya kopyası yok. Planın kendisi saklandı ve karara bağlanabilir.",
  unitLostTracked:
    "Git .holdpoint/work içindeki dosyaları izliyor ve onlara asla dokunulmaz: bu planın orada kopyası yok. Plan yine de yürütülür.",
  unitLost: "Bu plan .holdpoint/work içine kopyalanamadı ({because}). Plan yine de yürütülür.",
  workUnitsHere: "Bu çalışma alanındaki onaylı planlar",
};
