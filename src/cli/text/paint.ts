/** Colour by meaning. Without colours every function returns its text as it is. */
import { styleText } from "node:util";

type Stroke = (text: string) => string;

export type Paint = {
  strong: Stroke;
  quiet: Stroke;
  /** The product's own colour: names, marks, frames of what is going on. */
  accent: Stroke;
  good: Stroke;
  /** Something waits for the person. */
  waiting: Stroke;
  bad: Stroke;
  struck: Stroke;
};

/** `isPiped`: a program reads it, and lists are not cut to fit. */
export type Look = { columns: number; paint: Paint; isPiped?: boolean };

type Terminal = { isTTY?: boolean | undefined; columns?: number | undefined };
type Environment = Readonly<Record<string, string | undefined>>;

const COLUMNS_MIN = 40;
const COLUMNS_MAX = 100; // longer lines are hard to read
const COLUMNS_UNKNOWN = 80;

const plain: Stroke = (text) => text;
const brush =
  (format: Parameters<typeof styleText>[0]): Stroke =>
  (text) =>
    text === "" ? "" : styleText(format, text, { validateStream: false });

export const NO_PAINT: Paint = {
  strong: plain,
  quiet: plain,
  accent: plain,
  good: plain,
  waiting: plain,
  bad: plain,
  struck: plain,
};

const PAINT: Paint = {
  strong: brush("bold"),
  quiet: brush("dim"),
  accent: brush("cyan"),
  good: brush("green"),
  waiting: brush("yellow"),
  bad: brush("red"),
  struck: brush(["dim", "strikethrough"]),
};

/** The last column stays free: many terminals wrap when it is written to. */
export function lookOf(terminal: Terminal, env: Environment): Look {
  const columns = Math.min(Math.max((terminal.columns ?? COLUMNS_UNKNOWN) - 1, COLUMNS_MIN - 1), COLUMNS_MAX);
  return { columns, paint: hasColours(terminal, env) ? PAINT : NO_PAINT, isPiped: terminal.isTTY !== true };
}

function hasColours(terminal: Terminal, env: Environment): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  if ((env["FORCE_COLOR"] ?? "") !== "") return env["FORCE_COLOR"] !== "0";
  return terminal.isTTY === true && env["TERM"] !== "dumb";
}
