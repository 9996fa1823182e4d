/**
 * The gate's own small tree. `parse.ts` builds it, `judge-read-only.ts` judges it, `emit.ts` prints it.
 *
 *   text ── guard ──▶ unbash ── parse ──▶ tree ── walk ──▶ tree (arguments injected) ── emit ──▶ canonical text
 *
 * The set of node types is closed. What has no node here cannot be judged, printed or run.
 */

export type Text = { readonly type: "text"; readonly value: string };
/** `*`, `?` or a bracket expression, kept as a live pattern. */
export type Glob = { readonly type: "glob"; readonly pattern: string };
/** `$name`, `${name}`, or with an operator whose operand is plain text (`${name%.ts}`). */
export type Variable = {
  readonly type: "variable";
  readonly name: string;
  readonly quoted: boolean;
  readonly length: boolean;
  readonly operation: string;
};
/** `${xs[@]}`, `${xs[1]}`, `${xs[i]}` of an array with numbers for keys. */
export type Element = {
  readonly type: "element";
  readonly name: string;
  /** `#`: how many there are, or how long one is; `!`: their keys. */
  readonly prefix: "" | "#" | "!";
  /** `@`, `*`, a number or a name that holds one. */
  readonly index: string;
  /** `:1:2` */
  readonly slice: string;
  readonly quoted: boolean;
};
/**
 * What a substitution is known to print: `token`, at most one word; `tokens`, words; neither begins with a dash.
 * `path`, one absolute or empty path that may hold blanks. Found out by the walk, from the rules.
 */
export type Prints = "token" | "tokens" | "path";
export type Substitution = {
  readonly type: "substitution";
  readonly body: List;
  readonly quoted: boolean;
  readonly prints?: Prints | undefined;
};
/** Arithmetic over numbers, names and what commands print. */
export type Calculation = {
  /** With `$()` where a command stands. */
  readonly expression: string;
  readonly substitutions: readonly List[];
  readonly names: readonly string[];
  /** True when it puts a number into a name. */
  readonly assigns: boolean;
};
/** `$((…))` */
export type Arithmetic = { readonly type: "arithmetic" } & Calculation;
/** `<(…)` as a whole word. */
export type ProcessInput = { readonly type: "process-input"; readonly body: List };

export type Part = Text | Glob | Variable | Element | Substitution | Arithmetic | ProcessInput;
export type Word = { readonly parts: readonly Part[] };

export type Assignment = { readonly name: string; readonly value: Word };

export type Redirection =
  | {
      readonly type: "file";
      readonly operator: FileOperator;
      readonly descriptor: number | undefined;
      readonly target: Word;
    }
  | {
      readonly type: "copy";
      readonly operator: ">&" | "<&";
      readonly descriptor: number | undefined;
      readonly source: string;
    }
  | { readonly type: "text"; readonly descriptor: number | undefined; readonly content: Word };
export type FileOperator = "<" | ">" | ">>" | ">|" | "&>" | "&>>" | "<>";

export type Simple = {
  readonly type: "simple";
  readonly assignments: readonly Assignment[];
  readonly words: readonly Word[];
  readonly redirections: readonly Redirection[];
};
export type Pipeline = {
  readonly type: "pipeline";
  readonly negated: boolean;
  readonly timed: boolean;
  readonly stages: readonly Command[];
  readonly joins: readonly ("|" | "|&")[];
};
export type AndOr = {
  readonly type: "and-or";
  readonly items: readonly Command[];
  readonly operators: readonly ("&&" | "||")[];
};
export type Group = {
  readonly type: "group";
  readonly subshell: boolean;
  readonly body: List;
  readonly redirections: readonly Redirection[];
};
export type Branch = { readonly condition: List; readonly body: List };
export type If = {
  readonly type: "if";
  readonly branches: readonly Branch[];
  readonly otherwise: List | undefined;
  readonly redirections: readonly Redirection[];
};
export type For = {
  readonly type: "for";
  readonly name: string;
  readonly words: readonly Word[];
  readonly body: List;
  readonly redirections: readonly Redirection[];
};
export type While = {
  readonly type: "while";
  readonly until: boolean;
  readonly condition: List;
  readonly body: List;
  readonly redirections: readonly Redirection[];
};
export type Case = {
  readonly type: "case";
  readonly subject: Word;
  readonly items: readonly { readonly patterns: readonly Word[]; readonly body: List }[];
  readonly redirections: readonly Redirection[];
};
export type TestExpression =
  | { readonly type: "unary"; readonly operator: string; readonly operand: Word }
  | { readonly type: "binary"; readonly operator: string; readonly left: Word; readonly right: Word }
  | { readonly type: "logical"; readonly operator: "&&" | "||"; readonly operands: readonly TestExpression[] }
  | { readonly type: "not"; readonly operand: TestExpression }
  | { readonly type: "nested"; readonly operand: TestExpression };
/** `[[ … ]]` */
export type Test = {
  readonly type: "test";
  readonly expression: TestExpression;
  readonly redirections: readonly Redirection[];
};

/** `((…))` */
export type CalculationCommand = {
  readonly type: "calculation";
  readonly redirections: readonly Redirection[];
} & Calculation;

/** `xs=(…)`, `xs+=(…)` */
export type ArrayAssignment = {
  readonly type: "array";
  readonly name: string;
  readonly append: boolean;
  readonly elements: readonly Word[];
  readonly redirections: readonly Redirection[];
};

export type Command =
  | ArrayAssignment
  | Simple
  | Pipeline
  | AndOr
  | Group
  | If
  | For
  | While
  | Case
  | Test
  | CalculationCommand;
export type List = readonly Command[];

export const text = (value: string): Word => ({ parts: [{ type: "text", value }] });

/** The exact string a word stands for, or undefined when the shell would compute any of it. */
export const staticText = (word: Word): string | undefined => {
  let value = "";
  for (const part of word.parts) {
    if (part.type !== "text") return undefined;
    value += part.value;
  }
  return value;
};

/** A switch over the closed set is complete: a new node does not compile until it is answered. */
export const never = (value: never): never => {
  throw new Error(`unanswered node: ${JSON.stringify(value)}`);
};
