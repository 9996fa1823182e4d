/** The sign of each kind of change, which stands before a file's name. */
import type { ChangeKind } from "../../src/changes/protocol/changes.ts";

export const SIGNS: Readonly<Record<ChangeKind, string>> = { added: "+", modified: "~", deleted: "−", mode: "x" };
