/** What is sent as the Cloud API wants it: texts, up to three buttons, a list for more, documents. */
import type { Button, Out } from "../port.ts";

const BUTTONS_MAX = 3;
const LIST_LABEL = "Choose";

/** Undefined for what is no single message: a file is uploaded first. */
export function whatsappMessage(out: Out, replyTo?: string): object | undefined {
  const context = replyTo === undefined ? {} : { context: { message_id: replyTo } };
  switch (out.kind) {
    case "text":
    case "edit": // there are no edits here; the bridge sends a new message instead
      return { type: "text", text: { body: shownText(out.body.text), preview_url: false }, ...context };
    case "card":
      return out.buttons.length === 0
        ? { type: "text", text: { body: shownText(out.body.text), preview_url: false } }
        : { type: "interactive", interactive: interactive(shownText(out.body.text), out.buttons) };
    case "file":
      return undefined;
  }
}

const ENTITIES: Readonly<Record<string, string>> = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

/** What Slack's format escapes means nothing here, and WhatsApp would show the escapes themselves. */
export const shownText = (text: string): string => text.replace(/&(?:lt|gt|amp);/g, (entity) => ENTITIES[entity] ?? "");

const interactive = (text: string, buttons: readonly Button[]): object =>
  buttons.length <= BUTTONS_MAX
    ? {
        type: "button",
        body: { text },
        action: { buttons: buttons.map(({ token, label }) => ({ type: "reply", reply: { id: token, title: label } })) },
      }
    : {
        type: "list",
        body: { text },
        action: {
          button: LIST_LABEL,
          sections: [{ rows: buttons.map(({ token, label }) => ({ id: token, title: label })) }],
        },
      };
