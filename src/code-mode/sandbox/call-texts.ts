/**
 * Calls and their answers as the gateway and a machine write them to each other: one line of JSON that names them, and behind it
 * the JSON of their arguments or results as it is. Quoted a second time it would be read and written once more at each border.
 */
import type { CallMethod } from "./sandbox.ts";

export type Answer = [callId: string, ok: boolean, json: string];
export type RequestsMessage = [callId: string, method: CallMethod, target: string, argsJson: string][];

const [LINE_END, QUOTE] = [0x0a, 0x22];
const IN_FLIGHT_MAX = 128;
const CALL_ID_CHARS_MAX = 32;
const TARGET_CHARS_MAX = 2_000;
const METHODS: ReadonlySet<unknown> = new Set<CallMethod>(["search", "describe", "call", "namespace"]);

/** Of each: callId, 1 or 0, and how long its JSON is. */
export function answersText(answers: readonly Answer[]): string {
  let head = "";
  let texts = "";
  for (const [callId, ok, json] of answers) {
    head += `${head === "" ? "[" : ","}"${callId}",${ok ? 1 : 0},${json.length}`;
    texts += json;
  }
  return `${head === "" ? "[" : head}]\n${texts}`;
}

/** Which calls a text answers, by its first line, in which nothing but a callId is quoted; byte by byte, as it comes for every call. */
export function answeredIds(text: Uint8Array): string[] {
  const ids: string[] = [];
  let id: string | undefined;
  for (const byte of text) {
    if (byte === LINE_END) return ids;
    if (byte !== QUOTE) id = id === undefined ? undefined : id + String.fromCharCode(byte);
    else if (id === undefined) id = "";
    else {
      ids.push(id);
      id = undefined;
    }
  }
  throw new Error("no answers");
}

/** From a stranger; by hand, as it comes for every call: a schema takes longer than all the rest of the way. */
export function readRequests(text: string): RequestsMessage {
  let from = text.indexOf("\n") + 1;
  const heads: unknown = JSON.parse(text.slice(0, from));
  if (!Array.isArray(heads) || heads.length > IN_FLIGHT_MAX) throw new Error("no requests");
  const made = heads.map((head: unknown): RequestsMessage[number] => {
    if (!isHead(head)) throw new Error("no request");
    const [callId, method, target, chars] = head;
    from += chars;
    return [callId, method, target, text.slice(from - chars, from)];
  });
  if (from !== text.length) throw new Error("requests of another length");
  return made;
}

type Head = [callId: string, method: CallMethod, target: string, chars: number];

function isHead(given: unknown): given is Head {
  if (!Array.isArray(given) || given.length !== 4) return false;
  const [id, method, target, chars]: unknown[] = given;
  if (typeof id !== "string" || id.length > CALL_ID_CHARS_MAX || !METHODS.has(method)) return false;
  if (typeof target !== "string" || target.length > TARGET_CHARS_MAX) return false;
  return typeof chars === "number" && Number.isInteger(chars) && chars >= 0;
}
