/** Code that nobody can read: text that is decoded, fetched or put together, and then run. */
import type { Finding } from "../finding.ts";
import { UNKNOWN } from "../finding.ts";
import { decodeEscapes } from "../resolve.ts";

/** `"rm" + "Sync"`, `'rm'.concat('Sync')`, and in PHP and Perl `"unl"."ink"`, become one string; so do `\x72` and its like. */
export const joinStrings = (code: string): string =>
  decodeEscapes(code)
    .replace(/(["'`])\s*[+.]\s*\1/g, "")
    .replace(/(["'`])\.concat\(\1([^"'`]*)\1\)/g, "$2$1");

const DECODES =
  /b64decode|b32decode|fromhex|unhexlify|a2b_|\bcodecs\b|decompress|inflate|\bmarshal\b|rot_?13|\bchr\b|\[::-1\]|\batob\b|Buffer\.from|fromCharCode|fromCodePoint|\bunescape\b|decodeURI|TextDecoder|\bpack\b|\bunpack1?\b|decode_base64|decode64|base64_decode|gzuncompress|hex2bin|strrev|\breverse\b|urlopen|requests\.get|\bfetch\(|LWP|open-uri|Invoke-WebRequest|FromBase64String/i;

const LITERAL_ONLY = String.raw`(?!\s*[rbuf]{0,2}["'\x60][^"'\x60]*["'\x60]\s*[,)])`;
/** Runs a text as code of its own language. */
const EVALUATES = new RegExp(
  String.raw`\b(?:exec|eval|compile|Function|runIn\w*Context|instance_eval|class_eval|assert|create_function|load|loadstring|iex)\s*\(${LITERAL_ONLY}|\b(?:eval|iex|Invoke-Expression)\s+(?![{"'])`,
);
/** Runs a text as a command, where the text is no plain string or list. */
const COMMANDS =
  /\b(?:system|popen\w*|Popen|exec\w*|spawn\w*|run|call|check_output|check_call|getoutput|passthru|shell_exec|proc_open)\s*\((?!\s*["'`[])/;
/** A member of a module that touches files, by a name that is computed. */
const COMPUTED_MEMBER =
  /\bgetattr\(\s*(?:os|shutil|subprocess|pathlib|__import__\([^()]*\))\s*,(?!\s*["']\w+["']\s*[,)])|(?:\bfs|\bfsp|require\(["'`](?:node:)?(?:fs|fs\/promises|child_process)["'`]\))\s*\[(?!\s*["'`]\w+["'`]\s*\])/;

const opaque = (matched: string): Finding => ({ class: "destructive", code: "unresolved", matched });

export const findComputedCode = (given: string): Finding | undefined => {
  const code = joinStrings(given);
  if (code.trim() === UNKNOWN || COMPUTED_MEMBER.test(code)) return opaque(given);
  const runs = EVALUATES.test(code) || COMMANDS.test(code);
  return runs && DECODES.test(code) ? opaque(given) : undefined;
};
