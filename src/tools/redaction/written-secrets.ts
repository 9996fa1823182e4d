/** Secrets with a form of their own: private keys, signed tokens, keys that are named, and passwords in addresses. */
import { bodyOf, hasDigit, isMixed, JUDGED_CHARS, type Shape } from "./shape.ts";

const ANYTHING = new RegExp(`[^]{0,${JUDGED_CHARS}}`, "y");
const NOTHING = /(?:)/y;

/** `AGE-SECRET-KEY-1…`: 58 capitals and digits. */
const AGE: Shape = {
  prefix: "AGE-SECRET-KEY-1",
  body: bodyOf("0-9A-Z"),
  accepts: (body, isAlone) => isAlone && body.length >= 50 && hasDigit(body),
};

/** A signed token: the payload is an object in base64, as the header is. */
const SIGNED_TOKEN: Shape = {
  prefix: "eyJ",
  body: bodyOf("A-Za-z0-9_.-"),
  accepts: (body, isAlone) => isAlone && /^[\w-]{10,}\.(?:eyJ|ewo|ewk)[\w-]{8,}\.[\w-]{16,}/.test(body),
};

/** The longest private key that is in use has some 13,000 characters. */
const PRIVATE_KEY_CHARS_MAX = 16_384;
/** Line ends as they are, as they are written in JSON and in code, and what a difference or a list puts in front of lines. */
const BETWEEN = String.raw`[\s"'+,;|>]|\\[nrt]|-(?!-)|\d{1,6}[:|]`;
const KEY_HEADER = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash):[^\n\\]{0,100}`;
const PRIVATE_KEY_BEGINS = new RegExp(
  String.raw`^[A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:${BETWEEN}|${KEY_HEADER}){1,40}[A-Za-z0-9+/]{24}`,
);
const PRIVATE_KEY_ENDS = /-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----/g;
/** Of a key whose end is not shown: its whole lines. */
const KEY_LINES = new RegExp(String.raw`(?:[A-Za-z0-9+/=]{24,}|${BETWEEN})*`, "y");

/** In lines, in one line with `\n` written out, in a difference; a marker alone, as code and documents name it, is none. */
const PRIVATE_KEY: Shape = {
  prefix: "-----BEGIN ",
  body: { judged: ANYTHING, whole: NOTHING },
  accepts: (body) => PRIVATE_KEY_BEGINS.test(body),
  span(text, start) {
    const from = start - "-----BEGIN ".length;
    const upTo = text.slice(start, start + PRIVATE_KEY_CHARS_MAX);
    PRIVATE_KEY_ENDS.lastIndex = 0;
    const end = PRIVATE_KEY_ENDS.exec(upTo);
    if (end !== null) return { from, to: start + end.index + end[0].length, isOpen: false };
    const marker = upTo.indexOf("-----") + 5;
    KEY_LINES.lastIndex = marker;
    const to = start + marker + (KEY_LINES.exec(upTo)?.[0].length ?? 0);
    return { from, to, isOpen: upTo.length < PRIVATE_KEY_CHARS_MAX };
  },
};

const NAMED_VALUE = /^(["']?\s{0,8}(?::|=>?|,)\s{0,8}["']?)([A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/;
const named = (prefix: string): Shape => ({
  prefix,
  body: { judged: /["'\s:=>,]{0,24}[A-Za-z0-9/+=]{0,60}/y, whole: NOTHING },
  accepts(body) {
    const value = NAMED_VALUE.exec(body)?.[2] ?? "";
    return hasDigit(value) && isMixed(value) && !value.includes("EXAMPLE");
  },
  span: (text, start) => valueSpan(text, start, NAMED_VALUE),
});

/** Of a name that stays, and the value behind it. */
function valueSpan(text: string, start: number, shape: RegExp): ReturnType<NonNullable<Shape["span"]>> {
  const [, name = "", value = ""] = shape.exec(text.slice(start, start + JUDGED_CHARS)) ?? [];
  const from = start + name.length;
  const to = from + value.length;
  return { from, to, isOpen: to >= text.length };
}

/** Of `scheme://name:password@place`: the name, and the password. */
const IN_ADDRESS = /^([^\s/:@"'`<>(){}[\]|\\]{0,100}:)([^\s/@"'`<>\\]{1,200})@[\w[]/;
/** What documents and templates write where a password goes. */
const PLACEHOLDER =
  /^(?:.*[${}<>*%()].*|(?:my|your|the|db|some)?[-_]?(?:pass(?:word|wd|phrase)?|pwd?|secret|token|key|auth|user(?:name)?|changeme|example|test|foo|bar|x+|\.+|…))$/i;
const ADDRESS: Shape = {
  prefix: "://",
  body: { judged: /[^\s/"'`<>\\]{0,310}/y, whole: NOTHING },
  accepts(body) {
    const [, name = "", password = ""] = IN_ADDRESS.exec(body) ?? [];
    return password !== "" && !PLACEHOLDER.test(password) && `${password}:` !== name;
  },
  span: (text, start) => valueSpan(text, start, IN_ADDRESS),
};

export const WRITTEN_SECRETS: readonly Shape[] = [
  AGE,
  SIGNED_TOKEN,
  PRIVATE_KEY,
  ADDRESS,
  ...["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "secretAccessKey", "SecretAccessKey"].map(named),
];
