/** Translates the parameters of `sessions.patch` into a command, by the fields that plugins registered. */
import type { z } from "zod";
import type { Engine } from "../engine/engine.ts";
import { describeError } from "../http/describe-error.ts";
import type { PluginHost } from "../plugins/host.ts";
import type { PatchField } from "../plugins/sdk.ts";
import type { Scope } from "../protocol/actor.ts";
import type { SessionId } from "../protocol/ids.ts";
import type { PresenceResponse } from "../protocol/presence.ts";
import { nearNames } from "../protocol/near-names.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";
import type { SessionCommand } from "../protocol/session.ts";
import { OWN_PATCH_FIELDS, patchPlace, sessionPatch } from "../protocol/wire/session-patch.ts";
import type { Store } from "../store/store.ts";
import { lackingScopes } from "./lacking-scopes.ts";

export type PatchParts = {
  engine: Pick<Engine, "dispatch" | "session">;
  store: Pick<Store, "artifact">;
  host: Pick<PluginHost, "patchFields">;
};
export type Given = Readonly<Record<string, unknown>> & {
  sessionId: SessionId;
  idempotencyKey?: string | undefined;
  presence?: PresenceResponse | undefined;
  withoutSession?: true | undefined;
};

/** One change with its parsed value; `params` is the same for both ways of naming it. */
export type Patch = { name: string; value: unknown; params: Given };

export type Patches = {
  parse(given: Given): Patch | Refused;
  command(patch: Patch, scopes: readonly Scope[]): Promise<SessionCommand | Refused>;
};

const OWN: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(OWN_PATCH_FIELDS));

export function createPatches(parts: PatchParts): Patches {
  const { patchFields } = parts.host;
  const schemaOf = (name: string): z.ZodType | undefined => OWN.get(name) ?? patchFields.get(name)?.schema;
  return {
    parse(given) {
      const change = changeIn(given, schemaOf);
      if (change === undefined) return misfit(given, patchFields);
      const parsed = schemaOf(change.name)?.safeParse(change.value);
      if (parsed?.success !== true) return misfit(named(given, change), patchFields);
      return { name: change.name, value: parsed.data, params: named(given, { ...change, value: parsed.data }) };
    },
    command: (patch, scopes) => commandOf(patch, scopes, parts),
  };
}

type Change = { name: string; value: unknown };

/** Undefined where the parameters do not name exactly one known change. */
function changeIn(given: Given, schemaOf: (name: string) => z.ZodType | undefined): Change | undefined {
  const fields = Object.keys(given).filter((key) => !Object.hasOwn(patchPlace, key));
  const [first, ...others] = fields;
  if (first === undefined) return undefined;
  if (others.length === 0) return schemaOf(first) === undefined ? undefined : { name: first, value: given[first] };
  if (others.length > 1 || !fields.includes("field") || !fields.includes("value")) return undefined;
  const { field: name, value } = given;
  return typeof name === "string" && schemaOf(name) !== undefined ? { name, value } : undefined;
}

function named({ sessionId, idempotencyKey, presence }: Given, { name, value }: Change): Given {
  const key = idempotencyKey === undefined ? {} : { idempotencyKey };
  return { sessionId, ...key, ...(presence === undefined ? {} : { presence }), [name]: value };
}

/**
 * Describes what does not fit by the shape of all patches that are accepted now, because the nearest one was probably
 * meant.
 */
function misfit(given: Given, patchFields: ReadonlyMap<string, PatchField<unknown>>): Refused {
  const names = [...patchFields.keys(), ...OWN.keys()];
  const { field } = given;
  if (typeof field === "string" && "value" in given && !names.includes(field)) {
    return refuse("INVALID_REQUEST", `sessions.patch: field: unknown field "${field.slice(0, 64)}"`, {
      path: "field",
      near: nearNames(field, names),
    });
  }
  const parsed = sessionPatch(patchFields.values()).safeParse(given);
  if (parsed.success) throw new Error("a patch was refused that fits its schema");
  const { path, message, missing } = describeError(parsed.error, given, "params");
  const [owner = "", ...below] = path.split(".");
  const code = missing ? patchFields.get(owner)?.missingCodes?.[below.join(".")] : undefined;
  const unknown = Object.keys(given).find((key) => !names.includes(key) && !Object.hasOwn(patchPlace, key));
  const near = unknown === undefined ? [] : nearNames(unknown, names);
  const answer = refuse("INVALID_REQUEST", `sessions.patch: ${message}`, near.length === 0 ? { path } : { path, near });
  return code === undefined ? answer : { refused: { ...answer.refused, code } };
}

/** Title and archive are the session's own; every other field belongs to the plugin that registered it. */
async function commandOf(patch: Patch, scopes: readonly Scope[], parts: PatchParts): Promise<SessionCommand | Refused> {
  const { name, value, params } = patch;
  if (OWN.has(name)) {
    const lacking = lackingScopes("sessions.patch", ["operator.write"], scopes);
    return lacking ?? ownCommand(value);
  }
  const field = parts.host.patchFields.get(name);
  if (field === undefined) return refuse("UNKNOWN_SLICE", `No enabled plugin takes ${name}.`);
  const lacking = lackingScopes(name, field.requiredScopes, scopes);
  if (lacking !== undefined) return lacking;
  const command = field.toCommand(value);
  const { slice } = field;
  const session = field.withDocuments === undefined ? undefined : await parts.engine.session(params.sessionId);
  if (session === undefined || field.withDocuments === undefined) return { type: "slice.apply", slice, command };
  const artifact = async (kind: string, id: string) => {
    const found = await parts.store.artifact(kind, id);
    return found?.sessionId === session.id ? found.body : undefined;
  };
  return { type: "slice.apply", slice, command: await field.withDocuments(command, { session, artifact }) };
}

/** Both values were parsed by their schemas: a text is a title, a boolean is the archive's. */
const ownCommand = (value: unknown): SessionCommand =>
  typeof value === "boolean"
    ? { type: "session.archive", archived: value }
    : { type: "session.rename", title: String(value) };
