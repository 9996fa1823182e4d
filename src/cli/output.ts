/** A command's output: lines for people or JSON for programs, results to stdout and errors to stderr. */
import type { Environment } from "../config/home.ts";
import type { Json } from "../protocol/json.ts";
import { type CliError, exitCodeOf } from "./cli-error.ts";
import { type Look, lookOf } from "./text/paint.ts";
import { sanitise } from "./text/sanitise.ts";
import { wrap } from "./text/wrap.ts";

type Stream = { write(text: string): unknown; isTTY?: boolean | undefined; columns?: number | undefined };

export type Output = {
  json: boolean;
  look(): Look;
  /** Lines for people; silent with --json. */
  lines(lines: readonly string[]): void;
  /** One JSON document; silent without --json. */
  document(value: unknown): void;
  /** A note for the person that is not part of the result. */
  remark(text: string): void;
  error(error: CliError): void;
};

export type Streams = { stdout: Stream; stderr: Stream; env: Environment };

export function createOutput({ stdout, stderr, env }: Streams, json: boolean): Output {
  return {
    json,
    look: () => lookOf(stdout, env),
    lines(lines) {
      if (!json && lines.length > 0) say(stdout, lines.join("\n"));
    },
    document(value) {
      if (json) say(stdout, JSON.stringify(value));
    },
    remark(text) {
      if (!json) say(stderr, text);
    },
    error(error) {
      if (json) say(stderr, JSON.stringify({ error: errorDocument(error) }));
      else for (const line of errorLines(error, lookOf(stderr, env))) say(stderr, line);
      if (env["HOLDPOINT_DEBUG"] === "1")
        say(stderr, String(error.cause instanceof Error ? error.cause.stack : error.stack));
    },
  };
}

function say(stream: Stream, line: string): void {
  stream.write(`${line}\n`);
}

function errorDocument(error: CliError): Json {
  return { code: error.code, message: error.message, advice: error.advice, exitCode: exitCodeOf(error) };
}

function errorLines(error: CliError, look: Look): string[] {
  const [first = "", ...rest] = sanitise(error.message)
    .split("\n")
    .flatMap((line) => wrap(line, look.columns - 2));
  const advice = error.advice === "" ? [] : wrap(error.advice, look.columns - 2);
  return [`${look.paint.bad("✗")} ${first}`, ...rest.map((line) => `  ${line}`), ...advice.map((line) => `  ${line}`)];
}
