import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { definePlugin, z } from "../plugins/sdk.ts";
import { startTestGateway, systemClock } from "./index.ts";

const counter = definePlugin({
  id: "counter",
  name: "Counter",
  description: "for tests",
  register(api) {
    const Count = z.strictObject({ n: z.int() });
    api.session.state.registerSessionExtension({
      namespace: "count",
      description: "How often.",
      schema: Count,
      initial: { n: 0 },
      project: (count) => count,
    });
    api.commands.registerCommand({
      name: "count",
      description: "Counts.",
      async handler({ state, atMs, enqueueNextTurnInjection }) {
        const n = Count.parse(state.get("count")).n + 1;
        state.set("count", { n });
        enqueueNextTurnInjection({ text: `Counted to ${n}.` });
        return { message: `${n} at ${new Date(atMs).toISOString()}`, continueAgent: true };
      },
    });
  },
});

describe("the test kit", () => {
  it("[PG-11] starts a whole gateway around a plugin, with a scripted model and a clock that stands still", async () => {
    await using gateway = await startTestGateway({ plugins: [counter], script: [{ say: "I heard." }] });
    const session = await gateway.session();
    expect(await session.run("/count")).toBe("1 at 2026-01-05T09:00:00.000Z");
    await session.atRest();
    expect([await session.inputs(), await session.answers()]).toEqual([
      [
        "[PLUGIN_COMMAND counter]\nlocal ran /count.\n[/PLUGIN_COMMAND]\n\n[PLUGIN_MESSAGE counter]\n> Counted to 1.\n[/PLUGIN_MESSAGE]",
      ],
      ["I heard."],
    ]);
    expect((await session.view()).plugins).toEqual({ counter: { count: { n: 1 } } });
  });

  it("[PG-11] goes on after a kill with what was stored, and people and sessions with it", async () => {
    await using gateway = await startTestGateway({
      plugins: [counter],
      script: [{ until: new Promise(() => undefined) }],
    });
    const session = await gateway.session();
    const rita = await gateway.person({ name: "Rita", scopes: ["operator.read"] });
    const seen = await rita.session(session.id);
    await session.run("/count");
    await gateway.model.asked(1);
    await gateway.kill();
    await expect(session.run("/count")).rejects.toThrow("restart()");
    await gateway.restart([{ say: "Here again." }]);
    await seen.atRest();
    expect(await seen.answers()).toEqual(["Here again."]);
    await seen.until("turn.finished");
    expect((await seen.view()).plugins).toEqual({ counter: { count: { n: 1 } } });
    await expect(seen.run("/count")).rejects.toMatchObject({ code: "FORBIDDEN" });
  });

  it("[PG-11] says why a folder is no plugin, and leaves nothing behind", async () => {
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-kit-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await expect(startTestGateway({ folder })).rejects.toThrow("There is no holdpoint.plugin.json in it");
    writeFileSync(join(folder, "holdpoint.plugin.json"), "{}");
    await expect(startTestGateway({ folder })).rejects.toThrow("holdpoint.plugin.json");
  });

  it("[PG-11] tells the author when the script is at its end", async () => {
    await using gateway = await startTestGateway({ script: [{ say: "Only this." }] });
    const session = await gateway.session();
    await session.say("One");
    await session.atRest();
    await session.say("Two");
    await expect(session.atRest()).rejects.toThrow("the script has no step 2");
  });

  it("[PG-11] removes its folder when it is stopped, and runs on real time when it is told to", async () => {
    const gateway = await startTestGateway({ clock: systemClock });
    expect(() => gateway.clock).toThrow("cannot be moved");
    await gateway.stop();
    expect(existsSync(gateway.home)).toBe(false);
  });
});
