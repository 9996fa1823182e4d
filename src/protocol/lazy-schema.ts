/**
 * A schema that is built when it is first used, and once for all its copies. A gateway that starts needs few of the
 * shapes that it knows: each takes about a kilobyte and ten microseconds (ADR 0045).
 */
import { z } from "zod";

export function lazySchema<Schema extends z.ZodType>(make: () => Schema): z.ZodLazy<Schema> {
  let made: Schema | undefined;
  return z.lazy(() => (made ??= make()));
}
