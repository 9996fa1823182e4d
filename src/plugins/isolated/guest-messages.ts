/**
 * What a plugin's process and the gateway say to each other. The gateway believes nothing of it: each message is parsed
 * with these schemas, and what is inside is parsed again by whoever uses it.
 *
 *   gateway                      plugin's process
 *     start ───────────────────────▶  (its code is loaded, `register` runs)
 *     ◀────────────── register ×n
 *     ◀────────────── ready | failed
 *     call n ──────────────────────▶
 *     ◀──────────── ask m   answer m ▶   (what the handler wants of the gateway meanwhile)
 *     ◀────────────── done n
 */
import { z } from "zod";
import { Scope } from "../../protocol/actor.ts";
import { Json, JsonObject } from "../../protocol/json.ts";
import { ToolKind } from "../../protocol/gate.ts";
import { CommandSpec } from "../../protocol/plugin/plugin-manifest.ts";
import { UiDescriptor } from "../../protocol/wire/ui-descriptor.ts";

export const REGISTRATIONS_MAX = 500;
const KEY_CHARS_MAX = 200;
const ERROR_CHARS_MAX = 2_000;
const LOG_CHARS_MAX = 2_000;

/** Names one function of the plugin; the same in every process that runs the same code. */
const key = z.string().min(1).max(KEY_CHARS_MAX);
const name = z.string().min(1).max(100);
const description = z.string().max(4_000);
const number = z.int().nonnegative();

export const Registration = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("command"), key, spec: CommandSpec }),
  z.strictObject({
    kind: z.literal("tool"),
    key,
    name,
    description,
    effect: z.enum(["read", "write", "dynamic"]),
    toolKind: ToolKind,
    schema: JsonObject,
  }),
  z.strictObject({
    kind: z.literal("tool-metadata"),
    toolName: name,
    effect: z.enum(["read", "write"]).exactOptional(),
    displayName: z.string().max(200).exactOptional(),
    risk: z.enum(["low", "medium", "high"]).exactOptional(),
    tags: z.array(z.string().max(64)).max(20).exactOptional(),
  }),
  z.strictObject({
    kind: z.literal("state"),
    key,
    namespace: name,
    description,
    schema: JsonObject,
    initial: Json,
    projects: z.boolean(),
    cleans: z.boolean(),
  }),
  z.strictObject({
    kind: z.literal("action"),
    key,
    id: name,
    description,
    schema: JsonObject,
    requiredScopes: z.array(Scope).max(4).exactOptional(),
  }),
  z.strictObject({ kind: z.literal("descriptor"), descriptor: UiDescriptor }),
  z.strictObject({
    kind: z.literal("hook"),
    key,
    hook: name,
    priority: z.number().exactOptional(),
    timeoutMs: z.number().exactOptional(),
  }),
  z.strictObject({ kind: z.literal("subscription"), key, types: z.array(name).max(100) }),
  z.strictObject({ kind: z.literal("heartbeat"), key, id: name }),
  z.strictObject({ kind: z.literal("lifecycle"), key, disposes: z.boolean(), cleans: z.boolean() }),
]);
export type Registration = z.infer<typeof Registration>;

const failure = z.string().max(ERROR_CHARS_MAX);

export const FromGuest = z.discriminatedUnion("t", [
  z.strictObject({ t: z.literal("register"), registration: z.unknown() }),
  z.strictObject({ t: z.literal("ready") }),
  z.strictObject({ t: z.literal("failed"), error: failure }),
  z.strictObject({ t: z.literal("done"), n: number, value: Json.exactOptional() }),
  z.strictObject({ t: z.literal("threw"), n: number, error: failure }),
  /** `within`: the call during which it is asked. */
  z.strictObject({ t: z.literal("ask"), n: number, within: number.exactOptional(), op: name, args: Json }),
  z.strictObject({ t: z.literal("chunk"), within: number, text: z.string() }),
  z.strictObject({
    t: z.literal("log"),
    level: z.enum(["debug", "info", "warn", "error"]),
    message: z.string().max(LOG_CHARS_MAX),
    fields: JsonObject.exactOptional(),
  }),
  z.strictObject({ t: z.literal("pong"), n: number }),
]);
export type FromGuest = z.infer<typeof FromGuest>;

export type GuestStart = {
  t: "start";
  id: string;
  /** The plugin's entry, and the SDK that it finds under the name `holdpoint/plugin`; both as file URLs. */
  entry: string;
  sdk: string;
  config: JsonObject;
};
export type FromHost =
  | GuestStart
  | { t: "call"; n: number; key: string; args: Json }
  | { t: "abort"; n: number }
  | { t: "answer"; n: number; value: Json | undefined }
  | { t: "refused"; n: number; error: string }
  | { t: "ping"; n: number };
