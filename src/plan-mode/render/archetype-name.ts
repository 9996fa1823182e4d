/** What people call a kind of plan. */
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import type { Archetype } from "../protocol/template/archetype.ts";
import { localized } from "../texts/localized.ts";

const KEYS = {
  "bug-fix": "archetype_bug_fix",
  feature: "archetype_feature",
  refactor: "archetype_refactor",
  migration: "archetype_migration",
  incident: "archetype_incident",
  research: "archetype_research",
} as const satisfies Readonly<Record<Archetype, string>>;

export const archetypeName = (archetype: Archetype): LocalizedText => localized(KEYS[archetype]);
