/**
 * HTML as a flat row of tags and texts. It reads what browsers forgive: unclosed tags, unquoted attributes, a stray <.
 * One pass from left to right and no pattern that could go back, so its time grows with the page and no faster.
 */
import { decodeEntities } from "./entities.ts";

export type Token =
  | { kind: "open"; name: string; attributes: ReadonlyMap<string, string>; selfClosing: boolean }
  | { kind: "close"; name: string }
  | { kind: "text"; text: string };

const ATTRIBUTES_MAX = 100;
/** What stands in these is no markup, up to their own closing tag. */
const RAW = new Set(["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"]);

export function* tokensOf(html: string): Generator<Token> {
  let at = 0;
  while (at < html.length) {
    const next = html.indexOf("<", at);
    if (next < 0) return yield text(html.slice(at));
    if (next > at) yield text(html.slice(at, next));
    const tag = readTag(html, next);
    at = tag.end;
    if (tag.token === undefined) continue;
    yield tag.token;
    if (tag.token.kind !== "open" || !RAW.has(tag.token.name)) continue;
    const close = closingTag(html, at, tag.token.name);
    if (close > at) yield text(html.slice(at, close));
    at = close;
  }
}

const text = (raw: string): Token => ({ kind: "text", text: decodeEntities(raw) });

/** Where `</name` begins, or the end of the page. */
function closingTag(html: string, from: number, name: string): number {
  const sought = `</${name}`;
  for (let at = html.indexOf("</", from); at >= 0; at = html.indexOf("</", at + 2)) {
    if (html.slice(at, at + sought.length).toLowerCase() === sought) return at;
  }
  return html.length;
}

type Read = { token: Token | undefined; end: number };

function readTag(html: string, at: number): Read {
  if (html.startsWith("<!--", at)) return { token: undefined, end: after(html, "-->", at + 4) };
  const second = html.charAt(at + 1);
  if (second === "!" || second === "?") return { token: undefined, end: after(html, ">", at + 2) };
  const isClose = second === "/";
  const start = isClose ? at + 2 : at + 1;
  const nameEnd = endOfName(html, start);
  if (nameEnd === start) return { token: { kind: "text", text: "<" }, end: at + 1 }; // a < that is only that
  const name = html.slice(start, nameEnd).toLowerCase();
  if (isClose) return { token: { kind: "close", name }, end: after(html, ">", nameEnd) };
  const { attributes, end, selfClosing } = readAttributes(html, nameEnd);
  return { token: { kind: "open", name, attributes, selfClosing }, end };
}

function after(html: string, mark: string, from: number): number {
  const at = html.indexOf(mark, from);
  return at < 0 ? html.length : at + mark.length;
}

const isLetter = (character: string): boolean => /^[A-Za-z]$/.test(character);
const isNamePart = (character: string): boolean => /^[A-Za-z0-9:_-]$/.test(character);
const isSpace = (character: string): boolean => /^[\s/]$/.test(character);

function endOfName(html: string, start: number): number {
  if (!isLetter(html.charAt(start))) return start;
  let at = start + 1;
  while (isNamePart(html.charAt(at))) at++;
  return at;
}

function readAttributes(html: string, from: number) {
  const attributes = new Map<string, string>();
  let at = from;
  while (at < html.length) {
    while (isSpace(html.charAt(at))) at++;
    if (at >= html.length || html.charAt(at) === ">") break;
    const nameStart = at;
    while (at < html.length && !/[\s/>=]/.test(html.charAt(at))) at++;
    const name = html.slice(nameStart, at).toLowerCase();
    const value = readValue(html, at);
    at = Math.max(value.end, nameStart + 1); // a stray sign is skipped, so that the loop always advances
    if (attributes.size < ATTRIBUTES_MAX && name !== "" && !attributes.has(name)) attributes.set(name, value.value);
  }
  return { attributes, end: Math.min(at + 1, html.length), selfClosing: html.charAt(at - 1) === "/" };
}

function readValue(html: string, from: number): { value: string; end: number } {
  let at = from;
  while (/\s/.test(html.charAt(at))) at++;
  if (html.charAt(at) !== "=") return { value: "", end: from };
  at++;
  while (/\s/.test(html.charAt(at))) at++;
  const quote = html.charAt(at);
  if (quote === '"' || quote === "'") {
    const end = html.indexOf(quote, at + 1);
    const stop = end < 0 ? html.length : end;
    return { value: decodeEntities(html.slice(at + 1, stop)), end: Math.min(stop + 1, html.length) };
  }
  const start = at;
  while (at < html.length && !/[\s>]/.test(html.charAt(at))) at++;
  return { value: decodeEntities(html.slice(start, at)), end: at };
}
