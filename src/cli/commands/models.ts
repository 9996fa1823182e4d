/** `holdpoint models …`: which models are configured, whose keys are there, and whether one really answers. */
import type { ModelRegistry } from "../../agent/model-registry.ts";
import { type Model, ModelFailure, type ModelRequest } from "../../agent/model.ts";
import { listPrice, PRICES_AS_OF } from "../../agent/prices.ts";
import { homePath, secretsFile } from "../../config/home.ts";
import { loadConfig } from "../../config/load.ts";
import type { Config } from "../../config/config.ts";
import { systemClock } from "../../engine/clock.ts";
import { chooseModels } from "../../gateway/choose-model.ts";
import { TurnId } from "../../protocol/ids.ts";
import type { Entry, Usage } from "../../protocol/transcript-entry.ts";
import { CliError } from "../cli-error.ts";
import type { CommandContext } from "../context.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";
import { wrap } from "../text/wrap.ts";

const TEST_MS_MAX = 120_000;

export async function listModels({ output, env }: CommandContext): Promise<void> {
  const home = homePath(env);
  const { config } = await loadConfig(home, env);
  const models = await chooseModels({ config: { current: () => config }, home, env, clock: systemClock });
  const agents = agentsOf(config).map(({ agent, agentId }) => ({
    agent,
    models: models.modelFor({ agentId }).map(({ id }) => ({ name: id, price: priceOf(id, config) })),
  }));
  const providers = await Promise.all(models.registry.providers().map((provider) => keyOf(provider, models.registry)));
  const file = secretsFile(home);
  output.document({ agents, providers, secretsFile: file, pricesAsOf: PRICES_AS_OF });
  const look = output.look();
  output.lines([
    ...agents.flatMap(({ agent, models: chain }) => [
      `${look.paint.strong(agent)}  ${chain.map(({ name }) => sanitiseLine(name)).join(", then ")}`,
    ]),
    ...(models.note === "" ? [] : wrap(models.note, look.columns).map(look.paint.quiet)),
    "",
    ...table(
      ["provider", "key", "address"],
      providers.map(({ id, key, baseUrl }) => [id, key, sanitiseLine(baseUrl)]),
      look,
    ),
    "",
    ...wrap(
      `Keys come from the environment or from ${file}. Try one: holdpoint models test <provider/model>. Prices are of ${PRICES_AS_OF}.`,
      look.columns,
    ).map(look.paint.quiet),
  ]);
}

const agentsOf = ({ agents }: Config): { agent: string; agentId: string }[] => [
  { agent: "default", agentId: "" },
  ...agents.list.filter(({ model }) => model !== undefined).map(({ id }) => ({ agent: id, agentId: id })),
];

const priceOf = (name: string, { models }: Config) =>
  models.find((item) => item.name === name)?.price ?? listPrice(name) ?? null;

async function keyOf(provider: ReturnType<ModelRegistry["providers"]>[number], registry: ModelRegistry) {
  const { id, kind, baseUrl, keyNames } = provider;
  const found = await registry.keyName(provider);
  const key = keyNames.length === 0 ? "none needed" : found === undefined ? `${keyNames[0]} is not set` : `${found} ✓`;
  return { id, kind, baseUrl, key, keyNames, keyFound: found ?? null };
}

/** The smallest real request: one word, no tools, asked once. */
export async function testModel(name: string, { output, env }: CommandContext): Promise<void> {
  const home = homePath(env);
  const { config } = await loadConfig(home, env);
  const { registry } = await chooseModels({ config: { current: () => config }, home, env, clock: systemClock });
  const startedMs = performance.now();
  const { text, usage } = await oneWord(registry.model(name));
  const tookMs = Math.round(performance.now() - startedMs);
  output.document({ model: name, text, tookMs, usage: usage ?? null });
  const { paint } = output.look();
  const cost = usage === undefined || usage.costUsd === null ? "no price known" : `$${usage.costUsd.toFixed(6)}`;
  const tokens = usage === undefined ? "" : `; ${usage.inputTokens} tokens in, ${usage.outputTokens} out, ${cost}`;
  output.lines([
    `${paint.good("✓")} ${sanitiseLine(name)} answers: ${sanitiseLine(text).slice(0, 60)}`,
    paint.quiet(`  ${tookMs} ms${tokens}`),
  ]);
}

const QUESTION: Omit<ModelRequest, "signal" | "entries"> = {
  sessionId: "models-test",
  turnId: "models-test",
  system: "Answer with one word.",
  tools: [],
  workspace: "",
};

async function oneWord(model: Model): Promise<{ text: string; usage: Usage | undefined }> {
  const turnId = TurnId.parse("trn_test");
  const entries: Entry[] = [{ kind: "input", turnId, text: "Say ok.", injectionIds: [], messages: [] }];
  let text = "";
  let usage: Usage | undefined;
  try {
    for await (const part of model.stream({ ...QUESTION, entries, signal: AbortSignal.timeout(TEST_MS_MAX) })) {
      if (part.type === "text") text += part.delta;
      if (part.type === "usage") ({ usage } = part);
    }
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    throw new CliError({ exit: "failed", message: error.message, code: error.kind, cause: error });
  }
  return { text, usage };
}
