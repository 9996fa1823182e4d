/** How much a model can read at once, in tokens, answer not counted. Names that are not here are left to the settings. */
const WINDOWS: readonly [name: RegExp, tokens: number][] = [
  [/^anthropic\/claude-[a-z]+-5/, 1_000_000],
  [/^anthropic\/claude-/, 200_000],
  [/^openai\/gpt-4\.1/, 1_000_000],
  [/^openai\/gpt-4o/, 128_000],
  [/^openai\/gpt-/, 272_000],
  [/^google\/gemini-/, 1_000_000],
];

export const contextWindow = (model: string): number | undefined => WINDOWS.find(([name]) => name.test(model))?.[1];
