/** A gateway is killed between storing what a vendor sent and confirming it, and between sending something and recording it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connectHoldpoint } from "../../src/client/index.ts";
import { startFakeTelegram } from "../kit/channels/fake-telegram.ts";
import { type GatewayChild, gatewayChild } from "../kit/gateway-child.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";

const SCOPES = ["operator.read", "operator.write", "operator.approvals"] as const;

async function world() {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-killed-"));
  const place = { home: join(folder, "home"), workspace: join(folder, "workspace") };
  mkdirSync(place.workspace);
  mkdirSync(place.home, { mode: 0o700 });
  const telegram = await startFakeTelegram();
  const channels = { telegram: { kind: "telegram", token: telegram.token, apiRoot: telegram.apiRoot } };
  const agents = { defaults: { planMode: { enabled: true, defaultActive: true } } };
  writeFileSync(join(place.home, "config.yaml"), JSON.stringify({ channels, agents }), { mode: 0o600 });
  let child: GatewayChild = await gatewayChild(place);
  onTestFinished(async () => {
    await child.kill();
    await telegram.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const connect = () => connectHoldpoint({ url: child.url, token: child.token, clientName: "journey", surface: "cli" });
  const client = connect();
  telegram.write("/start");
  await expect.poll(() => telegram.messages.at(-1)?.plain).toContain("Your code is ");
  const [code = ""] = /[2-9A-Z]{8}/.exec(telegram.messages.at(-1)?.plain ?? "") ?? [];
  await client.call("pair.approve", { code, name: "Alice", scopes: [...SCOPES] });
  client.close();
  return {
    telegram,
    /** The next call for which this is so is the last thing that the gateway does. */
    killAt(when: (method: string, params: Record<string, unknown>) => boolean, take = false): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = telegram.fault((method, params) => {
        if (!when(method, params)) return undefined;
        end();
        if (take) telegram.takeAndCut(method, params);
        void child.kill().then(resolve);
        return "cut";
      });
      return promise;
    },
    async restart() {
      child = await gatewayChild(place);
      const again = connect();
      onTestFinished(() => again.close());
      return again;
    },
  };
}

it("[CH-11, PL-12] killed between storing and confirming: the update comes again, and the message is there once", async () => {
  const { telegram, killAt, restart } = await world();
  const update = telegram.write("Please greet");
  await killAt((method, { offset }) => method === "getUpdates" && Number(offset ?? 0) > update.update_id);
  expect(telegram.updates.map(({ update_id: id }) => id)).toEqual([update.update_id]); // not confirmed
  const client = await restart();
  await expect.poll(() => telegram.updates.length).toBe(0);
  const { sessions } = await client.call("sessions.list", {});
  expect(sessions).toHaveLength(1);
  const [session] = sessions;
  if (session === undefined) throw new Error("no session");
  const { items } = await client.call("chat.history", { sessionId: session.id, limit: 100 });
  const inputs = items.flatMap(({ entry }) => (entry.kind === "input" ? [entry.text] : []));
  expect(inputs.join("\n").split("Please greet")).toHaveLength(2);
});

it("[CH-11, CH-07] killed between sending and recording: the card comes again and says so, and one press decides", async () => {
  const { telegram, killAt, restart } = await world();
  const killed = killAt((method, params) => method === "sendMessage" && "reply_markup" in params, true);
  telegram.write("Please greet");
  await killed;
  const cards = () => telegram.messages.filter(({ keyboard }) => keyboard.length > 0);
  expect(cards()).toHaveLength(1);
  const client = await restart();
  await expect.poll(() => cards().length).toBe(2);
  const [first, second] = cards();
  if (first === undefined || second === undefined) throw new Error("two cards");
  expect([first.plain.includes("may be a repetition"), second.plain.includes("may be a repetition")]).toEqual([
    false,
    true,
  ]);
  telegram.press(second, /Accept/);
  const phase = async () => {
    const [found] = (await client.call("sessions.list", {})).sessions;
    if (found === undefined) return "none";
    const { session } = await client.call("sessions.get", { sessionId: found.id });
    return PlanModeState.parse(session.slices["planMode"]).now.phase;
  };
  await expect.poll(phase).toBe("off"); // carried out
});
