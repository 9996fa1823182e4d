/** How each format sets something off; what is set off is neutral already and has no line break. */
import { never } from "../../plugins/sdk.ts";
import type { Format } from "../port.ts";

export function bold(text: string, format: Format): string {
  switch (format) {
    case "html":
      return `<b>${text}</b>`;
    case "mrkdwn":
      return `*${text}*`;
    case "markdown":
      return `**${text}**`;
    case "plain":
      return text;
    default:
      return never(format);
  }
}

export function struck(text: string, format: Format): string {
  switch (format) {
    case "html":
      return `<s>${text}</s>`;
    case "mrkdwn":
      return `~${text}~`;
    case "markdown":
      return `~~${text}~~`;
    case "plain":
      return text;
    default:
      return never(format);
  }
}

/** A command of ours to be typed: shown as it is, so it must hold nothing that the format reads. */
export function command(text: string, format: Format): string {
  switch (format) {
    case "html":
      return `<code>${text.replace(/[<>&"]/g, "")}</code>`;
    case "mrkdwn":
    case "markdown":
      return `\`${text.replaceAll("`", "").replace(/[<>&]/g, "")}\``;
    case "plain":
      return text;
    default:
      return never(format);
  }
}
