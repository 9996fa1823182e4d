/** OpenAI's Responses API, used without storing anything at the vendor. */
import { createOpenAI } from "@ai-sdk/openai";
import type { LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "../../model.ts";
import type { Provider, ProviderSettings } from "../provider.ts";

export function createProvider({ apiKey, baseUrl, fetch }: ProviderSettings): Provider {
  const openai = createOpenAI({ baseURL: baseUrl, fetch, apiKey: apiKey ?? "" });
  return {
    languageModel: (modelId) => openai.responses(modelId),
    dress,
    tooLong: /context_length_exceeded|exceeds the context window|maximum context length/i,
  };
}

/** The vendor stores nothing, because the transcript is ours. Requests of one session share a cache. */
const dress = (options: LanguageModelV4CallOptions, { sessionId }: ModelRequest): LanguageModelV4CallOptions => ({
  ...options,
  providerOptions: { openai: { store: false, promptCacheKey: sessionId } },
});
