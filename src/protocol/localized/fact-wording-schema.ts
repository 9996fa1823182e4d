/** Wordings of facts on the wire, and as a plugin hands them in: the schema of `fact-wording.ts`, with a limit on everything. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import { FACT_TONES, FACT_VALUES, type FactWordings } from "./fact-wording.ts";

const FACTS_MAX = 100;
const VALUES_MAX = 20;

const name = z.string().min(1).max(64);
const few =
  (max: number) =>
  (record: object): boolean =>
    Object.keys(record).length <= max;
const plain = { title: name, tone: z.enum(FACT_TONES).exactOptional(), shows: name.exactOptional() };
const wording = lazySchema(() =>
  z.strictObject({
    ...plain,
    as: z.record(name, z.enum(FACT_VALUES)).refine(few(VALUES_MAX)).exactOptional(),
    by: z
      .strictObject({ field: name, values: z.record(name, z.strictObject(plain)).refine(few(VALUES_MAX)) })
      .exactOptional(),
  }),
);

export const FactWordingsSchema: z.ZodType<FactWordings> = z
  .record(z.string().regex(/^[a-z][a-z0-9-]*\.[a-z0-9_.-]{1,64}$/, "a type such as lamp.switched"), wording)
  .refine(few(FACTS_MAX), `at most ${FACTS_MAX} facts`);
