/**
 * Logs the talk with models for whoever debugs it (CM-09): HOLDPOINT_DEBUG_MODEL_TRANSPORT=1 each request and how it was
 * answered, HOLDPOINT_DEBUG_MODEL_PAYLOAD=tools the tools that it names, =full-redacted the request itself,
 * HOLDPOINT_DEBUG_SSE=events what streams back, =peek the beginning of that. Secrets are taken out and texts are cut, but
 * prompts are in it: it is for a short time.
 */
import { toolNamesIn } from "../../agent/providers/exact-tools.ts";
import type { WireListener, WireRequest, WireWatch } from "../../agent/providers/watched-fetch.ts";
import { redactSecrets } from "../process/redact-secrets.ts";

const BODY_CHARS_MAX = 20_000;
const EVENT_CHARS_MAX = 1_000;
const PEEKED = 5;

type Environment = Readonly<Record<string, string | undefined>>;
type Log = { info(about: object, message: string): void };
type Asked = { transport: boolean; payload: string | undefined; eventsMax: number };

/** Undefined where nothing is asked for: then nothing is between us and the vendor. */
export function modelWireLog(env: Environment, log: Log): WireWatch | undefined {
  const asked = askedBy(env);
  if (!asked.transport && asked.payload === undefined && asked.eventsMax === 0) return undefined;
  return (request) => {
    logRequest(request, asked, log);
    return listenerFor(request.model, asked, log);
  };
}

/** Another word logs nothing. */
function askedBy({
  HOLDPOINT_DEBUG_MODEL_TRANSPORT: transport = "",
  HOLDPOINT_DEBUG_MODEL_PAYLOAD: payload = "",
  HOLDPOINT_DEBUG_SSE: events = "",
}: Environment): Asked {
  return {
    transport: transport !== "" && transport !== "0" && transport !== "false",
    payload: payload === "tools" || payload === "full-redacted" ? payload : undefined,
    eventsMax: events === "events" ? Infinity : events === "peek" ? PEEKED : 0,
  };
}

function logRequest({ model, place, body }: WireRequest, { transport, payload }: Asked, log: Log): void {
  const text = typeof body === "string" ? body : "";
  if (transport) log.info({ model, place, bytes: Buffer.byteLength(text) }, "[model/transport] request");
  if (payload === "tools") log.info({ model, tools: toolNamesIn(body) ?? null }, "[model/payload] tools");
  if (payload === "full-redacted") log.info({ model, body: shown(text, BODY_CHARS_MAX) }, "[model/payload] request");
}

function listenerFor(model: string, { transport, eventsMax }: Asked, log: Log): WireListener {
  const startedMs = performance.now();
  const ms = (): number => Math.round(performance.now() - startedMs);
  return {
    answered(status) {
      if (transport) log.info({ model, status, ms: ms() }, "[model/transport] answer");
    },
    failed(error) {
      const reason = shown(error instanceof Error ? error.message : String(error), EVENT_CHARS_MAX);
      if (transport) log.info({ model, reason, ms: ms() }, "[model/transport] failed");
    },
    ...(eventsMax === 0 ? {} : { heard: eventLog(model, eventsMax, log) }),
  };
}

/** Bytes come as they come: an event ends at an empty line. */
function eventLog(model: string, eventsMax: number, log: Log): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder();
  let rest = "";
  let count = 0;
  return (chunk) => {
    if (count >= eventsMax) return;
    const parts = `${rest}${decoder.decode(chunk, { stream: true })}`.split(/\r?\n\r?\n/);
    rest = (parts.pop() ?? "").slice(-BODY_CHARS_MAX);
    for (const event of parts.filter((part) => part.trim() !== "").slice(0, eventsMax - count))
      log.info({ model, n: ++count, event: shown(event, EVENT_CHARS_MAX) }, "[model/sse] event");
  };
}

const shown = (text: string, charsMax: number): string => {
  const clean = redactSecrets(text).toWellFormed();
  return clean.length <= charsMax ? clean : `${clean.slice(0, charsMax).toWellFormed()}…`;
};
