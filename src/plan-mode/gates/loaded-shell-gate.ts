/**
 * The shell gate, loaded when the first command is judged: its rules and its parser are a seventh of all the code, and
 * a gateway without commands never needs them. Loading does not wait, because a verdict does not; if it fails it throws,
 * and a policy that throws blocks.
 */
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import type * as Gate from "../shell/shell-gate.ts";

type ShellGate = typeof Gate;

const load = createRequire(import.meta.url);
let loaded: ShellGate | undefined;

export function shellGate(): ShellGate {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the module that the type above names
  loaded ??= load(fileURLToPath(new URL("../shell/shell-gate.ts", import.meta.url))) as ShellGate;
  return loaded;
}
