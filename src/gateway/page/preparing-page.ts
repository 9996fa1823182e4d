/** What a person sees who opens the page while it is being built: that, in their language, and then the page. */
import type { HttpAnswer, HttpRequest } from "../../http/http-route.ts";
import { PAGE_HEADERS } from "./page-headers.ts";

/** The page is usually there sooner; whoever runs no scripts is asked to look again after this. */
const LOOK_AGAIN_S = 2;

const TEXTS: Readonly<Record<string, string>> = {
  en: "The page is being prepared. It opens by itself in a moment.",
  de: "Die Seite wird vorbereitet. Sie öffnet sich gleich von selbst.",
  es: "La página se está preparando. Se abrirá sola en un momento.",
  fr: "La page est en préparation. Elle s’ouvrira d’elle-même dans un instant.",
  id: "Halaman sedang disiapkan dan akan segera terbuka sendiri.",
  ja: "ページを準備しています。まもなく自動的に開きます。",
  ko: "페이지를 준비하고 있습니다. 잠시 후 자동으로 열립니다.",
  pl: "Strona jest przygotowywana. Za chwilę otworzy się sama.",
  "pt-BR": "A página está sendo preparada. Ela abrirá sozinha em instantes.",
  tr: "Sayfa hazırlanıyor. Birazdan kendiliğinden açılacak.",
  uk: "Сторінка готується. За мить вона відкриється сама.",
  "zh-CN": "页面正在准备，稍后会自动打开。",
  "zh-TW": "頁面正在準備，稍後會自動開啟。",
};

/** A request that names no page in its `accept` is answered when the page is there. A reload keeps the log-in in the address. */
const SCRIPT = `const look = () =>
  fetch("/", { cache: "no-store", headers: { accept: "*/*" } }).then(
    () => location.reload(),
    () => setTimeout(look, 500),
  );
look();
`;

const STYLE = `:root { color-scheme: light dark; background: light-dark(#f7f7f5, #121316); color: light-dark(#1b1c1e, #e9e9e7); }
body { display: grid; place-content: center; justify-items: center; min-block-size: 100dvh; margin: 0; padding: 1rem;
  box-sizing: border-box; font: 0.9375rem/1.5 system-ui, sans-serif; text-align: center; }
h1 { margin: 0; font-size: 1.375rem; }
progress { inline-size: min(16rem, 80vw); accent-color: light-dark(#3450c4, #a3b6ff); }
`;

export function preparing({ path, headers }: Pick<HttpRequest, "path" | "headers">): HttpAnswer {
  if (path === "/preparing.js") return answer("text/javascript", SCRIPT);
  if (path === "/preparing.css") return answer("text/css", STYLE);
  const language = languageFor(headers["accept-language"]);
  const page = answer("text/html", documentIn(language));
  return { ...page, status: 503, headers: { ...page.headers, "retry-after": String(LOOK_AGAIN_S) } };
}

function documentIn(language: string): string {
  const text = TEXTS[language] ?? TEXTS["en"] ?? "";
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Holdpoint</title>
    <link rel="stylesheet" href="/preparing.css">
    <script type="module" src="/preparing.js"></script>
    <noscript><meta http-equiv="refresh" content="${LOOK_AGAIN_S}"></noscript>
  </head>
  <body>
    <main>
      <h1>Holdpoint</h1>
      <p id="what" role="status">${text}</p>
      <progress aria-labelledby="what"></progress>
    </main>
  </body>
</html>
`;
}

const answer = (type: string, body: string): HttpAnswer => ({
  status: 200,
  body,
  headers: { ...PAGE_HEADERS, "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" },
});

/** The first of the browser's languages that we speak. Nothing of the header itself goes into the document. */
function languageFor(header: string | undefined): string {
  const wanted = (header ?? "").split(",").map((item) => (item.split(";")[0] ?? "").trim().toLowerCase());
  const known = Object.keys(TEXTS);
  for (const tag of wanted) {
    if (/^zh-(?:hant|tw|hk|mo)/.test(tag)) return "zh-TW";
    const found = known.find((id) => id.toLowerCase() === tag || id.split("-")[0] === tag.split("-")[0]);
    if (found !== undefined) return found;
  }
  return "en";
}
