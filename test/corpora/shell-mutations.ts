/** Small, seeded changes to a command line: the ones an attacker would try, and the ones nobody would. */

export type Random = () => number;

/** mulberry32: the same seed gives the same run everywhere. */
export const seeded = (seed: number): Random => {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const pick = <Value>(items: readonly Value[], random: Random): Value => {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error("nothing to pick from");
  return item;
};

const WORDS = [
  "$(echo '; -delete -exec echo')",
  "\"$(echo ';')\"",
  "$(echo -oout)",
  "-exec echo {} ';'",
  "-delete -exec echo ';'",
  "n=x; read $n <<< -oout;",
  ..."-o out -oout --output=out --output out -i -w -e -f -r -p -d -c -x -O -C -D -R -T -n -u -z -I{} -- - -exec -execdir -delete -fprint".split(
    " ",
  ),
  ..."-fls --pre=./evil.sh --pre ./evil.sh --ext-diff --textconv --outp=out -c core.fsmonitor=./evil.sh -s --set -m -F -k -l -t".split(
    " ",
  ),
  ...'{} ; + \\; * ./* {-o,out} {a,b} $x "$x" $(ls) "$(cat list.txt)" ~ a.txt b.txt list.txt . src evil.sh ./evil.sh touch pwned sh'.split(
    " ",
  ),
  ..."> out >> out 2> out &> out >& out < a.txt 2>&1 | || && & ! ( ) { } ;; <<< <(ls) >(cat) $'\\x2d'o $\"x\" '' \"\" \\ # \n \t = [ ] [[ ]]".split(
    " ",
  ),
  ..."xargs env command time nice tee sort uniq find sed awk git rg tar xxd date tree file cat printf read test if then fi for in do done".split(
    " ",
  ),
];

const insertWord = (line: string, random: Random): string => {
  const words = line.split(" ");
  words.splice(Math.floor(random() * (words.length + 1)), 0, pick(WORDS, random));
  return words.join(" ");
};

const dropWord = (line: string, random: Random): string => {
  const words = line.split(" ");
  words.splice(Math.floor(random() * words.length), 1);
  return words.join(" ");
};

const swapWords = (line: string, random: Random): string => {
  const words = line.split(" ");
  const [from, to] = [Math.floor(random() * words.length), Math.floor(random() * words.length)];
  [words[from], words[to]] = [words[to] ?? "", words[from] ?? ""];
  return words.join(" ");
};

const CHARACTERS = "-o|>&;$`'\"\\{}()[]*?~#!=<, \n\taeiwxrsdf01".split("");

const insertCharacter = (line: string, random: Random): string => {
  const at = Math.floor(random() * (line.length + 1));
  return line.slice(0, at) + pick(CHARACTERS, random) + line.slice(at);
};

const dropCharacter = (line: string, random: Random): string => {
  const at = Math.floor(random() * line.length);
  return line.slice(0, at) + line.slice(at + 1);
};

const MUTATIONS = [
  insertWord,
  insertWord,
  insertWord,
  dropWord,
  swapWords,
  insertCharacter,
  insertCharacter,
  dropCharacter,
];

/** One to three changes, or two lines grafted together. */
export const mutate = (lines: readonly string[], random: Random): string => {
  let line = pick(lines, random);
  if (random() < 0.2) line = `${line}${pick([" ", "; ", " | ", " && ", " $(", " -"], random)}${pick(lines, random)}`;
  const count = 1 + Math.floor(random() * 3);
  for (let index = 0; index < count; index += 1) line = pick(MUTATIONS, random)(line, random);
  return line;
};
