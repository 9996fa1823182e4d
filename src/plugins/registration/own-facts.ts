/**
 * Facts of a plugin from outside stand under its id in the audit chain: it cannot write down that a plan was approved. An
 * id that a house fact begins with (`plan`) makes no difference.
 */
import { BUNDLED_FACTS } from "../../bundled-wording.ts";
import { FACT_TYPES } from "../../protocol/localized/fact-types.ts";

const HOUSE: ReadonlySet<string> = new Set([...FACT_TYPES, ...Object.keys(BUNDLED_FACTS)]);

export const ownFactType = (type: string, pluginId: string): string =>
  type.startsWith(`${pluginId}.`) && !HOUSE.has(type) ? type : `${pluginId}.${type}`;
