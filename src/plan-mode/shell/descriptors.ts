/**
 * An output must never be a file that was opened to be read: `tee /dev/stderr 2< file` opens what stands behind the
 * descriptor anew, and then to write.
 */
import { eachCommand } from "./each-command.ts";
import type { List, Redirection } from "./command-tree.ts";
import { stop } from "./verdict.ts";

const INPUT = 0;
const OUTPUTS: ReadonlySet<number> = new Set([1, 2]);
const HINT = "Read files from standard input only, and copy only outputs to outputs.";

const opensInput = (redirection: Redirection): boolean =>
  redirection.type === "text" || (redirection.type === "file" && redirection.operator === "<");

/** The descriptors that anything in the line is read from, wherever it stands: what is nested inherits them. */
export const inputDescriptors = (list: List): ReadonlySet<number> => {
  const inputs = new Set([INPUT]);
  eachCommand(list, (node) => {
    if (node.type === "pipeline" || node.type === "and-or") return;
    for (const redirection of node.redirections)
      if (opensInput(redirection)) inputs.add(redirection.descriptor ?? INPUT);
  });
  return inputs;
};

/** An input may only be copied to standard input, so that every other descriptor that reads has opened its own file. */
export const checkDescriptor = (redirection: Redirection, inputs: ReadonlySet<number>): void => {
  if (redirection.type === "copy") {
    const { operator, source } = redirection;
    const target = redirection.descriptor ?? (operator === ">&" ? 1 : INPUT);
    if (target !== INPUT && source !== "-" && inputs.has(Number(source)))
      stop("redirect-form", `${target}${operator}${source}`, HINT);
    return;
  }
  const target = redirection.descriptor ?? INPUT;
  if (opensInput(redirection) && OUTPUTS.has(target)) stop("redirect-form", `${target}<`, HINT);
};
