/** The parser inside of sucrase, which ships without types at the place from which it can be imported. */
declare module "sucrase/dist/parser/index.js" {
  type Token = { type: number; contextualKeyword: number; start: number; isType: boolean };
  export function parse(code: string, ...is: [jsx: boolean, typescript: boolean, flow: boolean]): { tokens: Token[] };
}

declare module "sucrase/dist/parser/tokenizer/types.js" {
  export const TokenType: Readonly<Record<"at" | "_import" | "_export" | "name" | "string" | "parenL" | "dot", number>>;
}

declare module "sucrase/dist/parser/tokenizer/keywords.js" {
  export const ContextualKeyword: Readonly<Record<"_namespace" | "_module" | "_type" | "_from", number>>;
}
