/** The findings of the accept-edits gate, and what it must know about the machine. */

export type FindingClass = "destructive" | "gateway-control" | "config-change";

export type Finding = { readonly class: FindingClass; readonly code: string; readonly matched: string };

export type EditPlace = {
  readonly cwd: string;
  readonly home: string;
  /** The name of the gateway's own command, processes and folders. */
  readonly product?: string;
  /** Resolves symlinks of the part of a path that exists; left out, paths are compared as written. */
  readonly realpath?: (path: string) => string | undefined;
  /** True where the file system ignores case. */
  readonly ignoreCase?: boolean;
  /** Folders of the gateway's own besides the usual ones: its state may be anywhere. */
  readonly folders?: readonly string[];
  /** The gateway's own processes, by number. */
  readonly pids?: readonly number[];
  /** Where the gateway listens; left out, where it usually does. */
  readonly ports?: readonly number[];
  /** Set where what could destroy something needs a signature of its own: then more counts as destructive. */
  readonly strict?: StrictPlace;
  /** The script that the gateway was started from. */
  readonly scripts?: readonly string[];
};

/** The folder that the session works in, and what is there. */
export type StrictPlace = { readonly workspace: string; readonly isFolder: (path: string) => boolean };

const DEFAULT_PRODUCT = "holdpoint";

export const productOf = (place: EditPlace): string => place.product ?? DEFAULT_PRODUCT;

/** The product's name as a word of its own: `holdpoint-gateway.service` yes, `holdpoints` no. */
export const mentions = (text: string, place: EditPlace): boolean => {
  const name = productOf(place).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?:^|[^a-z0-9])${name}(?:[^a-z0-9]|$)`, "i").test(text);
};

/** Stands for text that only the shell knows; never occurs in a command, the guard refuses it there. */
export const UNKNOWN = "\ufffc";

/** A table of names, as it is written in one string. */
export const namesIn = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));
