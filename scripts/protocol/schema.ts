/** The protocol as one JSON Schema, made from the same schemas that the gateway checks requests with. */
import { z } from "zod";
import { ALL_METHODS } from "../../src/all-methods.ts";
import { BUNDLED_PATCH_FIELDS, BUNDLED_SHARED } from "../../src/bundled.ts";
import { Actor, By } from "../../src/protocol/actor.ts";
import { AuditRow } from "../../src/protocol/audit.ts";
import { CardActionSchema, CardSchema, CardStepSchema, CardTextSchema } from "../../src/protocol/card/card-schema.ts";
import { EventFrame, PROTOCOL_VERSION, RequestFrame, ResponseFrame } from "../../src/protocol/frames.ts";
import { Json } from "../../src/protocol/json.ts";
import { LocalizedLines } from "../../src/protocol/localized/localized-lines.ts";
import { ENROLMENTS } from "../../src/protocol/wire/enrolment.ts";
import { LOGINS } from "../../src/protocol/wire/login.ts";
import { SessionSummary, SessionView, Waiting } from "../../src/protocol/methods.ts";
import { Refusal } from "../../src/protocol/refusal.ts";
import { SessionEvent, Turn } from "../../src/protocol/session.ts";
import { sessionPatch } from "../../src/protocol/wire/session-patch.ts";
import { Entry, ToolCall } from "../../src/protocol/transcript-entry.ts";

export type JsonSchema = z.core.JSONSchema.JSONSchema;
export type ProtocolSchema = { $schema: string; title: string; description: string; $defs: Record<string, JsonSchema> };

/** Shapes with a name of their own; wherever one appears inside another, it is referred to by it. */
const SHARED: Record<string, z.ZodType> = {
  RequestFrame,
  ResponseFrame,
  EventFrame,
  Refusal,
  Json,
  Actor,
  By,
  LocalizedLines,
  Card: CardSchema,
  CardAction: CardActionSchema,
  CardStep: CardStepSchema,
  CardText: CardTextSchema,
  SessionView,
  SessionSummary,
  Waiting,
  Turn,
  Entry,
  ToolCall,
  ...BUNDLED_SHARED,
  SessionEvent,
  AuditRow,
};

export function protocolSchema(): ProtocolSchema {
  const methods = Object.entries(ALL_METHODS);
  const patches = Object.entries(BUNDLED_PATCH_FIELDS).map(([field, schema]) => ({ field, schema }));
  const paramsOf = (name: string, given: z.ZodType): z.ZodType =>
    name === "sessions.patch" ? sessionPatch(patches) : given;
  const params = methods.map(([name, method]): Named => [`${name}.params`, paramsOf(name, method.params)]);
  const results = methods.map(([name, method]): Named => [`${name}.result`, method.result]);
  const logins = Object.entries({ ...LOGINS, ...ENROLMENTS });
  params.push(...logins.map(([path, login]): Named => [`${path}.request`, login.request]));
  results.push(...logins.map(([path, login]): Named => [`${path}.answer`, login.answer]));
  const shared = Object.entries(SHARED);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: `Holdpoint protocol ${PROTOCOL_VERSION}`,
    description: "Made from src/protocol; do not edit. One frame is one RequestFrame, ResponseFrame or EventFrame.",
    $defs: { ...definitions(params, "input"), ...definitions([...shared, ...results], "output") },
  };
}

type Named = [string, z.ZodType];

/** What a client may leave out of a request (`input`) is filled in by the gateway; an answer (`output`) holds it all. */
function definitions(schemas: Named[], io: "input" | "output"): Record<string, JsonSchema> {
  const registry = z.registry<{ id?: string }>();
  const known = new Set(schemas.map(([, schema]) => schema));
  for (const [id, schema] of schemas) registry.add(schema, { id });
  for (const [id, schema] of Object.entries(SHARED)) if (!known.has(schema)) registry.add(schema, { id });
  const { schemas: made } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `#/$defs/${id}`,
    override: ({ jsonSchema }) => dropNoise(jsonSchema),
  });
  const wanted = new Set(schemas.map(([id]) => id));
  return Object.fromEntries(Object.entries(made).filter(([id]) => wanted.has(id)));
}

/** Every integer of JavaScript ends there; saying it at each one hides the limits that mean something. */
function dropNoise(schema: JsonSchema): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  delete schema.$schema;
  delete schema.$id;
}
