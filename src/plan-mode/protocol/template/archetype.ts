/** The kinds of work that a plan may be for. Names stand in front matter and in what is stored: add, never rename. */
import { z } from "zod";
import { ARCHETYPES } from "./archetype-names.ts";
import { By } from "../../../protocol/actor.ts";

export const Archetype = z.enum(ARCHETYPES);
export type Archetype = z.infer<typeof Archetype>;

/** Chosen for one cycle; what a person chose, the agent does not change. */
export const ChosenArchetype = z.strictObject({ name: Archetype, by: By });
export type ChosenArchetype = z.infer<typeof ChosenArchetype>;
