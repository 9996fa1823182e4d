/** Which words of a command line are meant for us: what follows another program's name, or two dashes, is that program's. */

/** Commands that start another program, and their own options that take a value. */
const STARTERS: Readonly<Record<string, ReadonlySet<string>>> = {
  acp: new Set(["--workspace", "--model-host", "--host", "--network"]),
  run: new Set(["--workspace", "--writable", "--model-host", "--host", "--network"]),
};

export function ownWords(argv: readonly string[]): readonly string[] {
  const [command = "", ...rest] = argv;
  const values = Object.hasOwn(STARTERS, command) ? STARTERS[command] : undefined;
  const name = values === undefined ? -1 : nameAt(rest, values);
  const dashes = rest.indexOf("--");
  const ends = [name, dashes].filter((at) => at !== -1);
  return ends.length === 0 ? argv : argv.slice(0, Math.min(...ends) + 1);
}

function nameAt(words: readonly string[], values: ReadonlySet<string>): number {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) return at;
    if (values.has(word)) at++;
  }
  return -1;
}
