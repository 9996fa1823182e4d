/** Which names may become a part of a path: the same on every system, so that a folder can move between them. */

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/;
/** Windows opens a device for these, whatever follows a dot. */
const DEVICE = /^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i;

/** Undefined where the name is safe. */
export function nameProblem(name: string): string | undefined {
  if (!NAME.test(name))
    return "letters, digits, dots, hyphens and underscores, at most 128, beginning with a letter or digit";
  if (DEVICE.test(name)) return "a name that Windows keeps for a device";
  return name.endsWith(".") ? "a name that ends with a dot" : undefined;
}
