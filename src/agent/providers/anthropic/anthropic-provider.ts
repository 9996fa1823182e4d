/** Anthropic's Messages API, with marks that let the vendor cache the unchanged beginning of a prompt. */
import { createAnthropic } from "@ai-sdk/anthropic";
import type { LanguageModelV4CallOptions, LanguageModelV4Message } from "@ai-sdk/provider";
import type { Provider, ProviderSettings } from "../provider.ts";

/** The API demands a limit. Long enough for a file in one call; thinking counts too. */
const OUTPUT_TOKENS = 32_000;

/** Marks the end of a part that the vendor should cache. It allows four such marks; these are three. */
const CACHE_HERE = { anthropic: { cacheControl: { type: "ephemeral" } } } as const;

export function createProvider({ apiKey, baseUrl, fetch }: ProviderSettings): Provider {
  const anthropic = createAnthropic({ baseURL: baseUrl, fetch, apiKey: apiKey ?? "" });
  return {
    languageModel: (modelId) => anthropic.languageModel(modelId),
    dress,
    tooLong: /prompt is too long|input length and `?max_tokens`? exceed|request_too_large/i,
  };
}

function dress(options: LanguageModelV4CallOptions): LanguageModelV4CallOptions {
  const { prompt, tools = [], maxOutputTokens = OUTPUT_TOKENS } = options;
  const last = prompt.length - 1;
  return {
    ...options,
    maxOutputTokens,
    prompt: prompt.map((message, at) => (message.role === "system" || at === last ? marked(message) : message)),
    tools: tools.map((tool, at) =>
      tool.type === "function" && at === tools.length - 1 ? { ...tool, providerOptions: CACHE_HERE } : tool,
    ),
  };
}

const marked = (message: LanguageModelV4Message): LanguageModelV4Message => ({
  ...message,
  providerOptions: CACHE_HERE,
});
