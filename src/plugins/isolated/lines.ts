/** Messages between a plugin's process and the gateway: one JSON value a line, so that a broken one cannot hide the next. */
export const LINE_BYTES_MAX = 2 * 1024 * 1024;

const NEW_LINE = 0x0a;

/** Splits bytes into lines. `onTooLong` is called once; nothing is read after it. */
export function lineReader(handlers: { onLine(line: string): void; onTooLong(): void }): (chunk: Buffer) => void {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let isOver = false;
  const keep = (part: Buffer): void => {
    kept.push(part);
    keptBytes += part.length;
  };
  return (chunk) => {
    for (let from = 0; !isOver && from < chunk.length;) {
      const end = chunk.indexOf(NEW_LINE, from);
      keep(chunk.subarray(from, end === -1 ? chunk.length : end));
      if (keptBytes > LINE_BYTES_MAX) {
        isOver = true;
        kept = [];
        return handlers.onTooLong();
      }
      if (end === -1) return;
      const line = Buffer.concat(kept).toString("utf8");
      kept = [];
      keptBytes = 0;
      from = end + 1;
      if (line !== "") handlers.onLine(line);
    }
  };
}
