/** Two ways of writing a plan down. In each, what an agent wrote cannot pass for what the house writes. */
import { oneLine, revealHidden } from "../../plugins/sdk.ts";

export type Format = "plain" | "markdown";

/** Agent text in one line. */
export const inline = (text: string, format: Format): string =>
  format === "plain" ? oneLine(text) : oneLine(text).replace(/[\\`*_{}[\]<>#|~]/g, "\\$&");

/** Agent text of several lines: set apart, line by line. */
export const block = (text: string, format: Format): string =>
  revealHidden(text)
    .trim()
    .split("\n")
    .map((line) => (format === "plain" ? `  ${line}` : `> ${line.replaceAll("<", "\\<")}`).trimEnd())
    .join("\n");

/** Agent text behind a mark: its first line there, the others below it, each behind a bar that tells them from ours. */
export function behind(mark: string, text: string): string {
  const [first = "", ...rest] = revealHidden(text).trim().split("\n");
  const bar = `${" ".repeat(mark.length)}│ `;
  return [mark + oneLine(first), ...rest.map((line) => `${bar}${line}`.trimEnd())].join("\n");
}
