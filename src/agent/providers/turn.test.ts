/** Turns with a vendor behind them: what a fault on the wire does to what was recorded. */
import { describe, expect, it } from "vitest";
import { gate } from "../../../test/kit/engine.ts";
import { fakeClock, quiet } from "../../../test/kit/fake-clock.ts";
import { modelServer, modelsAt } from "../../../test/kit/model-server.ts";
import { present } from "../../../test/kit/served-gateway.ts";
import { told } from "../../../test/kit/scripted-turn.ts";
import { turnWorld } from "../../../test/kit/turn-world.ts";

async function opened(chain: readonly string[]) {
  const server = await modelServer();
  const clock = fakeClock();
  const models = chain.map(modelsAt({ baseUrl: server.url, clock }));
  const made = turnWorld({ model: models, clock });
  await made.open();
  await made.must(gate({ do: "tell" }));
  const said = async (): Promise<string[]> => (await told(made)).slice(1); // without the notice of the telling itself
  /** Lets time pass after each of so many failures, and for the lease in between. */
  async function settledAfter(failures: number): Promise<("done" | "later")[]> {
    const settling = made.settle();
    for (let n = 1; n <= failures; n++) {
      await expect.poll(() => made.reports.length).toBe(n);
      await quiet();
      clock.advance(8_000);
    }
    return settling;
  }
  const inputs = (): string[] =>
    server.getRequests().map(({ body }) => {
      const messages = body !== null && "messages" in body ? body.messages : [];
      return JSON.stringify(Array.isArray(messages) ? messages.filter(({ role }) => role === "user") : []);
    });
  return { ...made, server, settledAfter, inputs, said };
}

describe("a fault on the wire", () => {
  it.each(["anthropic/claude-sonnet-4-5", "openai/gpt-4.1", "google/gemini-2.5-flash", "ollama/qwen3"])(
    "[IN-03] costs %s nothing of what it was told: the decision is in every attempt",
    async (model) => {
      const made = await opened([model]);
      const { server } = made;
      const content = "one two three four five six seven eight";
      server.on({ sequenceIndex: 0 }, { error: { message: "busy" }, status: 429, retryAfter: 2 });
      server.on({ sequenceIndex: 1 }, { error: { message: "oops" }, status: 500 });
      server.on({ sequenceIndex: 2 }, { content }, { chunkSize: 4, truncateAfterChunks: 5, latency: 2 });
      server.on({ sequenceIndex: 3 }, { content: "whole" });
      await made.send("and this");
      expect(await made.settledAfter(3)).toEqual(["done"]);
      expect(await made.said()).toEqual([
        "input: The gate has spoken.\n\nand this",
        `notice: ${model} limits how often it is asked and asks to wait 2 seconds.\n[asking again in 2 s]`,
        "says: whole []",
      ]);
      expect(made.inputs()).toHaveLength(4);
      expect(new Set(made.inputs()).size).toBe(1);
      expect(made.inputs()[0]).toContain("The gate has spoken.");
    },
  );

  it("[RT-03] that ends the gateway itself costs nothing either: its successor sends the same words", async () => {
    const made = await opened(["anthropic/claude-sonnet-4-5"]);
    made.server.on({ sequenceIndex: 0 }, { content: "one two three" }, { streamingProfile: { ttft: 1, tps: 0.05 } });
    made.server.on({ sequenceIndex: 1 }, { content: "hello" });
    await made.send("hi");
    void made.settle(); // never comes to its end: this gateway is gone
    await expect.poll(() => made.inputs().length).toBe(1);

    const { clock, store, workspace } = made;
    const [model] = ["anthropic/claude-sonnet-4-5"].map(modelsAt({ baseUrl: made.server.url, clock }));
    const after = turnWorld({ model: present(model), clock, store, workspace, node: "node-2" });
    expect(await after.settle()).toEqual(["done"]);
    expect((await told(after)).slice(1)).toEqual(["input: The gate has spoken.\n\nhi", "says: hello []"]);
    expect(made.inputs()).toHaveLength(2);
    expect(new Set(made.inputs()).size).toBe(1);
    await made.runner.drain();
  });

  it("[RT-01] leads to the next model of the chain, at another vendor, with the same words", async () => {
    const made = await opened(["anthropic/claude-sonnet-4-5", "openai/gpt-4.1", "ollama/qwen3"]);
    made.server.on({ model: /claude/ }, { error: { message: "who are you?" }, status: 401 });
    made.server.on({ model: /gpt/ }, { error: { message: "pay first" }, status: 402 });
    made.server.on({ model: /qwen/ }, { content: "hello" });
    await made.send("hi");
    expect(await made.settledAfter(0)).toEqual(["done"]);
    expect(await made.said()).toEqual([
      "input: The gate has spoken.\n\nhi",
      "notice: anthropic/claude-sonnet-4-5 refused the key (401). Check ANTHROPIC_API_KEY.\n[asking openai/gpt-4.1 instead]",
      "notice: openai/gpt-4.1 has no credit left (pay first).\n[asking ollama/qwen3 instead]",
      "says: hello []",
    ]);
    expect(new Set(made.inputs()).size).toBe(1);
    expect((await made.entries()).at(-1)).toMatchObject({ usage: { model: "ollama/qwen3", costUsd: null } });
  });

  it("[RT-01] is told to the person when nobody could answer, with what to do about it", async () => {
    const made = await opened(["anthropic/claude-sonnet-4-5"]);
    made.server.on({}, { error: { message: "who are you?" }, status: 401 });
    await made.send("hi");
    expect(await made.settledAfter(0)).toEqual(["done"]);
    expect((await made.said()).at(-1)).toBe(
      "notice: anthropic/claude-sonnet-4-5 refused the key (401). Check ANTHROPIC_API_KEY.",
    );
  });

  it("[RT-04] stopped in mid-answer, the turn keeps what was said and asks nobody again", async () => {
    const made = await opened(["ollama/qwen3"]);
    made.server.on({}, { content: "one two three" }, { chunkSize: 4, streamingProfile: { ttft: 1, tps: 10 } });
    await made.send("hi");
    const settling = made.settle();
    await expect.poll(() => made.deltas.length).toBeGreaterThan(0);
    await made.must({ type: "turn.abort" });
    expect(await settling).toEqual(["done"]);
    expect((await made.said()).at(-1)).toMatch(/^says: one/);
    expect(made.inputs()).toHaveLength(1);
  });
});
