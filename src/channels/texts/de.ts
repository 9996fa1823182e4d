export const texts = {
  plugin_channels: "Kanäle",
  about_channels: "Chats, in denen Menschen mit Agenten sprechen und über Pläne entscheiden.",
  cardOfPlugin: "Gezeigt vom Plugin",
  cardLink: "Auf der Seite:",
  cardUntil: "Offen bis",
  cardSigned: "Unterschriften:",
  cardNotes: "Offene Anmerkungen:",
  cardBlocked: "Agenten darunter arbeiten noch; vor ihrer Rückkehr wird nichts genehmigt.",
  cardMaybeRepeated: "(Dies kann eine Wiederholung sein: Ob es schon gesendet wurde, ist unbekannt.)",
  cardReplaced: "Was hier vorher stand, hat sich geändert:",
  cutStep: "weiterer Schritt",
  cutSteps: "weitere Schritte",
  cutSection: "weiterer Abschnitt",
  cutSections: "weitere Abschnitte",
  cutPart: "etwas ist nur zum Teil gezeigt",
  cutWhere:
    "Lesen Sie den ganzen Plan, bevor Sie entscheiden: Er wurde mit dieser Nachricht gesendet, oder tippen Sie /plan view.",
  emptyText: "(ein leerer Text)",
  planFile: "Der ganze Plan:",
  clickDone: "Vermerkt.",
  clickAsks: "Antworten Sie auf diese Nachricht in Ihren eigenen Worten.",
  cardOver: "Dies ist vorbei; hier kann nichts mehr entschieden werden.",
  pairCode:
    "Ihr Code ist {code}. Bitten Sie einen Operator, der Sie kennt, ihn binnen einer Stunde zu bestätigen: {command}",
  fact_accountPaired: "Konto auf einem Kanal verbunden",
  fact_accountUnpaired: "Konto auf einem Kanal entzogen",
  channelNotRunning: "Dieses Konto läuft nicht.",
  filesNotTaken:
    "Dateien werden hier nicht angenommen. Von dieser Nachricht wurde nichts weitergegeben: Senden Sie den Text ohne die Datei.",
  filesTooMany: "Zu einer Nachricht gehören höchstens {max} Dateien. Nichts davon wurde weitergegeben.",
  fileTooLarge:
    "„{name}“ ist zu groß: Die Dateien einer Nachricht dürfen zusammen {max} KiB haben. Nichts davon wurde weitergegeben.",
  fileNotLoaded:
    "„{name}“ konnte nicht geladen werden. Von dieser Nachricht wurde nichts weitergegeben; senden Sie sie bitte noch einmal.",
};
