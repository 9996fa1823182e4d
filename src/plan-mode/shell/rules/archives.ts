/** Archives and compressed files: listing, testing and unpacking to standard output only. */
import { literalShape } from "../shape.ts";
import type { Shape } from "../shape.ts";
import { stop } from "../verdict.ts";
import { couldNameHost, has, leads, list } from "./rule.ts";
import type { Call, Rule } from "./rule.ts";

/** Listing is a read; so is extraction to standard output. Of two modes at once some tars take the last. */
const checkTar = (call: Call): void => {
  const lists = leads(call, "-t --list");
  const unpacks = has(call, "-x --extract --get");
  const reads = lists !== unpacks && (lists || leads(call, "-O --to-stdout"));
  if (!reads && !leads(call, "--version --help")) stop("missing-option", "tar needs -t, or -x with -O");
  for (const { name, value } of call.options)
    // tar calls rsh for an archive on another host.
    if ((name === "-f" || name === "--file") && value !== undefined && couldNameHost(value))
      stop("network", `tar ${value.text ?? "…"}`);
};

const tarOptions = {
  flags: "txOvzjJaZpmkPhRi",
  valued: "fCXb",
  long: list(`list extract get to-stdout verbose gzip gunzip bzip2 xz zstd lzma lzip auto-compress file= directory= exclude=
    exclude-from= strip-components= wildcards no-wildcards wildcards-match-slash anchored no-anchored ignore-case full-time
    numeric-owner quoting-style= occurrence=? totals utc force-local null show-transformed-names version help`),
  harmful:
    "-c -r -u -A -d --create --append --update --delete --to-command --use-compress-program -I --checkpoint-action --rsh-command --info-script --new-volume-script -F --index-file -T --files-from",
} as const;

/** `tar tfv x` is `tar -t -f x -v`: in the old style the values follow the letters in order. */
const spellOut = (shapes: readonly Shape[]): readonly Shape[] => {
  const [letters, ...rest] = shapes;
  if (letters?.text === undefined || !/^[A-Za-z]+$/.test(letters.text)) return shapes;
  const spelled: Shape[] = [];
  for (const letter of letters.text) {
    spelled.push(literalShape(`-${letter}`));
    const value = tarOptions.valued.includes(letter) ? rest.shift() : undefined;
    if (value !== undefined) spelled.push(value);
  }
  return [...spelled, ...rest];
};

/** Of list, test and unpack the last one wins, and files behind a version query are still processed. */
const printsOnly = (call: Call): void => {
  if (leads(call, "-c --stdout --to-stdout")) return;
  const looks = leads(call, "-l --list -t --test") && !has(call, "-d --decompress --uncompress -k --keep");
  const asks = has(call, "-V --version -h -H --help") && call.operands.length === 0;
  if (!looks && !asks) stop("missing-option", `${call.name} needs -c, or -l or -t alone`);
};

export const ARCHIVES: readonly Rule[] = [
  {
    names: "tar gtar bsdtar",
    options: tarOptions,
    normalise: spellOut,
    check: checkTar,
  },
  {
    names: "unzip",
    // `unzip -l -- --l a.zip` takes the -l back and unpacks.
    options: { flags: "lpvtqcCaZ12h", single: "--help", harmful: "-d -o -x -f -u" },
    requires: "-l -p -v -t -c -Z -h --help",
  },
  {
    names: "gzip gunzip pigz",
    options: {
      flags: "cdklqtvfnN123456789Vh",
      long: "stdout to-stdout decompress uncompress list quiet test verbose force version help keep no-name",
    },
    check: printsOnly,
  },
  {
    names: "bzip2 bunzip2",
    options: { flags: "cdkqtvfs123456789Vh", long: "stdout decompress test verbose quiet force keep version help" },
    check: printsOnly,
  },
  {
    names: "xz unxz lzma unlzma",
    options: {
      flags: "cdklqtvf0123456789eVHh",
      valued: "T",
      long: "stdout to-stdout decompress list test verbose quiet force keep version help threads= robot",
    },
    check: printsOnly,
  },
  {
    names: "zstd unzstd",
    options: {
      flags: "cdklqtvf123456789Vh",
      long: "stdout decompress list test verbose quiet keep version help",
      harmful: "-o --output-dir-flat --rm --train -D",
    },
    check: printsOnly,
  },
  {
    names: "zcat gzcat bzcat xzcat lzcat zstdcat",
    options: { flags: "fqvh", long: "help version force quiet" },
    marker: "--",
  },
  {
    names: "zgrep zegrep zfgrep bzgrep xzgrep zstdgrep",
    options: {
      flags: "EFGPivwxcLlnoqshHabzr",
      valued: "ABCem",
      numeric: true,
      long: "ignore-case invert-match word-regexp count files-with-matches line-number only-matching quiet no-filename with-filename color=? context= after-context= before-context= max-count= regexp= version help",
    },
    // A shell script: names that a pattern brings in, and names of several lines, have fooled old versions.
    sandboxed: (call) => call.shapes.some((shape) => shape.text === undefined),
    marker: "--",
    check: (call) => {
      const odd = call.shapes.find((shape) => shape.prefix.includes("\n"));
      if (odd !== undefined) stop("operand", `${call.name} ${odd.prefix}`);
    },
  },
  {
    names: "ar gar",
    options: { flags: "tpvVoOT" },
    literal: true,
    check: (call) => {
      if (!/^-?[tp][vVoOT]*$/.test(call.shapes[0]?.text ?? ""))
        stop("known-write", "ar", "Only ar t and ar p are reads.");
      if (call.shapes.some((shape) => shape.text?.startsWith("@") === true)) stop("operand", "ar @file");
    },
  },
  {
    names: "cpio",
    options: { flags: "itv", long: "list extract verbose quiet numeric-uid-gid" },
    requires: "-t --list",
    operandsMax: 8,
  },
  {
    names: "7z 7za 7zr",
    options: { single: "-slt -ba" },
    operand: /^[^@-]/,
    check: (call) => void (call.operands[0]?.text === "l" || stop("known-write", "7z", "Only 7z l is a read.")),
  },
];
