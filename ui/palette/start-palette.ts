/**
 * The keys that lead anywhere: Ctrl or Cmd with K for the palette, also while somebody types, `w` for what waits next and
 * `u` for what is unread; on a phone a swipe leads from one thing that waits to the next. The palette itself is loaded when it is opened first.
 */
import type { App } from "../app/app.ts";
import { withTexts } from "../i18n/t.ts";
import { isPaletteKey } from "./palette-key.ts";
import { goToWaiting } from "./next-waiting.ts";
import { onSwipe } from "./swipe.ts";

const PALETTE_EVENT = "hp-palette";

/** `isAsked`: somebody pressed its keys before this was loaded. */
export function startPalette(app: App, isAsked: boolean): void {
  let isOpen = false;

  async function open(): Promise<void> {
    if (isOpen) return;
    isOpen = true;
    const loaded = await app.attempt(() =>
      withTexts(() => import("./palette-dialog.ts"), "palette", "settings", "localized"),
    );
    if (loaded === undefined) return void (isOpen = false);
    const dialog = new loaded.PaletteDialog();
    dialog.app = app;
    dialog.addEventListener("hp-close", () => {
      isOpen = false;
      dialog.remove();
    });
    document.body.append(dialog);
  }

  addEventListener("keydown", (event) => {
    if (!isPaletteKey(event)) return;
    event.preventDefault(); // browsers search with it
    void open();
  });
  onSwipe((step) => {
    const { waiting } = app.state;
    const here = app.router.get()?.params["sessionId"];
    if (waiting.get().some(({ id }) => id === here)) goToWaiting(app, { step }); // from one that waits to the next
  });
  addEventListener(PALETTE_EVENT, () => void open());
  if (isAsked) void open();
  app.keys.add(
    { key: "Ctrl+k", does: "palette.key", run: () => void open() },
    { key: "w", does: "palette.nextWaiting", run: () => goToWaiting(app) },
    { key: "u", does: "palette.nextUnread", run: () => goToWaiting(app, { isUnread: true }) },
  );
}
