/** Every provider with OpenAI's chat completions API: Ollama, LM Studio, vLLM, llama.cpp, OpenRouter and many more. */
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Provider, ProviderSettings } from "../provider.ts";

export function createProvider({ id, apiKey, baseUrl, fetch }: ProviderSettings): Provider {
  const server = createOpenAICompatible({
    name: id,
    baseURL: baseUrl,
    fetch,
    includeUsage: true,
    ...(apiKey === undefined ? {} : { apiKey }),
  });
  return {
    languageModel: (modelId) => server.languageModel(modelId),
    dress: (options) => options,
    tooLong:
      /context_length_exceeded|maximum context length|context (?:size|length|window).*exceed|exceed.*context (?:size|length|window)/i,
  };
}
