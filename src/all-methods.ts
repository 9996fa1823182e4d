/** The methods that every gateway answers, its own and those of the bundled plugins, with the types of the client. */
import type { z } from "zod";
import { type BUNDLED_PATCH_FIELDS, BUNDLED_METHODS } from "./bundled.ts";
import { METHODS } from "./protocol/methods.ts";
import type { NamedChange, OWN_PATCH_FIELDS, patchPlace } from "./protocol/wire/session-patch.ts";

export const ALL_METHODS = { ...METHODS, ...BUNDLED_METHODS };

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
type PatchParams = (Place & OneOf<typeof OWN_PATCH_FIELDS & typeof BUNDLED_PATCH_FIELDS>) | z.input<typeof NamedChange>;
