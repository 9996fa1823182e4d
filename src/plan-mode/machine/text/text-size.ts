/** How long a text is, in bytes of UTF-8 and in characters. */
export const textSize = (text: string): { bytes: number; chars: number } => ({
  bytes: new TextEncoder().encode(text).length,
  chars: Array.from(text).length,
});
