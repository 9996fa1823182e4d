/** What is kept of a command's output: its beginning and its end. What people watch live has a limit too. */
const HEAD_CHARS_MAX = 15_000;
const TAIL_CHARS_MAX = 35_000;
const LIVE_CHARS_MAX = 1_000_000;

export type OutputWindow = {
  /** Takes more output; returns what of it may still be shown live. */
  add(chunk: Buffer): string;
  text(): string;
};

export function createOutputWindow(): OutputWindow {
  const decoder = new TextDecoder(); // keeps half a character until the other half arrives
  let head = "";
  let tail = "";
  let total = 0;
  return {
    add(chunk) {
      const text = decoder.decode(chunk, { stream: true });
      const room = HEAD_CHARS_MAX - head.length;
      head += text.slice(0, room);
      tail = (tail + text.slice(room)).slice(-TAIL_CHARS_MAX);
      total += text.length;
      return total <= LIVE_CHARS_MAX ? text : "";
    },
    text() {
      const left = total - head.length - tail.length;
      if (left === 0) return head + tail;
      return `${head}\n[${left} characters left out here; send the output to a file and read it in parts to see them]\n${tail}`;
    },
  };
}
