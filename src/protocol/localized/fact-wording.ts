/**
 * How facts of the audit chain are worded for people. A plugin brings its facts with their wordings (`protocol/facts.ts`);
 * the words themselves stand in its texts. Without a schema library: the page reads this file too.
 */
export const FACT_TONES = ["good", "bad", "waiting", "accent"] as const;
export type FactTone = (typeof FACT_TONES)[number];

/** Values that every page has words for: why a session plans, what a person answered, how some work ended. */
export const FACT_VALUES = ["reason", "answer", "outcome"] as const;
export type FactValue = (typeof FACT_VALUES)[number];

type PlainWording = {
  /** A key of the owner's texts. Its placeholders are filled with the fields of the fact's detail. */
  title: string;
  tone?: FactTone;
  /** The field of the detail that stands beside the title. */
  shows?: string;
};

export type FactWording = PlainWording & {
  /** Fields that hold one of the values above. */
  as?: Readonly<Record<string, FactValue>>;
  /** Other wordings, by what a field of the detail holds. */
  by?: { field: string; values: Readonly<Record<string, PlainWording>> };
};

/** By the fact's type. */
export type FactWordings = Readonly<Record<string, FactWording>>;
