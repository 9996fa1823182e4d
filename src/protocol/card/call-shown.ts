/** Without a schema library: the page reads this file too. */

/**
 * The exact call inside the gateway's own question about it: its indented lines. Undefined where the text is not built
 * that way; then the whole text is shown instead, and nothing of it is left out.
 */
export function callShownIn(question: string): string | undefined {
  const lines = question.split("\n");
  const call = lines.slice(1, -2);
  const isFramed =
    lines.length >= 4 && [lines[0], ...lines.slice(-2)].every((line) => !(line ?? "").startsWith("    "));
  return isFramed && call.every((line) => line.startsWith("    "))
    ? call.map((line) => line.slice(4)).join("\n")
    : undefined;
}
