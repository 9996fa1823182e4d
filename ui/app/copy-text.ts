/** Puts a text into the clipboard and says so, or that the browser did not let it. */
import { t } from "../i18n/t.ts";
import type { App } from "./app.ts";

export async function copyText(app: Pick<App, "notices">, text: string, copied = t("parts.copied")): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    return app.notices.tell(t("parts.copyFailed"), "bad");
  }
  app.notices.tell(copied);
}
