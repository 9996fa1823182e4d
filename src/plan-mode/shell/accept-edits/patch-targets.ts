/** The files a patch touches: every Add, Update, Delete and Move-to marker, or the headers of a unified diff. */

// Inside the body every line begins with a space, + or -, so a marker that is only text is not at the line start.
const MARKER =
  /^\*\*\*[ \t]*(?:(?:add|update|delete|create|modify|remove)[ \t]+file|move[ \t]+to|rename[ \t]+to)[ \t]*:[ \t]*(.*?)[ \t]*$/i;
const UNIFIED = /^(?:---|\+\+\+)[ \t]+(?:[ab]\/)?([^\t]+?)(?:\t.*)?$/;
const RENAME = /^(?:rename|copy) (?:to|from) (.+)/;

const DELETES = /^\*\*\*[ \t]*(?:delete|remove)[ \t]+file[ \t]*:[ \t]*(.*?)[ \t]*$/i;
const UNIFIED_DELETES = /^\+\+\+[ \t]+(?:\/dev\/null)|^deleted file mode\b/;

/** What a patch takes away as a whole, as it names it; undefined where it takes nothing away. */
export const patchDeletes = (patch: string): string | undefined => {
  const line = patch.split(/\r?\n/).find((text) => DELETES.test(text) || UNIFIED_DELETES.test(text));
  return line === undefined ? undefined : (DELETES.exec(line)?.[1] ?? line);
};

export const patchTargets = (patch: string): readonly string[] => {
  const lines = patch.split(/\r?\n/);
  const ownFormat = lines.some((line) => /^\*\*\*[ \t]*begin patch/i.test(line) || MARKER.test(line));
  return lines.flatMap((line) => {
    const match = ownFormat ? MARKER.exec(line) : (UNIFIED.exec(line) ?? RENAME.exec(line));
    const target = match?.[1]?.replace(/^["'`]|["'`]$/g, "");
    return target === undefined ? [] : [target];
  });
};
