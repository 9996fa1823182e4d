/**
 * A reader of Seatbelt profiles for tests: answers what a profile lets a process do, by the rules that macOS is known to
 * follow. Of the rules on an operation the last that matches counts; those that name the operation itself stand before
 * those that name its family (`file-write-unlink` before `file-write*`); what no rule matches is denied.
 */
import type { SeatbeltProfile } from "../../src/runner/seatbelt/profile.ts";

type Expression = string | Expression[];

export type Asked = { operation: string; path?: string; name?: string };

export function readSeatbelt({ text, parameters }: SeatbeltProfile) {
  const rules = parse(text).filter((rule): rule is Expression[] => Array.isArray(rule));
  const verdictOf = (asked: Asked, named: (operation: Expression) => boolean): Expression | undefined =>
    rules.findLast((rule) => {
      const operations = rule.slice(1).filter((part) => typeof part === "string");
      const filters = rule.slice(1).filter((part) => Array.isArray(part));
      const isOneOfThem = operations.some(named);
      return isOneOfThem && (filters.length === 0 || filters.some((filter) => matches(filter, asked, parameters)));
    })?.[0];
  return {
    rules,
    may(operation: string, path?: string, name?: string): boolean {
      const asked = { operation, ...(path === undefined ? {} : { path }), ...(name === undefined ? {} : { name }) };
      const family = operation.replace(/-[a-z]+$/, "*").replace(/^network-\w+$|^network\*$/, "network*");
      const verdict = verdictOf(asked, (op) => op === operation) ?? verdictOf(asked, (op) => op === family);
      return (verdict ?? "deny") === "allow";
    },
  };
}

function matches(filter: Expression[], { path, name }: Asked, parameters: Readonly<Record<string, string>>): boolean {
  const [kind, ...rest] = filter;
  const value = (of: Expression | undefined): string =>
    Array.isArray(of) ? (parameters[String(of[1])] ?? "missing") : (of ?? "");
  switch (kind) {
    case "literal":
    case "path-literal":
      return path === value(rest[0]);
    case "subpath":
      return path !== undefined && `${path}/`.startsWith(`${value(rest[0])}/`);
    case "regex":
      return path !== undefined && new RegExp(value(rest[0])).test(path);
    case "remote":
    case "local":
      if (rest[0] === "ip") return name === "ip";
      return rest
        .slice(1)
        .every((inner) => Array.isArray(inner) && matches(inner, { operation: "", path: path ?? "" }, parameters));
    case "global-name":
    case "sysctl-name":
      return name === value(rest[0]);
    case "sysctl-name-prefix":
      return name !== undefined && name.startsWith(value(rest[0]));
    case "target":
      return name === rest[0];
    default:
      throw new Error(`a filter that this reader does not know: ${String(kind)}`);
  }
}

/** S-expressions with strings; `#"…"` is a string in which nothing is escaped. */
function parse(text: string): Expression[] {
  const stack: Expression[][] = [[]];
  for (const [token] of text.matchAll(/#?"(?:[^"\\]|\\.)*"|[()]|[^\s()"]+/gs)) {
    const open = stack.at(-1) ?? [];
    if (token === "(") stack.push([]);
    else if (token === ")") {
      stack.pop();
      if (stack.length === 0) throw new Error("a bracket too many");
      stack.at(-1)?.push(open);
    } else open.push(token.replace(/^#?"(.*)"$/s, "$1"));
  }
  if (stack.length !== 1) throw new Error("a bracket too few");
  return stack[0] ?? [];
}
