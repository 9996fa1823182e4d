/** The same promises as for plugins inside the gateway, kept for one that was installed and runs in a process of its own. */
import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import type { SessionId } from "../../src/protocol/ids.ts";
import { startTestGateway, type TestSession } from "../../src/testing/index.ts";
import { throwAwayPlace } from "../chaos/place.ts";
import { type GatewayChild, gatewayChild } from "../kit/gateway-child.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";

const example = (name: string): string => fileURLToPath(new URL(`../../examples/plugins/${name}`, import.meta.url));
const LOOKS_MAX = 2_000;

describe("a kill of the gateway's process", () => {
  const script = fileURLToPath(new URL("plugin-process.ts", import.meta.url));

  async function install(client: WireClient, name: string): Promise<void> {
    const { plugin } = await client.must("plugins.install", { from: example(name) });
    await client.must("plugins.enable", { id: plugin.id, agree: plugin.askDigest });
  }

  async function told(client: WireClient, sessionId: SessionId): Promise<string> {
    const { items } = await client.must("chat.history", { sessionId });
    return items.flatMap(({ entry }) => (entry.kind === "input" ? [entry.text] : [])).join("\n");
  }

  async function settled(client: WireClient, sessionId: SessionId): Promise<void> {
    for (let looks = 0; looks < LOOKS_MAX; looks++) {
      const { session } = await client.must("sessions.get", { sessionId });
      if (session.turn.status === "idle" && (await told(client, sessionId)).includes("2.0.0")) return;
    }
    throw new Error("the agent did not come to rest");
  }

  it("[PG-03, PG-06, PG-10] between a command's state change and the resumed turn loses neither, and doubles neither", async () => {
    const place = await throwAwayPlace();
    onTestFinished(() => place.remove());
    const start = (toolMs: number): Promise<GatewayChild> =>
      gatewayChild({ ...place, script, toolMs, env: { PLUGINS: "installed" } });
    const first = await start(1); // its model never answers
    const client = await wireClient(first);
    await install(client, "deploy-approval");
    const sessionId = (await client.must("sessions.create", {})).session.id;
    const one = { sessionId, text: "/deploy approve 1.0.0", idempotencyKey: "one" };
    const two = { sessionId, text: "/deploy approve 2.0.0", idempotencyKey: "two" };
    const answer = { kind: "command", message: "Approved 1.0.0, once." };
    expect(await client.must("chat.send", one)).toEqual(answer);
    await first.kill();

    const second = await start(1);
    const again = await wireClient(second);
    expect(await again.must("chat.send", one)).toEqual(answer);
    void again.request("chat.send", two); // killed before or after it is stored
    await second.kill();

    const third = await start(0);
    const last = await wireClient(third);
    await last.must("chat.send", two);
    await settled(last, sessionId);
    expect(await last.must("chat.send", { sessionId, text: "/deploy status" })).toMatchObject({
      message: "nothing is live; 2.0.0 is approved by local.",
    });
    const words = await told(last, sessionId);
    expect(["1.0.0", "2.0.0"].map((version) => words.split(`approved version ${version}`).length - 1)).toEqual([1, 1]);
    await third.kill();
  });
});

describe("switching an installed plugin off", () => {
  const never = { until: new Promise(() => undefined) }; // what is queued for the next turn stays queued

  const leftIn = (session: TestSession) => {
    const stored = session.stored();
    const slices = Object.keys(stored?.slices ?? {}).filter((name) => name.startsWith("plugin:"));
    const texts = stored?.injections.filter(({ kind }) => kind === "plugin:incident").length;
    return { slices, texts, timers: stored?.timers.length };
  };

  /** The processes of plugins that this one has started. */
  const guests = (): string[] =>
    execFileSync("ps", ["-A", "-o", "ppid=,args="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => Number.parseInt(line, 10) === process.pid && line.includes("plugin-guest"));

  it("[PG-01, PG-02, PG-07, PG-08, PG-10] leaves no timer, job, command, slice, text, card or process behind", async () => {
    await using gateway = await startTestGateway({ folder: example("incident"), script: () => never });
    const { client } = gateway;
    const session = await gateway.session();
    await session.run("/incident open Down"); // its text goes into the turn that runs now
    await gateway.model.asked(1);
    await session.run("/incident escalate"); // its text waits for the next one, under who ran what
    const jobs = async () => (await client.call("cron.list", {})).jobs.length;
    const cards = async () => (await client.call("ui.descriptors", {})).plugins.map(({ pluginId }) => pluginId);
    const commands = async () => (await client.call("commands.list", {})).commands.map(({ name }) => name);
    expect(leftIn(session)).toEqual({ slices: ["plugin:incident"], texts: 2, timers: 1 });
    expect([await jobs(), await cards(), (await commands()).includes("incident")]).toEqual([1, ["incident"], true]);
    expect(guests()).toHaveLength(1);

    await client.call("plugins.disable", { id: "incident" });
    expect([await cards(), (await commands()).includes("incident")]).toEqual([[], false]);
    await expect(session.run("/incident")).rejects.toMatchObject({ code: "PLUGIN_DISABLED" });
    await session.when(() => leftIn(session).slices.length === 0);
    await session.when(async () => (await jobs()) === 0 && guests().length === 0);
    expect(leftIn(session)).toEqual({ slices: [], texts: 0, timers: 0 });
    expect((await session.view()).plugins).toBeUndefined();
    await session.when(() => !readdirSync(gateway.home).includes("plugin-sweeps.json"));
  });
});
