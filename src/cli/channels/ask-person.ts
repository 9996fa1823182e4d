/** One question to the person at the terminal. What is secret is not shown while it is typed. */
import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";

/** An empty answer to something that is needed is asked again this often. */
const ASKED_MAX = 3;

export type Asked = { ask: string; optional: boolean; isSecret: boolean };

/** Undefined: what is optional was left out. */
export async function askPerson(
  { ask, optional, isSecret }: Asked,
  { stdin, terminal }: Pick<CommandContext, "stdin" | "terminal">,
): Promise<string | undefined> {
  const note = [...(optional ? ["empty: none"] : []), ...(isSecret ? ["not shown"] : [])].join(", ");
  const prompt = `${ask}${note === "" ? "" : ` (${note})`}: `;
  for (let asked = 0; asked < ASKED_MAX; asked++) {
    const text = await typedLine(prompt, { stdin, terminal, isSecret });
    if (text !== "") return text;
    if (optional) return undefined;
  }
  throw notAnswered("usage", `${ask}: it is needed.`);
}

type Typing = Pick<CommandContext, "stdin" | "terminal"> & { isSecret: boolean };

async function typedLine(prompt: string, { stdin, terminal, isSecret }: Typing): Promise<string> {
  if (isSecret) terminal.write(prompt);
  const output = isSecret ? nowhere() : terminal;
  const asking = createInterface({ input: stdin, output, terminal: true });
  const ended = new AbortController();
  asking.once("close", () => ended.abort()); // Ctrl+D, or the terminal is gone
  try {
    return (await asking.question(isSecret ? "" : prompt, { signal: ended.signal })).trim();
  } catch {
    throw notAnswered("interrupted", "You left before everything was answered.");
  } finally {
    asking.close();
    if (isSecret) terminal.write("\n");
  }
}

const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });

const notAnswered = (exit: "usage" | "interrupted", message: string): CliError =>
  new CliError({ exit, message: `${message} Nothing was written.`, code: "NOT_ANSWERED" });
