/**
 * `mcp__<server>__<tool>`: plain letters, at most 64, unique, and the same at every start. A server chooses its tools'
 * names freely, so two of them may come out alike; those get a piece of the digest of the name as it was given.
 */
import { createHash } from "node:crypto";

const NAME_CHARS_MAX = 64;
const DIGEST_CHARS = 8;

export const toolPrefix = (server: string): string => `mcp__${server.replaceAll("-", "_")}__`;

/** Tool as the server names it → its name here, in the order given. Names that come twice are one tool. */
export function toolNames(server: string, tools: readonly string[]): Map<string, string> {
  const given = [...new Set(tools)];
  const plain = new Map(given.map((tool) => [tool, `${toolPrefix(server)}${sanitised(tool)}`]));
  const uses = Map.groupBy(plain.values(), (name) => name);
  return new Map(
    [...plain].map(([tool, name]) => {
      const isSafe = name.length <= NAME_CHARS_MAX && sanitised(tool) !== "" && uses.get(name)?.length === 1;
      return [tool, isSafe ? name : marked(name, tool)];
    }),
  );
}

const sanitised = (tool: string): string =>
  tool
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");

function marked(name: string, tool: string): string {
  const digest = createHash("sha256").update(tool).digest("hex").slice(0, DIGEST_CHARS);
  return `${name.slice(0, NAME_CHARS_MAX - DIGEST_CHARS - 1)}_${digest}`;
}
