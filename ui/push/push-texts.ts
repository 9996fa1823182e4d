/** What the service worker says when a push comes: kept where it finds it, since it knows no language of its own. */
import { t } from "../i18n/t.ts";

/** The worker keeps this cache when it takes the place of an older one. */
const CACHE = "holdpoint-push";
const TEXTS = "/push-texts.json";

export async function keepPushTexts(): Promise<void> {
  const texts = {
    approval: t("cards.planWaits"),
    question: t("cards.questionWaits"),
    open: t("inbox.pushOpen"),
    back: t("cards.reviseSend"),
  };
  const cache = await caches.open(CACHE);
  await cache.put(TEXTS, new Response(JSON.stringify(texts), { headers: { "content-type": "application/json" } }));
}
