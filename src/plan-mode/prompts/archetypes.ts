/** What an agent is told about a plan of a certain kind, besides how plans are written. */
import type { Archetype } from "../protocol/template/archetype.ts";

const GUIDANCE: Readonly<Record<Archetype, string>> = {
  "bug-fix":
    "It fixes a bug. Say in the analysis how the fault is reproduced and what causes it, with the place. Begin with a test that fails because of it; end with that test passing and with what else the same cause could break.",
  feature:
    "It adds a feature. Say in the summary what somebody can do afterwards that they cannot do now, and what is left out. Name the interfaces that others will rely on, the tests of the new behaviour, and the documents that change.",
  refactor:
    "It is a refactoring. Behaviour stays as it is: name the tests that hold it, or add them first. Change in small steps after each of which everything passes, and put no fix or feature into it.",
  migration:
    "It is a migration. Say what is moved, how much of it, and how both forms live beside each other meanwhile. Name for each step the way back and the point after which there is none; rehearse it on a copy, and end with a check that counts and compares.",
  incident:
    "It answers an incident. Stop the harm first, with the smallest change that can be undone; say who is affected and how one sees that it is over. Keep what is needed to find the cause, and put the lasting repair into steps of its own.",
  research:
    "It is research. State the question and what an answer must contain. Steps look and compare; they change nothing outside of a place for notes. End with findings, how certain each is, and what should be decided.",
};

const NAMES: Readonly<Record<Archetype, string>> = {
  "bug-fix": "bug fix",
  feature: "feature",
  refactor: "refactor",
  migration: "migration",
  incident: "incident",
  research: "research",
};

export const archetypePrompt = (archetype: Archetype): string =>
  `# The kind of this plan: ${NAMES[archetype]}\n${GUIDANCE[archetype]}`;
