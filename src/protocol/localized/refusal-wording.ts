/**
 * How a refusal is worded by its code. A plugin brings its codes with their wordings (`protocol/refusals.ts`); the words
 * themselves stand in its texts. Without a schema library: the page reads this file too.
 */
export type RefusalWording = {
  /** A key of the owner's texts, for a refusal that carries no meaning of its own. */
  text: string;
  /** A more exact text, where the refusal's details hold this field; its value fills `{name}`. */
  exact?: { text: string; field: string };
  /** The refusal's own sentence repeats a value or a rule: it stands beneath the text. */
  tellsMore?: true;
  /** The code alone does not say what is wrong: each refusal carries a text that can be translated. */
  localized?: true;
  /** How the command line ends; absent: failed. */
  exit?: "notAuthorised" | "nothingToDecide" | "usage";
  /** What to type next at the command line. */
  advice?: string;
};

/** By code. */
export type RefusalWordings = Readonly<Record<string, RefusalWording>>;

/** Those of a table that are always sent with a text that can be translated. */
export type LocalizedCode<Table extends RefusalWordings> = {
  [Code in keyof Table & string]: Table[Code] extends { localized: true } ? Code : never;
}[keyof Table & string];
