/** The bytes of an answer as text for the model, by what the server says they are. */
import type { IncomingHttpHeaders } from "node:http";
import { readable } from "./html/readable.ts";

const CHARSET_PROBE_BYTES = 2_048;

export type PageText = { title: string; text: string } | { error: string };

export function pageText(page: { url: string; headers: IncomingHttpHeaders; body: Buffer }, raw: boolean): PageText {
  const contentType = page.headers["content-type"] ?? "";
  const type = (contentType.split(";")[0] ?? "").trim().toLowerCase();
  const isHtml = type === "text/html" || type === "application/xhtml+xml" || (type === "" && looksLikeHtml(page.body));
  if (!isHtml && !isText(type, page.body)) {
    return { error: `It is no text (${type || "no type given"}, ${page.body.length} bytes).` };
  }
  const text = decode(page.body, contentType, isHtml);
  return isHtml && !raw ? readable(text, page.url) : { title: "", text };
}

const TEXTUAL = /^(?:text\/.*|application\/(?:.*[+-])?(?:json|xml|yaml|javascript|toml|ndjson|graphql|sql|rtf))$/;

const isText = (type: string, body: Buffer): boolean =>
  TEXTUAL.test(type) || ((type === "" || type === "application/octet-stream") && !body.subarray(0, 8_192).includes(0));

const looksLikeHtml = (body: Buffer): boolean =>
  /^\s*<(?:!doctype html|html)/i.test(body.subarray(0, 512).toString("latin1"));

function decode(body: Buffer, contentType: string, isHtml: boolean): string {
  const named = /charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? (isHtml ? metaCharset(body) : undefined);
  try {
    return new TextDecoder(named ?? "utf-8").decode(body);
  } catch {
    return new TextDecoder().decode(body); // an unknown charset
  }
}

const metaCharset = (body: Buffer): string | undefined =>
  /<meta[^>]+charset\s*=\s*["']?([\w.:-]+)/i.exec(body.subarray(0, CHARSET_PROBE_BYTES).toString("latin1"))?.[1];
