/** docs/PROTOCOL.md: what a client must know, with every method and every limit taken from the code. */
import { INTERNAL_EVENTS } from "../../src/gateway/feed.ts";
import { FRAMES_BEFORE_HANDSHAKE_MAX, HANDSHAKE_MS_MAX } from "../../src/http/socket/connection.ts";
import { NESTING_MAX } from "../../src/http/socket/frame-reader.ts";
import { GUESSES_FREE, LOCK_MS_MAX } from "../../src/http/guess-limit.ts";
import { BUFFERED_BYTES_MAX } from "../../src/http/socket/outbound.ts";
import { REQUESTS_UNDER_WAY_MAX } from "../../src/http/socket/requests.ts";
import { UNAUTHENTICATED_MAX } from "../../src/http/socket/sockets.ts";
import { REPLAY_BYTES_MAX, REPLAY_EVENTS_MAX, SUBSCRIPTIONS_MAX } from "../../src/http/socket/subscriptions.ts";
import { FRAME_BYTES_MAX, PROTOCOL_VERSION } from "../../src/protocol/frames.ts";
import { ENROLMENTS } from "../../src/protocol/wire/enrolment.ts";
import { LOGINS } from "../../src/protocol/wire/login.ts";
import { ALL_METHODS } from "../../src/all-methods.ts";
import { BUNDLED } from "../../src/bundled.ts";
import { REFUSAL_CODES } from "../../src/protocol/refusal.ts";
import { SessionEvent } from "../../src/protocol/session.ts";
import { type JsonSchema, type ProtocolSchema } from "./schema.ts";
import { typeText } from "./type-text.ts";

const SHOWN_SHAPES = [
  "SessionView",
  "SessionSummary",
  "Waiting",
  "Turn",
  "PlanApproval",
  "PlanRevision",
  "PlanBody",
  "PlanStep",
  "Entry",
  "ToolCall",
  "AuditRow",
  "Refusal",
  "Card",
  "CardAction",
  "CardStep",
  "CardText",
  "By",
  "LocalizedLines",
];

export function protocolDocument(schema: ProtocolSchema): string {
  return [
    INTRODUCTION,
    browserLogin(schema),
    limits(),
    "## Methods\n",
    methodTable(),
    ...Object.entries(ALL_METHODS).map(([name, method]) => methodSection(name, method, schema)),
    "## Shapes\n",
    ...SHOWN_SHAPES.map((name) => shapeSection(name, schema)),
    "## Events\n",
    events(),
    "## Refusals\n",
    refusals(),
  ].join("\n");
}

