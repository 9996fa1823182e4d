/** Providers that need no entry in the configuration: where they are, and how their keys are called. */

export type ProviderKind = "anthropic" | "openai" | "google" | "openai-compatible";

export type ProviderEntry = {
  id: string;
  kind: ProviderKind;
  baseUrl: string;
  /** Names of the key in the environment or the secrets file, the first that is set counts; none for a local server. */
  keyNames: readonly string[];
  /** Asked when nobody chose a model and this provider's key is there. */
  defaultModel?: string;
};

export const KNOWN_PROVIDERS: readonly ProviderEntry[] = [
  {
    id: "anthropic",
    kind: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keyNames: ["ANTHROPIC_API_KEY"],
    defaultModel: "claude-sonnet-5-5",
  },
  {
    id: "openai",
    kind: "openai",
    baseUrl: "https://api.openai.com/v1",
    keyNames: ["OPENAI_API_KEY"],
    defaultModel: "gpt-6.1-sol",
  },
  {
    id: "google",
    kind: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keyNames: ["GOOGLE_GENERATIVE_AI_API_KEY", "GEMINI_API_KEY"],
    defaultModel: "gemini-flash-latest",
  },
  {
    id: "openrouter",
    kind: "openai-compatible",
    baseUrl: "https://openrouter.ai/api/v1",
    keyNames: ["OPENROUTER_API_KEY"],
    defaultModel: "openrouter/auto",
  },
  { id: "ollama", kind: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1", keyNames: [] },
  { id: "lmstudio", kind: "openai-compatible", baseUrl: "http://127.0.0.1:1234/v1", keyNames: [] },
];
