/** The person at this terminal, and how an actor is named to them. */
import type { Person } from "../../protocol/card/person.ts";
import type { By } from "../../protocol/actor.ts";
import type { Look } from "../text/paint.ts";
import { sanitiseLine } from "../text/sanitise.ts";

/** `folds`: a long plan is shown with one line per step, and the rest on request. */
export type Beholder = { look: Look; nowMs: number; person: Person; folds?: boolean };

/** Whoever did it, as the beholder calls them. */
export function who(by: By, { person }: Pick<Beholder, "person">): string {
  if (by.kind === "operator") return by.id === person.id ? "You" : sanitiseLine(by.name);
  return by.kind === "agent" ? "The agent" : sanitiseLine(by.name);
}
