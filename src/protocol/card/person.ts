/**
 * Who may do something: scopes, and lists of names. The gate and every card ask here, so that a button is free exactly
 * where the decision would be taken. Without a schema library: the page reads this file too.
 */

export const SCOPES = ["operator.read", "operator.write", "operator.approvals", "operator.admin"] as const;
type Scope = (typeof SCOPES)[number];

export type Person = { id: string; name: string; scopes: readonly Scope[] };

const isScope = (entry: string): entry is Scope => SCOPES.some((scope) => scope === entry);

/** Whoever may do anything may also read: nobody signs what they cannot see. */
export function hasScope(scopes: readonly Scope[], needed: Scope): boolean {
  if (needed === "operator.read") return scopes.length > 0;
  return scopes.includes("operator.admin") || scopes.includes(needed);
}

/** Whether an entry of a list of approvers means this person: a scope, an operator's id (opr_…) or a name. */
export function covers(entry: string, { id, name, scopes }: Person): boolean {
  if (isScope(entry)) return hasScope(scopes, entry);
  return entry.startsWith("opr_") ? entry === id : sameName(entry, name);
}

type Named = Pick<Person, "id" | "name">;

/** One person with two tokens is one: their name tells, since a token's id is its own. */
export const samePerson = (a: Named, b: Named): boolean => a.id === b.id || sameName(a.name, b.name);

const sameName = (a: string, b: string): boolean => plainName(a) === plainName(b);
const plainName = (name: string): string => name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
