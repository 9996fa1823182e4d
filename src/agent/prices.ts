/** What models cost. A table, not a bill: list prices of the standard tier, as the vendors published them. */
import type { Usage } from "../protocol/transcript-entry.ts";

export const PRICES_AS_OF = "2026-11-15";

/** US dollars for a million tokens. */
export type Price = { input: number; output: number; cacheRead: number; cacheWrite: number };

/** Input, output, cache read, cache write; a write costs what input costs where none is named. */
type Row = readonly [input: number, output: number, cacheRead: number, cacheWrite?: number];

/** Models whose price depends on the length of the prompt are left out: no price is better than a wrong one. */
const PRICES: Readonly<Record<string, Row>> = {
  "anthropic/claude-fable-5": [10, 50, 1, 12.5],
  "anthropic/claude-fable-5-1": [10, 50, 0.25, 12.5],
  "anthropic/claude-opus-5-5": [4, 20, 0.2, 5],
  "anthropic/claude-opus-5": [5, 25, 0.5, 6.25],
  "anthropic/claude-opus-4-8": [5, 25, 0.5, 6.25],
  "anthropic/claude-opus-4-7": [5, 25, 0.5, 6.25],
  "anthropic/claude-opus-4-6": [5, 25, 0.5, 6.25],
  "anthropic/claude-opus-4-5": [5, 25, 0.5, 6.25],
  "anthropic/claude-opus-4-1": [15, 75, 1.5, 18.75],
  "anthropic/claude-sonnet-5-5": [2, 10, 0.2, 2.5],
  "anthropic/claude-sonnet-5": [2, 10, 0.2, 2.5],
  "anthropic/claude-sonnet-4-6": [3, 15, 0.3, 3.75],
  "anthropic/claude-sonnet-4-5": [3, 15, 0.3, 3.75],
  "anthropic/claude-haiku-4-5": [1, 5, 0.1, 1.25],
  "openai/gpt-6.1-sol": [2, 10, 0.1],
  "openai/gpt-5.6-sol": [5, 30, 0.5, 6.25],
  "openai/gpt-5.6-terra": [2.5, 15, 0.25, 3.125],
  "openai/gpt-5.6-luna": [1, 6, 0.1, 1.25],
  "openai/gpt-5.4-mini": [0.75, 4.5, 0.075],
  "openai/gpt-5.2": [1.75, 14, 0.175],
  "openai/gpt-5.1": [1.25, 10, 0.125],
  "openai/gpt-5-mini": [0.25, 2, 0.025],
  "openai/gpt-5-nano": [0.05, 0.4, 0.005],
  "openai/gpt-4.1": [2, 8, 0.5],
  "openai/gpt-4.1-mini": [0.4, 1.6, 0.1],
  "openai/gpt-4.1-nano": [0.1, 0.4, 0.025],
  "openai/gpt-4o": [2.5, 10, 1.25],
  "openai/gpt-4o-mini": [0.15, 0.6, 0.075],
  "google/gemini-3.5-flash": [1.5, 9, 0.15],
  "google/gemini-3-flash-preview": [0.5, 3, 0.05],
  "google/gemini-2.5-flash": [0.3, 2.5, 0.03],
  "google/gemini-2.5-flash-lite": [0.1, 0.4, 0.01],
};

/** A name that is in the table, or one of its dated versions (`claude-opus-4-5-20251101`, `gpt-5-mini-2025-08-07`). */
export function listPrice(model: string): Price | undefined {
  const dated = /^(.+?)-(?:\d{8}|\d{4}-\d{2}-\d{2}|latest)$/.exec(model)?.[1] ?? model;
  const row = PRICES[model] ?? PRICES[dated];
  if (row === undefined) return undefined;
  const [input, output, cacheRead, cacheWrite = input] = row;
  return { input, output, cacheRead, cacheWrite };
}

export function costUsd(usage: Omit<Usage, "model" | "costUsd">, { input, output, cacheRead, cacheWrite }: Price) {
  const { inputTokens, outputTokens, cacheReadTokens, cacheWriteTokens } = usage;
  const fresh = Math.max(0, inputTokens - cacheReadTokens - cacheWriteTokens);
  const millionths =
    fresh * input + cacheReadTokens * cacheRead + cacheWriteTokens * cacheWrite + outputTokens * output;
  return Math.round(millionths * 1_000) / 1e9; // sums of fractions leave digits that nobody measured
}
