import { readFileSync } from "node:fs";
import { z } from "zod";

/** As the package says. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"))).version;
