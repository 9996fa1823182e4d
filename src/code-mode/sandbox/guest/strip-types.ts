/**
 * TypeScript to JavaScript, line by line the same. Types are dropped and not checked. Loaded for the first TypeScript cell
 * of a worker and never before.
 */
import { FENCE_LINE, fencedText, type Refusal } from "./refuse-program.ts";

export type Stripped = { code: string } | { refusal: Refusal };

const failed = (error: string): Stripped => ({ refusal: { code: "typescript_transform_failed", error } });
const denied = (error: string): Stripped => ({ refusal: { code: "module_access_denied", error } });

export async function stripTypes(code: string): Promise<Stripped> {
  const [sucrase, parser, types, keywords] = await Promise.all([
    import("sucrase"),
    import("sucrase/dist/parser/index.js"),
    import("sucrase/dist/parser/tokenizer/types.js"),
    import("sucrase/dist/parser/tokenizer/keywords.js"),
  ]);
  const { TokenType } = types.default;
  const { ContextualKeyword } = keywords.default;
  const { at, _import: imports, _export: exports, name, string, parenL: open, dot } = TokenType;
  const { _namespace: namespace, _module: module, _type: type, _from: from } = ContextualKeyword;
  const words = { at, imports, exports, name, string, open, dot, namespace, module, type, from };
  try {
    const { tokens } = parser.default.parse(code, false, true, false);
    const refused = firstRefused(tokens, words);
    if (refused !== undefined) return whyRefused(refused.why, lineOf(code, refused.start));
    const stripped = sucrase.default.transform(code, {
      transforms: ["typescript"],
      disableESTransforms: true,
      keepUnusedImports: false,
      production: true,
    });
    return { code: stripped.code };
  } catch (error) {
    if (FENCE_LINE.test(code)) return { refusal: fencedText() };
    return failed(`TypeScript: ${error instanceof Error ? messageOf(error) : "it cannot be read"}`);
  }
}

/** sucrase begins with a word of its own, and ends with the place. */
const messageOf = (error: Error): string =>
  error.message.replace(/^Error transforming [^:]*: /, "").replace(/\((\d+):(\d+)\)$/, "(line $1, column $2)");

type Token = { type: number; contextualKeyword: number; start: number; isType: boolean };
type Word =
  | "at"
  | "imports"
  | "exports"
  | "name"
  | "string"
  | "open"
  | "dot"
  | "namespace"
  | "module"
  | "type"
  | "from";
type Words = Readonly<Record<Word, number>>;
type Why = "decorator" | "import" | "export" | "namespace";

/** By tokens of the parser, so that words in strings, comments and names of properties are none. */
function firstRefused(tokens: readonly Token[], words: Words): { why: Why; start: number } | undefined {
  for (const [at, token] of tokens.entries()) {
    const why = refusedToken([token, tokens[at + 1], tokens[at + 2]], words);
    if (why !== undefined && tokens[at - 1]?.type !== words.dot) return { why, start: token.start };
  }
  return undefined;
}

type Three = readonly [Token, Token | undefined, Token | undefined];

function refusedToken([token, next, third]: Three, words: Words): Why | undefined {
  if (token.type === words.at) return "decorator";
  if (token.type === words.exports) return "export";
  if (token.type === words.imports) return isHarmless(next, third, words) ? undefined : "import";
  const isBlock = token.contextualKeyword === words.namespace || token.contextualKeyword === words.module;
  const isNamed = next?.type === words.name || next?.type === words.string;
  return token.isType && isBlock && isNamed ? "namespace" : undefined;
}

/** An expression, which the engine refuses by itself, or types alone. `import type from "x"` imports a value of that name. */
const isHarmless = (next: Token | undefined, third: Token | undefined, words: Words): boolean =>
  next?.type === words.open ||
  next?.type === words.dot ||
  (next?.contextualKeyword === words.type && third?.contextualKeyword !== words.from);

function whyRefused(why: Why, line: number): Stripped {
  switch (why) {
    case "import":
    case "export":
      return denied(
        `There are no modules in a cell (line ${line}): ${why} is refused. Use tools, MCP and API instead.`,
      );
    case "namespace":
      return failed(`Blocks of namespace and module cannot be used in a cell (line ${line}); use an object instead.`);
    case "decorator":
      return failed(`Decorators cannot be used in a cell (line ${line}); call the function instead.`);
    default:
      return never(why);
  }
}

const never = (value: never): never => {
  throw new Error(`unexpected ${String(value)}`);
};

const lineOf = (code: string, at: number): number => code.slice(0, at).split("\n").length;
