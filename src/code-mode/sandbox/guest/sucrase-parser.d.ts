/**
 * The parser inside of sucrase, which ships without types at the place from which it can be imported. It is CommonJS: all
 * of a module is its default, in a bundle and outside of one.
 */
declare module "sucrase/dist/parser/index.js" {
  type Token = { type: number; contextualKeyword: number; start: number; isType: boolean };
  type Is = [jsx: boolean, typescript: boolean, flow: boolean];
  const whole: { parse(code: string, ...is: Is): { tokens: Token[] } };
  export { whole as default };
}

declare module "sucrase/dist/parser/tokenizer/types.js" {
  type Names = "at" | "_import" | "_export" | "name" | "string" | "parenL" | "dot";
  const whole: { TokenType: Readonly<Record<Names, number>> };
  export { whole as default };
}

declare module "sucrase/dist/parser/tokenizer/keywords.js" {
  type Names = "_namespace" | "_module" | "_type" | "_from";
  const whole: { ContextualKeyword: Readonly<Record<Names, number>> };
  export { whole as default };
}
