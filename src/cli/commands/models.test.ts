import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { KEY, modelServer, providersAt } from "../../../test/kit/model-server.ts";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import type { Environment } from "../../config/home.ts";
import { runProgram } from "../program.ts";

async function holdpoint(argv: string[], env: Environment, config: object) {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  writeFileSync(join(home, "config.yaml"), JSON.stringify(config));
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const around = { stdout: stream("stdout"), stderr: stream("stderr"), env: { ...env, HOLDPOINT_HOME: home } };
  const { stdin, stdout: terminal } = process;
  const code = await runProgram(argv, { ...around, stdin, terminal, cwd: home });
  return { code, ...said };
}

describe("holdpoint models", () => {
  it("[RT-01] lists models and the names of keys, never a key", async () => {
    const providers = [{ id: "acme", baseUrl: "http://127.0.0.1:1/v1", apiKeyName: "ACME_API_KEY" }];
    const agents = { defaults: { model: ["acme/a", "openai/b"] }, list: [{ id: "writer", model: "demo" }] };
    const env = { ACME_API_KEY: KEY };
    const { code, stdout } = await holdpoint(["models", "list", "--json"], env, { providers, agents });
    expect(code).toBe(0);
    expect(stdout).not.toContain(KEY);
    const document = JSON.parse(stdout) as { agents: unknown; providers: { id: string; keyFound: string | null }[] };
    expect(document.agents).toEqual([
      {
        agent: "default",
        models: [
          { name: "acme/a", price: null },
          { name: "openai/b", price: null },
        ],
      },
      { agent: "writer", models: [{ name: "demo", price: null }] },
    ]);
    expect(document.providers.slice(0, 2).map(({ id, keyFound }) => [id, keyFound])).toEqual([
      ["acme", "ACME_API_KEY"],
      ["anthropic", null],
    ]);
    const people = await holdpoint(["models", "list"], env, { providers, agents });
    expect(people.stdout).toContain("acme/a, then openai/b");
    expect(people.stdout).toContain("ACME_API_KEY ✓");
  });

  it("[RT-01] asks one model for one word", async () => {
    const server = await modelServer();
    server.on({}, { content: "ok", usage: { input_tokens: 12, output_tokens: 1 } });
    const config = { providers: providersAt(server.url) };
    const env = { ANTHROPIC_API_KEY: KEY };
    const { code, stdout } = await holdpoint(["models", "test", "anthropic/claude-haiku-4-5", "--json"], env, config);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      model: "anthropic/claude-haiku-4-5",
      text: "ok",
      usage: { inputTokens: 12, outputTokens: 1, costUsd: 0.000017 },
    });
    expect(server.getRequests()).toHaveLength(1);
  });

  it("[RT-01] says what is missing, and fails", async () => {
    const { code, stderr } = await holdpoint(["models", "test", "openai/gpt-4.1", "--json"], {}, {});
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "missing-key", exitCode: 1 } });
  });
});
