import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fakeClock } from "../../test/kit/fake-clock.ts";
import { type Canned, cannedServer, failureFrom, modelServer, partsOf, request } from "../../test/kit/model-server.ts";
import { scriptedModel } from "../../test/kit/scripted-model.ts";
import { temporaryFolder } from "../../test/kit/turn-world.ts";
import type { Environment } from "../config/home.ts";
import { Config } from "../config/config.ts";
import { chooseModels } from "./choose-model.ts";
import { findOllamaModel } from "./find-ollama.ts";

const NOWHERE = "http://127.0.0.1:1/v1";
const noOllama = { id: "ollama", baseUrl: NOWHERE };

function choose(given: { config?: object; env?: Environment; home?: string } = {}) {
  const { env = {}, home = temporaryFolder() } = given;
  const live = { config: Config.parse({ providers: [noOllama], ...given.config }) };
  const chosen = chooseModels({ config: { current: () => live.config }, home, env, clock: fakeClock() });
  return { chosen, live, home };
}

const names = (models: readonly { id: string }[]): string[] => models.map(({ id }) => id);

describe("auto", () => {
  it("[RT-02] is the demo agent where there is no key and no local model, and says so", async () => {
    const { note, ...models } = await choose().chosen;
    expect(models.defaultModel()).toMatchObject({ id: "demo", scripted: true });
    expect(note).toContain("the demo agent answers: a script, no language model");
  });

  it.each([
    { env: { ANTHROPIC_API_KEY: "k", OPENAI_API_KEY: "k" }, wanted: /^anthropic\/claude-/ },
    { env: { OPENAI_API_KEY: "k" }, wanted: /^openai\/gpt-/ },
    { env: { GOOGLE_GENERATIVE_AI_API_KEY: "k" }, wanted: /^google\/gemini-/ },
    { env: { GEMINI_API_KEY: "k", ANTHROPIC_API_KEY: "" }, wanted: /^google\/gemini-/ },
    { env: { OPENROUTER_API_KEY: "k" }, wanted: /^openrouter\// },
  ])("[RT-01] takes the first key that it finds: $env", async ({ env, wanted }) => {
    const { note, ...models } = await choose({ env }).chosen;
    expect(models.defaultModel().id).toMatch(wanted);
    expect(note).toContain(`The model is ${models.defaultModel().id}, because `);
    expect(note).not.toContain('"k"');
  });

  it("[RT-01] takes a model of a local Ollama that can call tools", async () => {
    const json = (body: unknown): Canned => ({ body: JSON.stringify(body) });
    const server = await cannedServer(
      json({ models: [{ name: "nomic-embed-text:latest" }, { name: "qwen3:8b" }] }),
      json({ capabilities: ["embedding"] }),
      json({ capabilities: ["completion", "tools"] }),
    );
    const { note, ...models } = await choose({ config: { providers: [{ id: "ollama", baseUrl: `${server.url}/v1` }] } })
      .chosen;
    expect(names(models.modelFor({ agentId: "main" }))).toEqual(["ollama/qwen3:8b"]);
    expect(note).toContain("found on this machine");
    expect(server.sent.map(({ path }) => path)).toEqual(["/api/tags", "/api/show", "/api/show"]);
  });

  it("looks for no local model where one is configured", async () => {
    const server = await cannedServer();
    const providers = [{ id: "ollama", baseUrl: `${server.url}/v1` }];
    const config = { providers, agents: { defaults: { model: "ollama/qwen3" } } };
    expect((await choose({ config }).chosen).defaultModel().id).toBe("ollama/qwen3");
    expect(server.sent).toEqual([]);
  });

  it.each([{ body: "<html>" }, { status: 404, body: "" }, { body: '{"models":[]}' }])(
    "takes something else on that port for no Ollama: $body",
    async (canned) => {
      const server = await cannedServer(canned);
      expect(await findOllamaModel(`${server.url}/v1`)).toBeUndefined();
    },
  );
});

describe("configured models", () => {
  it("[RT-01] are a chain, an agent's own before the default ones, and count at once when they change", async () => {
    const { chosen, live } = choose({
      config: {
        agents: {
          defaults: { model: ["openai/a", "ollama/b"] },
          list: [{ id: "writer", model: "google/c" }, { id: "plain" }],
        },
      },
    });
    const { modelFor, note } = await chosen;
    expect(names(modelFor({ agentId: "main" }))).toEqual(["openai/a", "ollama/b"]);
    expect(names(modelFor({ agentId: "plain" }))).toEqual(["openai/a", "ollama/b"]);
    expect(names(modelFor({ agentId: "writer" }))).toEqual(["google/c"]);
    expect(note).toBe("");
    live.config = Config.parse({ agents: { defaults: { model: "demo" } } });
    expect(names(modelFor({ agentId: "main" }))).toEqual(["demo"]);
  });

  it("[RT-01] may be any server that speaks OpenAI's language, with a key of its own name", async () => {
    const server = await modelServer();
    server.on({}, { content: "hello" });
    const providers = [{ id: "acme", baseUrl: `${server.url}/v1`, apiKeyName: "ACME_API_KEY" }];
    const config = { providers, agents: { defaults: { model: "acme/org/big-model" } } };
    const keyless = await choose({ config }).chosen;
    expect((await failureFrom(keyless.defaultModel().stream(request("hi")))).message).toMatch(
      /^acme\/org\/big-model needs a key\. Set ACME_API_KEY in the environment of the gateway, or write the line/,
    );
    const { defaultModel } = await choose({ config, env: { ACME_API_KEY: "k" } }).chosen;
    expect((await partsOf(defaultModel().stream(request("hi"))))[0]).toEqual({ type: "text", delta: "hello" });
    expect(server.getRequests().map(({ body }) => body !== null && "model" in body && body.model)).toEqual([
      "org/big-model",
    ]);
  });

  it("[RT-01] say what to do when nobody answers to their name", async () => {
    const { defaultModel } = await choose({ config: { agents: { defaults: { model: "antropic/claude" } } } }).chosen;
    const { kind, message } = await failureFrom(defaultModel().stream(request("hi")));
    expect(kind).toBe("bad-request");
    expect(message).toContain('There is no model "antropic/claude". Write it as provider/model with one of these');
  });

  it("give way to the one that was handed in", async () => {
    const given = scriptedModel([]);
    const config = { current: () => Config.parse({}) };
    const chosen = await chooseModels({ config, home: temporaryFolder(), env: {}, clock: fakeClock(), given });
    expect([chosen.modelFor({ agentId: "main" }), chosen.defaultModel(), chosen.note]).toEqual([[given], given, ""]);
  });
});

describe("the configuration of models", () => {
  it.each([
    { agents: { defaults: { model: "gpt-5" } } },
    { agents: { defaults: { model: [] } } },
    { providers: [{ id: "acme", baseUrl: "http://user:pass@127.0.0.1/v1" }] },
    { providers: [{ id: "acme", baseUrl: "http://127.0.0.1/v1?key=k" }] },
    { providers: [{ id: "acme", baseUrl: "file:///etc/passwd" }] },
    { providers: [{ id: "acme", apiKeyName: "sk-abcdef" }] },
    { providers: [{ id: "acme", apiKey: "sk-abcdef" }] },
  ])("[GW-06] refuses %j", (config) => {
    expect(Config.safeParse(config).success).toBe(false);
  });
});

it("[RT-01] loads no provider's package for a gateway that runs the demo agent", () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) });
    const { startGateway } = await import(${JSON.stringify(new URL("../gateway.ts", import.meta.url).href)});
    const home = ${JSON.stringify(temporaryFolder())};
    const gateway = await startGateway({ home, workspace: home, port: 0, env: {}, log: "silent" });
    await gateway.stop();
    console.log(JSON.stringify({ all: loaded.length, sdk: loaded.filter((url) => url.includes("/@ai-sdk/")) }));
    process.exit(0);`;
  const file = join(temporaryFolder(), "start.mjs");
  writeFileSync(file, script);
  const { all, sdk } = JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8" })) as {
    all: number;
    sdk: string[];
  };
  expect(all).toBeGreaterThan(100);
  expect(sdk).toEqual([]);
});
