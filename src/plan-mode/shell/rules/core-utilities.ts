/** Listing, sizes, paths, identity, numbers: the everyday tools of GNU and BSD. */
import { stop } from "../verdict.ts";
import { printsCount, printsDate, printsLookup, printsNumber, printsPath } from "./prints.ts";
import { list } from "./rule.ts";
import type { Call, Rule } from "./rule.ts";

/** GNU and BSD versions have no option that writes, runs or connects. */
const HARMLESS = `ls dir vdir eza exa lsd cat tac head tail nl cut paste comm join fold expand unexpand rev fmt col colrm
  tr cmp pr ul look strings od hexdump hd cksum sum md5 md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum shasum
  basename dirname readlink pathchk stat du df tsort factor expr seq numfmt echo true false : whoami id groups
  logname users w uname printenv locale getconf uptime cal ncal jq gojq bc column dircolors
  readelf mdfind sw_vers getfacl getcap lsattr namei mountpoint zipinfo`;

const checkDate = (call: Call): void => {
  for (const operand of call.operands)
    if (!operand.prefix.startsWith("+"))
      stop("operand", `date ${operand.text ?? "…"}`, "Only a +format is a read; other operands set the clock.");
};

const checkTee = (call: Call): void => {
  for (const operand of call.operands) {
    if (!["/dev/null", "/dev/stdout", "/dev/stderr"].includes(operand.text ?? ""))
      stop("known-write", `tee ${operand.text ?? "…"}`);
  }
};

export const CORE_UTILITIES: readonly Rule[] = [
  { names: HARMLESS, options: "any" },
  {
    names: "date gdate",
    options: {
      flags: "uRjn",
      valued: "drfv",
      optional: "I",
      long: "date= reference= file= utc universal iso-8601=? rfc-3339= rfc-email rfc-2822 debug resolution help version",
      harmful: "-s --set",
    },
    // BSD sets the clock by the second one.
    operandsMax: 1,
    check: checkDate,
    prints: printsDate,
  },
  {
    names: "who",
    options: {
      flags: "abdHilmpqrstTuw",
      long: "all boot dead heading login process count runlevel short time users mesg message writable help version",
      // Asks a name server for the hosts in the file.
      harmful: "--lookup",
    },
  },
  {
    names: "tree",
    options: {
      flags: "adfilpsughDFqNQrtcUnCASxJXv",
      separate: "LPITH",
      long: list(`all dirsfirst filesfirst sort=? noreport charset= filelimit= timefmt= du prune si inodes device gitignore info nolinks
        matchdirs ignore-case fromfile metafirst help version`),
      harmful: "-o -R",
    },
  },
  {
    names: "file",
    options: {
      flags: "bdEhiIklLnNrsv0",
      valued: "mFeP",
      long: list(`brief mime mime-type mime-encoding dereference no-dereference keep-going list no-buffer no-pad raw
        special-files separator= magic-file= exclude= exclude-quiet= extension apple print0 parameter= help version`),
      // -p sets the time of access back.
      harmful: "-C --compile -z --uncompress -Z --uncompress-noreport -p --preserve-date",
    },
  },
  { names: "tee", options: { flags: "a", long: "append" }, check: checkTee },
  { names: "sleep", options: { long: "help version" }, operand: /^\d+(?:\.\d+)?[sm]?$/, operandsMax: 1 },
  // On macOS `arch name` runs a program.
  { names: "arch", options: {}, operandsMax: 0 },
  { names: "wc", options: "any", prints: printsCount },
  { names: "nproc", options: "any", prints: printsNumber },
  { names: "pwd realpath", options: "any", prints: printsPath },
  { names: "which", options: "any", prints: printsLookup },
  { names: "whereis", options: "any" },
];
