/** Tokens and cost of one answer: the vendor's own bill where it sends one (OpenRouter), otherwise the price table. */
import type { LanguageModelV4Usage } from "@ai-sdk/provider";
import type { Usage } from "../../protocol/transcript-entry.ts";
import { costUsd, type Price } from "../prices.ts";

export function usageOf(
  { inputTokens, outputTokens, raw }: LanguageModelV4Usage,
  { model, price }: { model: string; price: Price | undefined },
): Usage {
  const counted = {
    inputTokens: count(inputTokens.total),
    outputTokens: count(outputTokens.total),
    cacheReadTokens: count(inputTokens.cacheRead),
    cacheWriteTokens: count(inputTokens.cacheWrite),
  };
  const billed = raw?.["cost"];
  return {
    model,
    ...counted,
    costUsd: typeof billed === "number" && billed >= 0 ? billed : price === undefined ? null : costUsd(counted, price),
  };
}

const count = (tokens: number | undefined): number =>
  tokens !== undefined && Number.isSafeInteger(tokens) && tokens > 0 ? tokens : 0;
