/** What the lines of a text mean, on the wire and on disk. Whoever does not know a key shows the text itself. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";
import type { LocalizedLine } from "./localized-text.ts";

const SAID_LINES_MAX = 2_000;
const KEY_CHARS_MAX = 129; // `<plugin>.<key>`, each of at most 64
const ARGS_MAX = 16;
const ARG_CHARS_MAX = 16_384;

const plain = z.union([z.string().max(ARG_CHARS_MAX), z.number()]);
const name = z.string().max(KEY_CHARS_MAX);
const few = (args: object): boolean => Object.keys(args).length <= ARGS_MAX;
const phrase = lazySchema(() => z.strictObject({ key: name, args: z.record(name, plain).refine(few) }));

export const LocalizedLines: z.ZodType<LocalizedLine[]> = z
  .array(
    z.strictObject({
      line: z.int().nonnegative(),
      key: name,
      args: z.record(name, z.union([plain, phrase])).refine(few),
    }),
  )
  .max(SAID_LINES_MAX);
