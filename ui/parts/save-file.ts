/** Hands a text to the browser as a file to save. */

/** The browser reads the file after the click; soon after nothing needs it any more. */
const RELEASED_AFTER_MS = 60_000;

export function saveFile({ text, mediaType, filename }: { text: string; mediaType: string; filename: string }): void {
  const url = URL.createObjectURL(new Blob([text], { type: mediaType }));
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASED_AFTER_MS);
}
