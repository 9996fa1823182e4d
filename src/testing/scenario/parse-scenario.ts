/** Reads scenario files: one YAML document for each scenario, several in one file. */
import { parseAllDocuments } from "yaml";
import { z } from "zod";
import { Scenario } from "./scenario.ts";

const FILE_CHARS_MAX = 1_048_576;
const SCENARIOS_MAX = 200;
/** Aliases multiply; a scenario has no need of many. */
const ALIASES_MAX = 100;

export type ParsedScenarios = { scenarios: Scenario[] } | { problem: string };

export function parseScenarios(text: string): ParsedScenarios {
  if (text.length > FILE_CHARS_MAX) return { problem: `a file holds at most ${FILE_CHARS_MAX} characters` };
  const documents = parseAllDocuments(text);
  if (!Array.isArray(documents) || documents.length === 0) return { problem: "there is no scenario in it" };
  if (documents.length > SCENARIOS_MAX) return { problem: `a file holds at most ${SCENARIOS_MAX} scenarios` };
  const scenarios: Scenario[] = [];
  for (const [index, document] of documents.entries()) {
    const [error] = document.errors;
    if (error !== undefined) return { problem: error.message };
    const parsed = Scenario.safeParse(document.toJS({ maxAliasCount: ALIASES_MAX }));
    if (!parsed.success) return { problem: `scenario ${index + 1}: ${z.prettifyError(parsed.error)}` };
    scenarios.push(parsed.data);
  }
  return { scenarios };
}
