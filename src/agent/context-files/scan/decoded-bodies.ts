/** Bodies in another notation, read as the text that they are: base64, hexadecimal, percent signs, character references. */
const BASE64 = /(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{24,20000}={0,2}(?![A-Za-z0-9+/=_-])/g;
const HEX = /(?<![A-Za-z0-9])(?:[0-9a-f]{2}[ :]?){20,4000}(?![A-Za-z0-9])/gi;
const PERCENT = /(?:%[0-9a-f]{2}|[A-Za-z0-9._~+-]){20,4000}/gi;
const REFERENCES = /(?:&#x?[0-9a-f]{2,6};\s?){8,}/gi;
const ESCAPES = /(?:\\x[0-9a-f]{2}|\\u[0-9a-f]{4}){8,}/gi;
const BODIES_MAX = 64;
const READABLE_SHARE_MIN = 0.9;

/** The readable texts that a line holds in another notation. */
export function decodedBodies(line: string): string[] {
  if (line.length < 24) return [];
  const bodies: string[] = [];
  for (const [sign, pattern, decode] of DECODERS) {
    if (!sign.test(line)) continue;
    for (const found of line.matchAll(pattern)) {
      const body = decode(found[0]);
      if (body !== undefined && isReadable(body)) bodies.push(body);
      if (bodies.length >= BODIES_MAX) return bodies;
    }
  }
  return bodies;
}

const DECODERS: readonly (readonly [RegExp, RegExp, (body: string) => string | undefined])[] = [
  [
    /[A-Za-z0-9+/_-]{24}/,
    BASE64,
    (body) => (/[A-Z]/.test(body) && /[a-z]/.test(body) ? Buffer.from(body, "base64").toString("utf8") : undefined),
  ],
  [
    /[0-9a-f]{2}[ :]?[0-9a-f]{2}[ :]?[0-9a-f]{2}[ :]?[0-9a-f]{2}[ :]?[0-9a-f]{2}/i,
    HEX,
    (body) => Buffer.from(body.replace(/[^0-9a-f]/gi, ""), "hex").toString("utf8"),
  ],
  [/%[0-9a-f]{2}/i, PERCENT, (body) => (/(?:%[0-9a-f]{2}[^%]{0,12}){3}/i.test(body) ? unescaped(body) : undefined)],
  [
    /&#/,
    REFERENCES,
    (body) =>
      body.replace(/&#(x?)([0-9a-f]+);\s?/gi, (_, x: string, code: string) =>
        character(Number.parseInt(code, x === "" ? 10 : 16)),
      ),
  ],
  [
    /\\[xu]/,
    ESCAPES,
    (body) => body.replace(/\\[xu]([0-9a-f]+)/gi, (_, code: string) => character(Number.parseInt(code, 16))),
  ],
];

const character = (code: number): string => (code > 0 && code < 0x110000 ? String.fromCodePoint(code) : "");

function unescaped(body: string): string | undefined {
  try {
    return decodeURIComponent(body.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}

function isReadable(body: string): boolean {
  if (body.length < 12 || body.includes("\uFFFD") || !/[\s\u3000-\u9fff\uac00-\ud7ff]/.test(body)) return false;
  const readable = body.match(/[\p{L}\p{M}\s.,;:!?'"()/-]/gu)?.length ?? 0;
  return readable / Array.from(body).length >= READABLE_SHARE_MIN;
}
