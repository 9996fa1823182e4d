import { expect, it } from "vitest";
import { costUsd, listPrice, PRICES_AS_OF } from "./prices.ts";

const usage = { inputTokens: 1_000_000, outputTokens: 100_000, cacheReadTokens: 600_000, cacheWriteTokens: 100_000 };

it("[RT-01] counts fresh, cached and written tokens each at its own price", () => {
  expect(costUsd(usage, { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 })).toBe(0.9 + 0.18 + 0.375 + 1.5);
});

it("[RT-01] knows dated versions of a model by its name, and no price for one it does not know", () => {
  expect(listPrice("anthropic/claude-haiku-4-5-20251001")).toEqual(listPrice("anthropic/claude-haiku-4-5"));
  expect(listPrice("openai/gpt-5-mini-2025-08-07")).toEqual({
    input: 0.25,
    output: 2,
    cacheRead: 0.025,
    cacheWrite: 0.25,
  });
  expect(listPrice("openai/gpt-5-mini-2")).toBeUndefined();
  expect(listPrice("ollama/qwen3")).toBeUndefined();
  expect(PRICES_AS_OF).toMatch(/^\d{4}-\d{2}-\d{2}$/);
});
