import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fakeClock } from "../../test/kit/fake-clock.ts";
import { scriptedModel } from "../../test/kit/scripted-model.ts";
import { createFeed } from "../gateway/feed.ts";
import { definePlugin } from "../plugins/sdk.ts";
import { createAgent } from "./agent.ts";
import { composeEngine } from "./engine.ts";
import { composeModels } from "./models.ts";
import { enableGiven } from "./plugins/plugin-host.ts";
import { openState } from "./state.ts";

/** A composed gateway without a server, and a plugin that records what it is asked. */
async function composed() {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-rehearsal-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const [asked, parts]: [string[], string[]] = [[], []];
  const plugin = definePlugin({
    id: "listener",
    name: "Listener",
    description: "Records what it is asked.",
    register(api) {
      api.prompts.registerPart({ id: "listener/part", text: ({ session }) => void parts.push(session.id) });
      api.on("session_start", () => void asked.push("session_start"));
      api.on("agent_turn_prepare", () => void asked.push("agent_turn_prepare"));
      api.on("before_prompt", () => void asked.push("before_prompt"));
    },
  });
  const model = scriptedModel(() => ({ say: "never asked" }));
  const plugins = [{ plugin, tier: "trusted" as const }];
  const state = await openState({ home, workspace: home, model, clock: fakeClock(), log: "silent", env: {}, plugins });
  onTestFinished(() => state.store.close());
  const models = await composeModels(state);
  const machine = composeEngine(state, models);
  await enableGiven(state, machine.host);
  const agent = createAgent({
    state,
    machine,
    models,
    feed: createFeed({ engine: machine.engine, store: state.store }),
  });
  return { agent, machine, state, model, asked, parts };
}

describe("the rehearsal of a turn after a start", () => {
  it("[PL-12, PG-02] asks no model and no hook, and stores nothing", async () => {
    const { agent, state, model, asked, machine } = await composed();
    const committed: unknown[] = [];
    machine.engine.onCommitted((commit) => void committed.push(commit));
    await agent.preload();
    expect(model.requests).toEqual([]);
    expect(asked).toEqual([]);
    expect(committed).toEqual([]);
    expect(await state.store.pendingEffects({ id: 0, limit: 10 })).toEqual([]);
    expect(await state.store.events({ cursor: 0, limit: 10 })).toEqual([]);
  });

  it("[RT-06] goes as far as the prompt, to which plugins add their parts", async () => {
    const { agent, parts } = await composed();
    await agent.preload();
    expect(parts).toEqual(["ses_rehearsal"]);
  });
});
