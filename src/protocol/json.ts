/** JSON values as a type and as a schema. */
import { z } from "zod";

export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };
export type JsonObject = { [key: string]: Json };

/** Any JSON value, for fields whose shape a plugin or a tool owns and has already checked. */
export const Json: z.ZodType<Json> = z.json();
export const JsonObject: z.ZodType<JsonObject> = z.record(z.string(), Json);
