import type { By } from "../../protocol/actor.ts";
import type { Look } from "../text/paint.ts";
import { sanitiseLine } from "../text/sanitise.ts";

export type Beholder = { look: Look; nowMs: number; operatorId: string };

/** Whoever did it, as the beholder calls them. */
export function who(by: By, { operatorId }: Pick<Beholder, "operatorId">): string {
  if (by.kind === "operator") return by.id === operatorId ? "You" : sanitiseLine(by.name);
  return by.kind === "agent" ? "The agent" : sanitiseLine(by.name);
}
