/**
 * Chooses the models of a session: those of its agent, or the default ones. A changed configuration counts from the
 * next answer on; what `auto` means is determined once, when the gateway starts.
 */
import { type Clean, cleanAnswers } from "../agent/clean-answers.ts";
import { createModelRegistry, DEMO, type ModelRegistry } from "../agent/model-registry.ts";
import { createModelHealth, type ModelHealth } from "../agent/model-health.ts";
import { type Model, ModelFailure } from "../agent/model.ts";
import type { WireWatch } from "../agent/providers/watched-fetch.ts";
import { ConfigError } from "../config/config-error.ts";
import { type Environment, secretsFile } from "../config/home.ts";
import type { Config } from "../config/config.ts";
import { findSecret, readSecrets } from "../config/secrets-file.ts";
import type { Clock } from "../plugins/sessions.ts";
import { findOllamaModel } from "./find-ollama.ts";
import { asIs } from "../protocol/localized/localized-text.ts";

const AUTO = "auto";

export type Models = {
  registry: ModelRegistry;
  /** Tried in this order. */
  modelFor(session: { agentId: string }): readonly Model[];
  /** By its name, whoever answers in sessions. */
  named(name: string): Model;
  /** Which of them failed a moment ago. */
  health: ModelHealth;
  /** The first default model: what a person sees as the gateway's model. */
  defaultModel(): Model;
  /** Loads what the default model needs; a provider's package takes longer than a turn should. */
  preload(): Promise<void>;
  /** What `auto` resolved to, as a sentence for the person who starts the gateway; empty when `auto` is not used. */
  note: string;
};

type Parts = {
  config: { current(): Pick<Config, "agents" | "providers" | "models"> };
  home: string;
  env: Environment;
  clock: Clock;
  /** Replaces every configured model. */
  given?: Model | undefined;
  watch?: WireWatch | undefined;
  /** Leaves the gateway's secrets out of what models answer; absent: nothing is left out. */
  clean?: Clean | undefined;
};

export async function chooseModels({ config, home, env, clock, given, watch, clean }: Parts): Promise<Models> {
  const registry = createModelRegistry({
    configured: () => config.current(),
    secret: (name) => secretInTurn(name, { home, env }),
    secretsFile: secretsFile(home),
    clock,
    watch,
  });
  if (given === undefined) await readSecrets(home); // a broken file is reported at the start, not in the middle of a turn
  const isAuto = given === undefined && namesIn(config.current(), undefined).includes(AUTO);
  const auto = isAuto ? await findModel(registry) : { name: DEMO, note: "" };
  const named = (name: string): Model => {
    const model = given ?? registry.model(name === AUTO ? auto.name : name);
    return clean === undefined ? model : cleanAnswers(model, clean);
  };
  const models = (agentId: string | undefined): readonly Model[] =>
    (given === undefined ? namesIn(config.current(), agentId) : [given.id]).map(named);
  return {
    registry,
    modelFor: ({ agentId }) => models(agentId),
    named,
    health: createModelHealth(clock),
    defaultModel: () => models(undefined)[0] ?? registry.model(DEMO),
    preload: () => registry.preload(models(undefined)[0]?.id ?? DEMO),
    note: auto.note,
  };
}

/** A file that breaks while the gateway runs is reported to the person who waits for the answer. */
async function secretInTurn(name: string, at: { home: string; env: Environment }): Promise<string | undefined> {
  try {
    return await findSecret(name, at);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    throw new ModelFailure(asIs(error.message), { retry: false, kind: "missing-key" });
  }
}

function namesIn({ agents }: Pick<Config, "agents">, agentId: string | undefined): string[] {
  const agent = agents.list.find((item) => item.id === agentId);
  return [agent?.model ?? agents.defaults.model].flat();
}

/** The first provider with a key; else a model on this machine; else the demo script, which says that it is one. */
async function findModel(registry: ModelRegistry): Promise<{ name: string; note: string }> {
  for (const provider of registry.providers()) {
    if (provider.defaultModel === undefined) continue;
    const keyName = await registry.keyName(provider);
    if (keyName === undefined) continue;
    const name = `${provider.id}/${provider.defaultModel}`;
    return { name, note: `The model is ${name}, because ${keyName} is set. ${ANOTHER}` };
  }
  const ollama = registry.providers().find(({ id }) => id === "ollama");
  const local = ollama === undefined ? undefined : await findOllamaModel(ollama.baseUrl);
  if (local !== undefined)
    return { name: `ollama/${local}`, note: `The model is ollama/${local}, found on this machine. ${ANOTHER}` };
  return { name: DEMO, note: NONE };
}

const ANOTHER = "Choose another: holdpoint config set agents.defaults.model <provider/model>";
const NONE =
  "No key of a model provider is set and no Ollama runs here, so the demo agent answers: a script, no language model. See: holdpoint models list";