const INTRODUCTION = `# The Holdpoint protocol

<!-- Made by scripts/protocol-docs.ts from src/protocol. Do not edit: change the schemas and run it again. -->

Version ${PROTOCOL_VERSION}. The same shapes as JSON Schema: [protocol.schema.json](protocol.schema.json).

## Connecting

WebSocket at \`/ws\` of the gateway's address, text frames, one JSON object each. Unknown fields are refused.

\`\`\`
→ {"type":"req","id":"1","method":"connect","params":{"minProtocol":1,"maxProtocol":1,"client":{"name":"my-client","version":"1.0"},"auth":{"token":"hp_…"}}}
← {"type":"res","id":"1","ok":true,"payload":{"protocol":1,"connectionId":"con_…","operator":{…},"cursor":42,"resumed":false,…}}
→ {"type":"req","id":"2","method":"sessions.list","params":{}}
← {"type":"res","id":"2","ok":false,"error":{"code":"FORBIDDEN","message":"…"}}
← {"type":"event","event":"plan.submitted","seq":1,"cursor":43,"payload":{"sessionId":"ses_…","atMs":…,…}}
\`\`\`

- The first request is \`connect\`, and the next one waits for its answer. A token is always needed; its scopes are the
  token's, and a client may ask for fewer. A wrong token is answered with \`UNAUTHENTICATED\` and close code 1008.
- Programs send no \`Origin\`. A page must come from the gateway itself or from \`gateway.allowedOrigins\`. The \`Host\` must
  be a loopback name with the gateway's port or one of \`gateway.allowedHosts\`. A token in an address is refused.
- Answers come in the order in which they are ready, not in the order of the requests: \`id\` tells them apart.
- A frame that is no request is answered with \`id: null\` (or its id, where it has one), and the connection goes on.

## Repeating requests

A request that changes a session may carry an \`idempotencyKey\`. The same key with the same request gets the first answer
again, for at least 24 hours and over restarts; with another request it is refused (\`IDEMPOTENCY_KEY_REUSED\`). After a
lost connection, repeat with the same key. Keys belong to the token that sent them.

## Events and resuming

\`sessions.subscribe\` sends a session's events on this connection. \`seq\` counts all events of the connection without gaps.
Durable events carry \`cursor\`; remember the last one per session and hand it to \`sessions.subscribe\` as \`afterCursor\` (or the
last one of all to \`connect\` as \`resume\`): what was missed comes first, then live events, each once. When too much was missed,
\`resumed\` is false: read the session again. Pieces of an answer being written (\`turn.delta\`) have no cursor and are not repeated.

## Close codes

| code | meaning | what to do |
| --- | --- | --- |
| 1001 | the gateway stops; the reason is \`cursor=<n>\`, the last durable event | reconnect and resume |
| 1002, 1007 | a broken frame (RFC 6455) | mend the client |
| 1003 | a binary frame | send text |
| 1008 | no handshake in time, a wrong or revoked token, or too many of something | do not repeat unchanged |
| 1009 | a frame larger than the limit | send less |
| 1013 | too slow: events were waiting to be read | reconnect and resume |
`;

function browserLogin(schema: ProtocolSchema): string {
  const rows = Object.entries({ ...LOGINS, ...ENROLMENTS }).map(([path, { summary }]) => {
    const shape = (end: string): string =>
      `\`${typeText(schema.$defs[`${path}.${end}`] ?? {})
        .replaceAll(/\s+/g, " ")
        .replaceAll("|", String.raw`\|`)}\``;
    return `| \`POST ${path}\` | ${summary} | ${shape("request")} | ${shape("answer")} |`;
  });
  return `## Logging a browser in

A page shows no token. \`tokens.link\` makes a link with a one-time code; the page exchanges the code for a cookie that
scripts cannot read, a secret for its origin's storage and one for its tab. The handshake then carries
\`"auth":{"tabSecret":"…"}\`, and counts with the cookie and an \`Origin\` of the gateway's own. \`UNAUTHENTICATED\` with
\`details.newTab\` means: ask \`/auth/tab\` for another. These take JSON from the gateway's own page alone; a refusal is
\`{"error": Refusal}\` with status 400, 401, 403, 415, 429 or 503.

| address | what it does | request | answer |
| --- | --- | --- | --- |
${rows.join("\n")}
`;
}

function limits(): string {
  const rows: [string, string][] = [
    ["size of a frame", `${FRAME_BYTES_MAX} bytes`],
    ["nesting of a frame", `${NESTING_MAX} levels`],
    ["requests per second and connection", "`gateway.requestsPerSecond`"],
    ["requests under way per connection", String(REQUESTS_UNDER_WAY_MAX)],
    ["sessions subscribed per connection", String(SUBSCRIPTIONS_MAX)],
    ["events replayed", `${REPLAY_EVENTS_MAX}, ${REPLAY_BYTES_MAX} bytes`],
    ["bytes waiting to be read by a client", String(BUFFERED_BYTES_MAX)],
    ["time for the handshake", `${HANDSHAKE_MS_MAX} ms, ${FRAMES_BEFORE_HANDSHAKE_MAX} other frames`],
    ["connections", "`gateway.connectionsMax`"],
    ["connections without a token", String(UNAUTHENTICATED_MAX)],
    ["wrong tokens from one address", `${GUESSES_FREE}, then a wait that doubles up to ${LOCK_MS_MAX} ms`],
  ];
  return `## Limits\n\n| what | at most |\n| --- | --- |\n${rows.map(([what, most]) => `| ${what} | ${most} |`).join("\n")}\n`;
}

