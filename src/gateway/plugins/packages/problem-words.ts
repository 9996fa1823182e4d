/** A plugin's problem with its advice, both as text and as message keys. */
import type { PluginProblem } from "../../../protocol/plugin/plugin-packages.ts";
import type { LocalizedText } from "../../../protocol/localized/localized-text.ts";

export const problemOf = (id: string, problem: LocalizedText, advice: LocalizedText): PluginProblem => ({
  id,
  problem: problem.text,
  advice: advice.text,
  ...(problem.said.length === 0 ? {} : { saidProblem: problem.said }),
  ...(advice.said.length === 0 ? {} : { saidAdvice: advice.said }),
});
