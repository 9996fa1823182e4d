/** Shows the view of a link that adds a passkey. Its code is taken out of the address, so that no history keeps it. */
import { withTexts } from "../i18n/t.ts";

export async function showEnrolment(): Promise<void> {
  const code = location.hash.replace("#passkey=", "");
  history.replaceState(null, "", "/");
  const { EnrolPage } = await withTexts(() => import("./enrol-page.ts"), "cards", "problems", "settings", "localized");
  const page = new EnrolPage();
  document.body.replaceChildren(page);
  await page.open(code);
}
