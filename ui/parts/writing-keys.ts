/** The keys of every field that words are written in: Ctrl or Cmd with Enter sends, Escape leaves, Enter makes a new line. */
const isApple = /mac|iphone|ipad/i.test(navigator.platform);

/** As this machine's keyboard names it. */
export const SEND_KEY = isApple ? "⌘↵" : "Ctrl+Enter";

type Pressed = Pick<
  KeyboardEvent,
  "key" | "ctrlKey" | "metaKey" | "isComposing" | "preventDefault" | "stopPropagation"
>;

/** While characters are put together, as for Japanese, both keys belong to that. Nothing around the field hears them. */
export const writingKeys =
  ({ send, leave }: { send: () => void; leave: () => void }) =>
  (event: Pressed): void => {
    const { key, ctrlKey, metaKey, isComposing } = event;
    const act = key === "Escape" ? leave : key === "Enter" && (ctrlKey || metaKey) ? send : undefined;
    if (act === undefined || isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
