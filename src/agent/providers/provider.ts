/** The port of a vendor's adapter: it makes a language model and declares how the vendor differs. */
import type { LanguageModelV4, LanguageModelV4CallOptions } from "@ai-sdk/provider";
import type { ModelRequest } from "../model.ts";

/** Everything an adapter needs, so that it reads nothing from the environment itself. */
export type ProviderSettings = {
  /** The name it has in the configuration. */
  id: string;
  /** Undefined where none is needed, as for a model on this machine. */
  apiKey: string | undefined;
  baseUrl: string;
  fetch: typeof fetch;
};

export type Provider = {
  languageModel(modelId: string): LanguageModelV4;
  /** The request as this vendor likes it: where to cache, what not to store. The same request gives the same bytes. */
  dress(options: LanguageModelV4CallOptions, request: ModelRequest): LanguageModelV4CallOptions;
  /**
   * How this vendor says that the conversation is longer than the window. Most say it in words only; where there is a
   * code, it is matched as well.
   */
  tooLong: RegExp;
};
