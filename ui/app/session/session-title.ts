/** The title of a session as it is shown, and the one that a new session takes from its first message. */
import { t } from "../../i18n/t.ts";
import { visibly } from "../../text/visibly.ts";

const TITLE_CHARS_MAX = 60;

/** A title is text of a person or an agent: shown with its invisible characters visible. */
export const titleOf = ({ title }: { title: string }): string =>
  title.trim() === "" ? t("app.untitled") : visibly(title);

/** A session without a title takes it from its first message. */
export function titleFrom(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return line.length > TITLE_CHARS_MAX ? `${line.slice(0, TITLE_CHARS_MAX - 1)}…` : line;
}
