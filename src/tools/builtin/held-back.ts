/** Output whose first line may not be the program's: it is passed on when something else comes, or when it is told to. */
type Push = (chunk: Buffer, stream: "out" | "err") => "more" | "enough";

const HELD_BYTES_MAX = 8_192;

/** `first`: how a line begins that is held back; undefined: none is. */
export function heldBack(first: string | undefined, push: Push): { push: Push; release(): void } {
  let held: Buffer[] = [];
  let isOver = first === undefined;
  function release(): void {
    const chunks = held;
    held = [];
    isOver = true;
    for (const chunk of chunks) push(chunk, "err");
  }
  /** It may come in pieces. */
  function mayBe(chunk: Buffer): boolean {
    const whole = Buffer.concat([...held, chunk]);
    const text = whole.toString("latin1");
    const isOneLine = text.indexOf("\n") === -1 || text.indexOf("\n") === text.length - 1;
    const begins = first !== undefined && (text.startsWith(first) || first.startsWith(text));
    return begins && isOneLine && whole.length <= HELD_BYTES_MAX;
  }
  return {
    release,
    push(chunk, stream) {
      if (!isOver && stream === "err" && mayBe(chunk)) {
        held.push(chunk);
        return "more";
      }
      if (!isOver) release();
      return push(chunk, stream);
    },
  };
}
