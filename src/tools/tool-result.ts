/** What goes into the transcript as a call's result: bounded, plain JSON, and without bytes that a store cannot keep. */
import { IMAGE_BYTES_MAX } from "./builtin/reading/image-type.ts";
import type { ToolOutput } from "../plugins/tool.ts";
import { Json, type JsonObject } from "../protocol/json.ts";
import { cutFields } from "./cut-fields.ts";

export const RESULT_CHARS_MAX = 60_000;
/** A picture cannot be cut: it is shown whole up to here, or not at all. */
const IMAGE_CHARS_MAX = Math.ceil(IMAGE_BYTES_MAX / 3) * 4 + 5_000; // in base64, with its path and type beside it

/** `ran`: with which arguments, and from when on; absent where nothing began. */
export type CallResult = {
  status: "ok" | "error" | "unknown";
  content: Json;
  ran?: { args: JsonObject; startedAtMs: number };
};

type Wanted = {
  charsMax?: number | undefined;
  /** For a program: what is cut keeps its fields. The model reads text. */
  asFields?: boolean;
};

export function toResult(
  output: ToolOutput,
  { charsMax: usual = RESULT_CHARS_MAX, asFields }: Wanted = {},
): CallResult {
  const status = output.status === "ok" ? "ok" : "error";
  const parsed = Json.safeParse(output.content);
  if (!parsed.success) return failed("The tool answered with something that is not plain data.");
  const content = storable(parsed.data);
  const whole = typeof content === "string" ? content : JSON.stringify(content);
  const charsMax = isImage(content) ? IMAGE_CHARS_MAX : usual;
  if (whole.length <= charsMax) return { status, content };
  const fields = asFields === true && typeof content !== "string" ? cutFields(content, charsMax) : undefined;
  return { status, content: fields ?? cut(whole) };
}

/** `{type: "image", mediaType, bytes}` with the bytes in base64, as read makes it. */
const isImage = (content: Json): boolean =>
  content !== null && typeof content === "object" && !Array.isArray(content) && content["type"] === "image";

export const failed = (message: string): CallResult => ({ status: "error", content: cut(storableText(message)) });

/** Says how much is missing and how to get at it; a silent cut would read like the end. */
function cut(text: string): string {
  if (text.length <= RESULT_CHARS_MAX) return text;
  const head = text.slice(0, RESULT_CHARS_MAX).toWellFormed();
  return `${head}\n[cut here: ${RESULT_CHARS_MAX} of ${text.length} characters are shown; ask for a smaller part (a line range, a narrower pattern or path) to see the rest]`;
}

function storable(value: Json): Json {
  if (typeof value === "string") return storableText(value);
  if (Array.isArray(value)) return value.map(storable);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [storableText(key), storable(item)]));
}

/** PostgreSQL keeps neither NUL nor half a surrogate pair; the symbol for NUL shows where one was. */
const storableText = (text: string): string => text.toWellFormed().replaceAll("\u0000", "\u2400");
