/** Whether a caller lacks scopes for what they ask, as the refusal to answer with. */
import { hasScope, type Scope } from "../protocol/actor.ts";
import { refuse, type Refused } from "../protocol/refusal.ts";

/** A refusal that names what the caller's token lacks for this; undefined when it lacks nothing. */
export function lackingScopes(what: string, needed: readonly Scope[], held: readonly Scope[]): Refused | undefined {
  const scopes = needed.filter((scope) => !hasScope(held, scope));
  if (scopes.length === 0) return undefined;
  return refuse("FORBIDDEN", `${what} needs the scope ${scopes.join(", ")}; your token lacks it.`, { scopes });
}
