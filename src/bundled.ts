/**
 * The bundled plugins: the one list. Each entry is the protocol of a plugin, light enough for clients and for the
 * configuration; docs, the typed client and the wire are put together from the core's tables and these.
 */
import type { z } from "zod";
import { METHODS } from "./protocol/methods.ts";
import { PLAN_METHODS } from "./plan-mode/protocol/plan-methods.ts";
import { CRON_METHODS } from "./scheduler/protocol/cron-methods.ts";
import { PLAN_PATCH_FIELDS } from "./plan-mode/protocol/patch-fields.ts";
import type { NamedChange, OWN_PATCH_FIELDS, patchPlace } from "./protocol/wire/session-patch.ts";

/** Fields of `sessions.patch`, in the order in which they are documented. */
export const BUNDLED_PATCH_FIELDS = { ...PLAN_PATCH_FIELDS };

/** Every method that a gateway answers without plugins from outside. */
export const ALL_METHODS = { ...METHODS, ...PLAN_METHODS, ...CRON_METHODS } as const;

type AllMethods = typeof ALL_METHODS;

export type MethodName = keyof AllMethods;
export type ParamsOf<Name extends MethodName> = Name extends "sessions.patch"
  ? PatchParams
  : z.input<AllMethods[Name]["params"]>;
export type ResultOf<Name extends MethodName> = z.output<AllMethods[Name]["result"]>;

type Place = z.input<z.ZodObject<typeof patchPlace>>;
type OneOf<Fields extends Record<string, z.ZodType>> = {
  [Field in keyof Fields]: { [Only in Field]: z.input<Fields[Field]> };
}[keyof Fields];

/** Exactly one change, typed for what the bundled plugins take; `field` and `value` for what others do. */
export type PatchParams =
  | (Place & OneOf<typeof OWN_PATCH_FIELDS & typeof BUNDLED_PATCH_FIELDS>)
  | z.input<typeof NamedChange>;
