/** The replacements that a call of edit asks for, in whichever form it gives them. */
import type { Replacement } from "./replace-text.ts";

/** The replacements in either of the two forms; undefined when both or neither are given. */
export function editsOf(args: {
  oldText?: string | undefined;
  newText?: string | undefined;
  replaceAll?: boolean | undefined;
  edits?: Replacement[] | undefined;
}): Replacement[] | undefined {
  const { edits, replaceAll: all } = args;
  if (edits !== undefined)
    return args.oldText === undefined && args.newText === undefined && all === undefined ? edits : undefined;
  if (args.oldText === undefined || args.newText === undefined) return undefined;
  return [{ oldText: args.oldText, newText: args.newText, replaceAll: all }];
}
