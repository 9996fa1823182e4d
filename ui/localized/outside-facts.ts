/** How facts of plugins from outside are worded, by type: read from the gateway together with their texts. */
import type { FactWording } from "../../src/protocol/localized/fact-wording.ts";

export type OutsideFact = { pluginId: string; wording: FactWording };

let facts: ReadonlyMap<string, OutsideFact> = new Map();

export const keepOutsideFacts = (read: Iterable<readonly [string, OutsideFact]>): void => void (facts = new Map(read));

export const outsideFact = (type: string): OutsideFact | undefined => facts.get(type);
