/**
 * From a name in the configuration to a model. Nothing of a provider is loaded before it is asked: an SDK costs tens of
 * milliseconds and megabytes, and a gateway that runs the demo agent needs none of them.
 */
import type { Clock } from "../plugins/sessions.ts";
import { contextWindow } from "./context-windows.ts";
import { createDemoModel } from "./demo/demo-model.ts";
import { KNOWN_PROVIDERS, type ProviderEntry, type ProviderKind } from "./known-providers.ts";
import { type Model, ModelFailure, type ModelPart, type ModelRequest } from "./model.ts";
import { listPrice, type Price } from "./prices.ts";
import type { ProviderModelParts } from "./providers/provider-model.ts";
import type { WireWatch } from "./providers/watched-fetch.ts";
import { localized } from "../protocol/localized/localized-text.ts";

export const DEMO = "demo";

/** What the configuration says about one model; everything has a default. */
export type ModelSettings = {
  name: string;
  contextTokens?: number | undefined;
  maxOutputTokens?: number | undefined;
  price?: Price | undefined;
  images?: boolean | undefined;
};

/** A provider as somebody configured it: a new one, or a known one at another address. */
type ConfiguredProvider = {
  id: string;
  kind?: ProviderKind | undefined;
  baseUrl?: string | undefined;
  apiKeyName?: string | undefined;
  firstByteSeconds?: number | undefined;
  idleSeconds?: number | undefined;
};

export type RegistryParts = {
  /** Read at each use: what is changed in the configuration counts from the next answer on. */
  configured(): { providers: readonly ConfiguredProvider[]; models: readonly ModelSettings[] };
  /** A key by its name, from the environment or the secrets file. */
  secret(name: string): Promise<string | undefined>;
  /** Where a person may put a key, for the message about a missing one. */
  secretsFile: string;
  clock: Clock;
  /** Sees what goes to vendors and comes from them. */
  watch?: WireWatch | undefined;
};

type FoundProvider = ProviderEntry & { patience: { firstByteMs?: number; idleMs?: number } };

export type ModelRegistry = {
  /** An unknown name gives a model too, which fails with an explanation when it is asked. */
  model(name: string): Model;
  /** All that can be named, configured ones first. */
  providers(): FoundProvider[];
  /** The name of the first key that is set; undefined when none is needed or none is there. */
  keyName(provider: ProviderEntry): Promise<string | undefined>;
  /** Loads what this model needs, so that its first answer does not wait for it. */
  preload(name: string): Promise<void>;
};

export function createModelRegistry(parts: RegistryParts): ModelRegistry {
  const demo = createDemoModel();
  const providers = (): FoundProvider[] => allProviders(parts.configured().providers);
  function model(name: string): Model {
    if (name === DEMO) return demo;
    const settings = parts.configured().models.find((item) => item.name === name);
    const contextTokens = settings?.contextTokens ?? contextWindow(name);
    return {
      id: name,
      scripted: false,
      ...(contextTokens === undefined ? {} : { contextTokens }),
      stream: (request) => ask(name, request, { ...parts, providers }),
    };
  }
  return {
    model,
    providers,
    keyName: async ({ keyNames }) => (await firstKey(keyNames, parts))?.name,
    async preload(name) {
      const provider = providers().find(({ id }) => name.startsWith(`${id}/`));
      if (provider === undefined) return;
      await Promise.all([import("./providers/provider-model.ts"), ADAPTERS[provider.kind]()]);
      await fetch("data:,"); // Node loads fetch when it is first used
    },
  };
}

type Asked = RegistryParts & { providers(): FoundProvider[] };

