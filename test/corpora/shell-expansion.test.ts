import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { quote } from "../../src/plan-mode/shell/emit.ts";
import { judgeShell } from "../../src/plan-mode/shell/shell-gate.ts";
import { repetitions, SEED } from "../kit/repetitions.ts";
import { type Random, seeded } from "./shell-mutations.ts";

/** Words as bash expands them, and as it expands what the gate makes of them: the same, or the line is refused. */

const WORDS = 1_500;
const PIECES_MAX = 4;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;
const HOME = "/home/u";
const FILES = ["a", "b", "ab", "a1", "a2", "-1", "x b"];
const VARIABLES = "x='p q'; xa=named; x1=numbered; n=7;";

const hasBash = spawnSync("bash", ["--version"]).error === undefined;
if (!hasBash) process.stdout.write("shell expansion: skipped, there is no bash\n");

const folder = mkdtempSync(join(tmpdir(), "expansion-"));
for (const file of FILES) writeFileSync(join(folder, file), "");
afterAll(() => rmSync(folder, { recursive: true }));

const probe = (words: string): string => `printf '%s|' begin ${words}`;

/** What bash prints for each line; one shell for all of them, and none of them sees what another left. */
const printed = (lines: readonly string[]): readonly string[] => {
  const script = lines.map((line) => `( eval ${quote(line)} ) 2>&1; printf '\\0'`).join("\n");
  const env = { HOME, PATH: "/usr/bin:/bin", LC_ALL: "C" };
  const options = ["--noprofile", "--norc"];
  const { stdout } = spawnSync("bash", options, {
    cwd: folder,
    env,
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
    input: `${VARIABLES}\n${script}\n`,
  });
  const answers = stdout.split("\0").slice(0, -1);
  expect(answers).toHaveLength(lines.length);
  return answers;
};

/** The words that mean something else to bash than their canonical form does, with both readings. */
const misread = (words: readonly string[]): { readonly compared: number; readonly wrong: readonly string[] } => {
  const pairs = words.flatMap((word) => {
    const verdict = judgeShell(`${VARIABLES} ${probe(word)}`, { cwd: folder, home: HOME });
    return verdict.allowed ? [{ word, canonical: verdict.canonical }] : [];
  });
  const asWritten = printed(pairs.map(({ word }) => probe(word)));
  const asEmitted = printed(pairs.map(({ canonical }) => canonical));
  const wrong = pairs.flatMap(({ word }, at) =>
    asWritten[at] === asEmitted[at] ? [] : [`${JSON.stringify(word)}: ${asWritten[at]} became ${asEmitted[at]}`],
  );
  return { compared: pairs.length, wrong };
};

const pick = (items: readonly string[], random: Random): string => items[Math.floor(random() * items.length)] ?? "";

const ENDS = "0 1 2 3 9 10 00 01 02 007 010 -0 -1 -2 -01 -02 -010 -10 a c e z A C Z aa +1".split(" ");
const STEPS = ["", "", "", "", "..2", "..-1", "..0", "..02"];
const ELEMENTS = ["", "a", "b", "1", "*", "a?", "-n", "./x", "a.b", "x=1", "~", "\\,", "'q'", "$x", "{b,c}", "{1..2}"];
const OTHERS = [
  ..."a 1 - = : / . , .. { } {} {a} {a {1.. ,b} * ? [ab] [ ] ~ ~/ ^ ! # @ + % \\a \\{ \\} \\, \\~ \\* x= y: x=~ :~/".split(
    " ",
  ),
  "$x",
  '"$x"',
  "${x}",
  "$n",
  '"$n"',
  "$1",
  "$#",
  "${#x}",
  "${x%q}",
  '"${x:-d}"',
  "$((1+2))",
  "'s t'",
  "''",
  '""',
  '"d e"',
  '"{a,b}"',
  "'{1..2}'",
  "$'\\t'",
  "$'{a,b}'",
  '"~"',
  "\\\n",
];

const range = (random: Random): string => `{${pick(ENDS, random)}..${pick(ENDS, random)}${pick(STEPS, random)}}`;

const list = (random: Random): string => {
  const count = 1 + Math.floor(random() * 3);
  return `{${Array.from({ length: count }, () => pick(ELEMENTS, random)).join(",")}}`;
};

const word = (random: Random): string => {
  const pieces = 1 + Math.floor(random() * PIECES_MAX);
  const piece = (): string => {
    const kind = random();
    if (kind < 0.35) return range(random);
    return kind < 0.55 ? list(random) : pick(OTHERS, random);
  };
  return Array.from({ length: pieces }, piece).join("");
};

describe.skipIf(!hasBash)("expansion, compared with bash", () => {
  it("[GA-05] of every range between two ends is written out as bash would, or refused", () => {
    const ranges = ENDS.flatMap((from) =>
      ENDS.flatMap((to) => STEPS.slice(3).map((step) => `{${from}..${to}${step}}`)),
    );
    const { compared, wrong } = misread(ranges);
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(250);
  });

  it("[GA-05] of generated words gives what bash makes of them, or they are refused", () => {
    const random = seeded(SEED);
    for (const n of repetitions(1)) {
      const { compared, wrong } = misread(Array.from({ length: WORDS }, () => word(random)));
      expect({ n, wrong }).toEqual({ n, wrong: [] });
      expect(compared).toBeGreaterThan(WORDS / 5);
    }
  });
});