type Method = (typeof ALL_METHODS)[keyof typeof ALL_METHODS];

function methodTable(): string {
  const rows = Object.entries(ALL_METHODS).map(
    ([name, { scope, summary }]) => `| [\`${name}\`](#${anchor(name)}) | \`${scope}\` | ${summary} |`,
  );
  return `| method | scope | |\n| --- | --- | --- |\n${rows.join("\n")}\n`;
}

function methodSection(name: string, { scope, summary }: Method, { $defs }: ProtocolSchema): string {
  const params = $defs[`${name}.params`] ?? {};
  const result = $defs[`${name}.result`] ?? {};
  const needs = scope === "public" ? "" : ` Needs \`${scope}\`.`;
  return `### ${name}\n\n${summary}${needs}\n\n${block("params", params)}\n${block("result", result)}`;
}

function shapeSection(name: string, { $defs }: ProtocolSchema): string {
  return `### ${name}\n\n${block(name, $defs[name] ?? {})}`;
}

/** One field a line, one shape of a union a paragraph: what a person copies into a client. */
function block(name: string, schema: JsonSchema): string {
  const shapes = (schema.anyOf ?? schema.oneOf ?? [schema]).map(shapeText);
  return `\`\`\`ts\n${name}: ${shapes.join(" | ")}\n\`\`\`\n`;
}

function shapeText(schema: JsonSchema | boolean): string {
  if (typeof schema === "boolean" || schema.properties === undefined) return typeText(schema);
  const { properties, required = [] } = schema;
  const lines = Object.entries(properties).map(([name, field]) => {
    const isGiven = required.includes(name);
    const note = noteOf(field);
    return `  ${name}${isGiven ? "" : "?"}: ${typeText(field)};${note === "" ? "" : ` // ${note}`}`;
  });
  return lines.length === 0 ? "{}" : `{\n${lines.join("\n")}\n}`;
}

function noteOf(field: JsonSchema | boolean): string {
  if (typeof field === "boolean") return "";
  const standard = field.default === undefined ? [] : [`default ${JSON.stringify(field.default)}`];
  const said = field.description === undefined ? [] : [field.description];
  const length = field.maxLength === undefined ? [] : [`at most ${field.maxLength} characters`];
  return [...standard, ...length, ...said].join("; ");
}

function events(): string {
  const own = SessionEvent.options
    .map((option) => option.shape.type.value)
    .filter((type) => type !== "slice.changed" && !INTERNAL_EVENTS.has(type));
  const bundled = BUNDLED.flatMap(({ id, events: union }) =>
    union === undefined
      ? []
      : `- Of ${id.replaceAll("-", " ")}: ${list(union.options.map((option) => option.shape.type.value))}.`,
  );
  return [
    "The payload is `{ sessionId, atMs, …fact }`; the facts are in the JSON Schema and in the types of `holdpoint/client`.\n",
    `- Of a session: ${list(own)}.`,
    ...bundled,
    "- Not kept: `turn.delta` (a piece of an answer), `session.cards` (`{ sessionId, cards, closed }`: what the session shows people now,\n  sent with each commit that changed it, and once after missed events; `closed` are cards that are gone, in their last state),\n  `gateway.draining` (`{ cursor }`, before close code 1001).\n",
  ].join("\n");
}

function refusals(): string {
  const bundled = BUNDLED.flatMap(({ id, refusals: codes }) =>
    codes === undefined ? [] : `- Of ${id.replaceAll("-", " ")}: ${list(Object.keys(codes))}.`,
  );
  return [
    "`error.code` is one of these; `error.message` says what to do; `error.retry` is true when the same request may succeed later. Show the message of a code that you do not know.\n",
    `- Of the gateway: ${list(REFUSAL_CODES)}.`,
    ...bundled,
    "- Of a plugin from outside: its id, a dot and a code, such as `lamp.TOO_BRIGHT`.\n",
  ].join("\n");
}

const list = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(", ");
const anchor = (name: string): string => name.replaceAll(".", "").toLowerCase();
