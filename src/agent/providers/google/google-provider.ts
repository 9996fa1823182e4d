/** Google's Gemini API. */
import { createGoogle } from "@ai-sdk/google";
import type { Provider, ProviderSettings } from "../provider.ts";

export function createProvider({ apiKey, baseUrl, fetch }: ProviderSettings): Provider {
  const google = createGoogle({ baseURL: baseUrl, fetch, apiKey: apiKey ?? "" });
  return {
    languageModel: (modelId) => google.languageModel(modelId),
    dress: (options) => options, // prefixes are cached by the vendor without being asked
    tooLong: /input token count.*exceeds|exceeds the maximum number of tokens/i,
  };
}