async function* ask(name: string, request: ModelRequest, parts: Asked): AsyncGenerator<ModelPart> {
  const { provider, modelId } = locate(name, parts.providers());
  const key = await firstKey(provider.keyNames, parts);
  if (key === undefined && provider.keyNames.length > 0) throw missingKey(name, provider, parts);
  const [{ askProvider }, { createProvider }, limits] = await Promise.all([
    import("./providers/provider-model.ts"),
    ADAPTERS[provider.kind](),
    import("./providers/patient-fetch.ts"),
  ]);
  const settings = parts.configured().models.find((item) => item.name === name);
  const { firstByteMs = limits.FIRST_BYTE_MS_MAX, idleMs = limits.IDLE_MS_MAX } = provider.patience;
  yield* askProvider(
    {
      createProvider,
      name,
      modelId,
      settings: { id: provider.id, apiKey: key?.value, baseUrl: provider.baseUrl },
      keyNames: provider.keyNames,
      maxOutputTokens: settings?.maxOutputTokens,
      seesImages: settings?.images ?? provider.kind !== "openai-compatible",
      price: settings?.price ?? listPrice(name),
      patience: { firstByteMs, idleMs },
      clock: parts.clock,
      watch: parts.watch,
    },
    request,
  );
}

/** Everything after the first slash is the provider's own name of the model; it may hold further ones. */
function locate(name: string, providers: readonly FoundProvider[]): { provider: FoundProvider; modelId: string } {
  const [, id, modelId] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  const provider = providers.find((item) => item.id === id);
  if (provider === undefined || modelId === undefined) throw unknownProvider(name, providers);
  if (provider.baseUrl === "") throw withoutAddress(name, provider);
  return { provider, modelId };
}

type Adapter = Pick<ProviderModelParts, "createProvider">;

const ADAPTERS: Readonly<Record<ProviderKind, () => Promise<Adapter>>> = {
  anthropic: () => import("./providers/anthropic/anthropic-provider.ts"),
  openai: () => import("./providers/openai/openai-provider.ts"),
  google: () => import("./providers/google/google-provider.ts"),
  "openai-compatible": () => import("./providers/openai-compatible/openai-compatible-provider.ts"),
};

/** Configured ones stand before known ones of the same name, and borrow from them what they leave out. */
function allProviders(configured: readonly ConfiguredProvider[]): FoundProvider[] {
  const taken = new Set(configured.map(({ id }) => id));
  return [
    ...configured.map(completed),
    ...KNOWN_PROVIDERS.filter(({ id }) => !taken.has(id)).map((known) => ({ ...known, patience: {} })),
  ];
}

function completed({ id, firstByteSeconds, idleSeconds, ...given }: ConfiguredProvider): FoundProvider {
  const known = KNOWN_PROVIDERS.find((provider) => provider.id === id) ?? { id, ...BLANK };
  return {
    ...known,
    kind: given.kind ?? known.kind,
    baseUrl: given.baseUrl ?? known.baseUrl,
    keyNames: given.apiKeyName === undefined ? known.keyNames : [given.apiKeyName],
    patience: {
      ...(firstByteSeconds === undefined ? {} : { firstByteMs: firstByteSeconds * 1_000 }),
      ...(idleSeconds === undefined ? {} : { idleMs: idleSeconds * 1_000 }),
    },
  };
}

const BLANK = { kind: "openai-compatible", baseUrl: "", keyNames: [] } as const;

async function firstKey(names: readonly string[], { secret }: Pick<RegistryParts, "secret">) {
  for (const name of names) {
    const value = await secret(name);
    if (value !== undefined && value !== "") return { name, value };
  }
  return undefined;
}

const unknownProvider = (name: string, providers: readonly ProviderEntry[]): ModelFailure =>
  new ModelFailure(localized("modelUnknown", { model: name, providers: providers.map(({ id }) => id).join(", ") }), {
    retry: false,
    kind: "bad-request",
  });

const withoutAddress = (name: string, { id }: ProviderEntry): ModelFailure =>
  new ModelFailure(localized("modelNoAddress", { model: name, provider: id }), {
    retry: false,
    kind: "bad-request",
  });

const missingKey = (name: string, { keyNames }: ProviderEntry, { secretsFile }: RegistryParts): ModelFailure =>
  new ModelFailure(
    localized("modelNeedsKey", { model: name, keys: keyNames.join(" / "), key: keyNames[0] ?? "", file: secretsFile }),
    { retry: false, kind: "missing-key" },
  );
