/** Visits every command of a tree, those inside substitutions included, in the order they are written. */
import { never } from "./command-tree.ts";
import type { Command, List, Redirection, TestExpression, Word } from "./command-tree.ts";

export type Visitor = (node: Command) => void;

const visitWords = (words: readonly Word[], visitor: Visitor): void => {
  for (const { parts } of words) {
    for (const part of parts) {
      if (part.type === "substitution" || part.type === "process-input") eachCommand(part.body, visitor);
      if (part.type === "arithmetic") eachCommand(part.substitutions.flat(), visitor);
    }
  }
};

const visitRedirections = (redirections: readonly Redirection[], visitor: Visitor): void => {
  for (const redirection of redirections) {
    if (redirection.type === "file") visitWords([redirection.target], visitor);
    if (redirection.type === "text") visitWords([redirection.content], visitor);
  }
};

const visitTest = (expression: TestExpression, visitor: Visitor): void => {
  switch (expression.type) {
    case "unary":
      return visitWords([expression.operand], visitor);
    case "binary":
      return visitWords([expression.left, expression.right], visitor);
    case "logical":
      for (const operand of expression.operands) visitTest(operand, visitor);
      return undefined;
    case "not":
    case "nested":
      return visitTest(expression.operand, visitor);
    default:
      return never(expression);
  }
};

// oxlint-disable-next-line complexity -- a table of contents over the closed set of commands
const visitInside = (node: Command, visitor: Visitor): void => {
  switch (node.type) {
    case "simple":
      return visitWords([...node.assignments.map((assignment) => assignment.value), ...node.words], visitor);
    case "array":
      return visitWords(node.elements, visitor);
    case "pipeline":
      return eachCommand(node.stages, visitor);
    case "and-or":
      return eachCommand(node.items, visitor);
    case "group":
      return eachCommand(node.body, visitor);
    case "if":
      for (const { condition, body } of node.branches) eachCommand([...condition, ...body], visitor);
      return eachCommand(node.otherwise ?? [], visitor);
    case "for":
      visitWords(node.words, visitor);
      return eachCommand(node.body, visitor);
    case "while":
      return eachCommand([...node.condition, ...node.body], visitor);
    case "case":
      visitWords([node.subject, ...node.items.flatMap((item) => item.patterns)], visitor);
      return eachCommand(
        node.items.flatMap((item) => item.body),
        visitor,
      );
    case "test":
      return visitTest(node.expression, visitor);
    case "calculation":
      return eachCommand(node.substitutions.flat(), visitor);
    default:
      return never(node);
  }
};

export const eachCommand = (list: List, visitor: Visitor): void => {
  for (const node of list) {
    visitor(node);
    visitInside(node, visitor);
    if (node.type !== "pipeline" && node.type !== "and-or") visitRedirections(node.redirections, visitor);
  }
};
