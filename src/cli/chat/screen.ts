/**
 * The terminal, line by line. What was said scrolls up and stays; below it are, for a moment, the lines that still
 * change, and the line being typed.
 *
 *   printed lines …
 *   live lines        (an answer still being written, a tool still running)
 *   prompt › typed
 *
 * To print, everything from the live lines down is wiped and drawn again below what was printed.
 */
import { clearScreenDown, createInterface, cursorTo, type Interface, moveCursor } from "node:readline";
import { width } from "../text/width.ts";
import type { ChatView } from "./display.ts";

export type ScreenParts = {
  input: NodeJS.ReadStream;
  output: NodeJS.WriteStream;
  complete(line: string): Promise<string[]>;
  /** How a message that was typed is shown once it has been sent. */
  echo(text: string): string[];
  onLine(text: string): void;
  /** Ctrl+C with an empty line. */
  onInterrupt(): void;
  /** Ctrl+D, or the terminal is gone. */
  onEnd(): void;
};

const HISTORY_MAX = 500;
const HELD_LINES_MAX = 5_000;
const PASTE_MARKS_ON = "\u001b[?2004h";
const PASTE_MARKS_OFF = "\u001b[?2004l";

type Completed = (error: null, found: [string[], string]) => void;

async function complete(line: string, parts: Pick<ScreenParts, "complete">, done: Completed): Promise<void> {
  const found = await parts.complete(line).catch((): string[] => []);
  done(null, [found, line]);
}

export class Screen implements ChatView {
  readonly #parts: ScreenParts;
  readonly #rl: Interface;
  #live: readonly string[] = [];
  #prompt = "› ";
  #pasting = false;
  #held: string[] = []; // lines of a message that is not finished yet
  #closed = false;

  constructor(parts: ScreenParts) {
    this.#parts = parts;
    const { input, output } = parts;
    this.#rl = createInterface({
      input,
      output,
      terminal: true,
      historySize: HISTORY_MAX,
      removeHistoryDuplicates: true,
      completer: (line: string, done: Completed) => void complete(line, parts, done),
    });
    this.#listen();
    output.write(PASTE_MARKS_ON);
    this.#rl.setPrompt(this.#prompt);
    this.#rl.prompt();
  }

  #listen(): void {
    this.#parts.input.on("keypress", (_text: unknown, key: { name?: string } | undefined) => {
      if (key?.name === "paste-start") this.#pasting = true;
      if (key?.name === "paste-end") this.#pasting = false;
    });
    this.#rl.on("line", (line) => this.#take(line));
    this.#rl.on("SIGINT", () => this.#interrupt());
    this.#rl.on("close", () => {
      if (!this.#closed) this.#parts.onEnd();
    });
  }

  print(lines: readonly string[]): void {
    this.#redraw(() => this.#write(lines));
  }

  live(lines: readonly string[]): void {
    const isSame = lines.length === this.#live.length && lines.every((line, at) => line === this.#live[at]);
    if (!isSame) this.#redraw(() => void (this.#live = lines));
  }

  prompt(text: string): void {
    if (text !== this.#prompt) this.#redraw(() => void (this.#prompt = text));
  }

  restore(text: string): void {
    this.#rl.write(text);
  }

  close(): void {
    if (this.#closed) return;
    this.#wipe(this.#rl.getCursorPos().rows + this.#live.length);
    this.#closed = true;
    this.#parts.output.write(PASTE_MARKS_OFF);
    this.#rl.close();
  }

  #redraw(change: () => void): void {
    if (this.#closed) return;
    const { rows } = this.#rl.getCursorPos();
    this.#wipe(rows + this.#live.length);
    change();
    this.#draw(rows);
  }

  /** Clears from so many rows above the cursor down. */
  #wipe(rows: number): void {
    const { output } = this.#parts;
    moveCursor(output, 0, -rows);
    cursorTo(output, 0);
    clearScreenDown(output);
  }

  #write(lines: readonly string[]): void {
    this.#parts.output.write(lines.map((line) => `${line}\n`).join(""));
  }

  /** `typedRows`: how far readline believes the cursor to be below the beginning of its prompt; it goes up by that. */
  #draw(typedRows: number): void {
    this.#write([...this.#live, ...Array.from({ length: typedRows }, () => "")]);
    const count = this.#held.length;
    this.#rl.setPrompt(count === 0 ? this.#prompt : `${this.#prompt}(+${count} ${count === 1 ? "line" : "lines"}) `);
    this.#rl.prompt(true);
  }

  /** Enter ended the typed line: the cursor is on the row below it. */
  #take(line: string): void {
    const columns = Math.max(this.#parts.output.columns, 1);
    const typed = width(withoutColours(this.#rl.getPrompt())) + width(line);
    this.#wipe(Math.floor(typed / columns) + 1 + this.#live.length);
    const goesOn = this.#pasting || line.endsWith("\\");
    this.#held.push(this.#pasting ? line : line.replace(/\\$/, ""));
    if (goesOn && this.#held.length < HELD_LINES_MAX) return this.#draw(0);
    const text = this.#held.join("\n");
    this.#held = [];
    const isBlank = text.trim() === "";
    if (!isBlank) this.#write(this.#parts.echo(text));
    this.#draw(0);
    if (!isBlank) this.#parts.onLine(text);
  }

  #interrupt(): void {
    if (this.#rl.line === "" && this.#held.length === 0) return this.#parts.onInterrupt();
    this.#redraw(() => void (this.#held = []));
    this.#rl.write(null, { ctrl: true, name: "e" });
    this.#rl.write(null, { ctrl: true, name: "u" }); // what was typed is thrown away, nothing else
  }
}

// oxlint-disable-next-line no-control-regex -- our own colours in the prompt take no room
const withoutColours = (text: string): string => text.replaceAll(/\u001b\[[0-9;]*m/g, "");
