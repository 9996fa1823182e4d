/** What a kind of secret looks like: the text that it begins with, and what may stand behind that. */
export type Shape = {
  prefix: string;
  /** What may stand behind the prefix. */
  body: Body;
  accepts(body: string, isAlone: boolean): boolean;
  /** Of one that was accepted, where its letters alone do not say what of it is secret; `start` is behind the prefix. */
  span?(text: string, start: number): { from: number; to: number; isOpen: boolean };
};

/** No shape asks for more; further characters change no judgement. */
export const JUDGED_CHARS = 400;

/** A run of such characters: as far as it is judged, and as far as it goes. */
type Body = { judged: RegExp; whole: RegExp };
export const bodyOf = (letters: string): Body => ({
  judged: new RegExp(`[${letters}]{0,${JUDGED_CHARS}}`, "y"),
  whole: new RegExp(`[${letters}]*`, "y"),
});

export const hasDigit = (text: string): boolean => /\d/.test(text);
export const isMixed = (text: string): boolean => /[a-z]/.test(text) && /[A-Z]/.test(text);
/** As random letters are, and a name that a person wrote mostly is not. */
export const looksRandom = (text: string): boolean => hasDigit(text) || isMixed(text);
