import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { connectHoldpoint } from "../../src/client/index.ts";
import { startGateway } from "../../src/gateway.ts";
import type { Json } from "../../src/protocol/json.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { startFakeTelegram } from "../kit/channels/fake-telegram.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";

const GREET = { step: "Greet <b>@everyone</b>", status: "pending" };
const submit = (title: string, steps: Json[] = [GREET]): ScriptStep => ({
  calls: [{ tool: "exit_plan_mode", args: { title, summary: "To be polite.", plan: steps } }],
});
const done: ScriptStep = {
  calls: [{ tool: "update_plan", args: { merge: true, plan: [{ step: GREET.step, status: "completed" }] } }],
};

/** A gateway with one Telegram account against a Bot API server in memory. */
async function world(script: readonly ScriptStep[], settings: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-telegram-"));
  const home = join(folder, "home");
  mkdirSync(join(folder, "workspace"));
  mkdirSync(home, { mode: 0o700 });
  const telegram = await startFakeTelegram();
  const agents = { defaults: { planMode: { enabled: true, defaultActive: true } } };
  const channels = {
    telegram: { kind: "telegram", token: "${TELEGRAM_BOT_TOKEN}", apiRoot: telegram.apiRoot, ...settings },
  };
  writeFileSync(join(home, "config.yaml"), JSON.stringify({ channels, agents }), { mode: 0o600 });
  const gateway = await startGateway({
    home,
    workspace: join(folder, "workspace"),
    port: 0,
    log: "silent",
    model: scriptedModel(script),
    env: { TELEGRAM_BOT_TOKEN: telegram.token },
  });
  if ("alreadyRunning" in gateway) throw new Error("a gateway runs already");
  const { url, operatorToken: token } = gateway;
  const client = connectHoldpoint({ url, token, clientName: "journey", surface: "cli" });
  onTestFinished(async () => {
    client.close();
    await gateway.stop();
    await telegram.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const last = () => telegram.messages.at(-1);
  return {
    telegram,
    client,
    last,
    card: () => telegram.messages.findLast(({ keyboard }) => keyboard.length > 0),
    async sessionId() {
      const [found] = (await client.call("sessions.list", {})).sessions;
      if (found === undefined) throw new Error("there is no session");
      return found.id;
    },
    /** Alice asks to be paired, and an operator lets her. */
    async pair(scopes = ["operator.read", "operator.write", "operator.approvals"], userId = 42) {
      telegram.write("/start", { userId });
      await expect.poll(() => last()?.plain).toContain("Your code is ");
      const [code = ""] = /[2-9A-Z]{8}/.exec(last()?.plain ?? "") ?? [];
      return client.call("pair.approve", { code, name: `Alice ${userId}`, scopes: scopes as never });
    },
  };
}

it("[CH-01, CH-07, CH-08, CH-09, CH-10] a person takes a whole cycle on Telegram: paired by a code, card, sent back in words, approved, done", async () => {
  const { telegram, pair, client, card, last, sessionId } = await world([
    { say: "I will plan.", ...submit("Greet") },
    submit("Greet politely"),
    { say: "Approved, thank you.", ...done },
    { say: "Done." },
  ]);
  telegram.write("/plan status", { userId: 66 }); // a stranger hears nothing
  await pair();
  expect(telegram.messages.filter(({ chatId }) => chatId === "66")).toEqual([]);
  telegram.write("Please greet");
  await expect.poll(() => card()?.plain).toContain("Greet");
  const first = card();
  if (first === undefined) throw new Error("no card");
  expect(first.plain).toContain("﹫everyone");
  expect(first.plain).toContain("To be polite.");
  expect(first.text).not.toContain("<b>@everyone");

  telegram.press(first, /Send back|Revise|change/i);
  await expect.poll(() => last()?.asksReply).toBe(true);
  telegram.write("be polite", { replyTo: last()?.id ?? 0 });
  await expect.poll(() => card()?.plain).toContain("Greet politely");
  expect(telegram.messages.find(({ id }) => id === first.id)).toMatchObject({ keyboard: [] });
  const second = card();
  if (second === undefined) throw new Error("no second card");
  telegram.press(second, /Accept/);
  await expect.poll(() => last()?.plain).toBe("Done.");
  await expect
    .poll(() => telegram.messages.find(({ id }) => id === second.id))
    .toMatchObject({ keyboard: [], plain: expect.stringContaining("carried out") });
  expect(telegram.toasts.at(-1)?.text).toBe("Recorded.");
  const { session } = await client.call("sessions.get", { sessionId: await sessionId() });
  expect([session.surface, PlanModeState.parse(session.slices["planMode"]).now.phase]).toEqual(["telegram", "off"]);
  const lines = telegram.messages.map(({ plain }) => plain).filter((text) => text.startsWith("[plan-mode] "));
  expect(lines.map((line) => line.split(" ")[1])).toEqual(["awaiting", "rejected", "awaiting", "approved", "exited"]);
});

it("[CH-03, CH-06, CH-07, CH-09, CH-11, CH-12] a long plan goes as a file; forged, copied, repeated and strangers' presses change nothing; who counts is a list", async () => {
  const steps = Array.from({ length: 60 }, (_, n) => ({
    step: `Step ${n} @everyone ${"x".repeat(70)}`,
    status: "pending",
  }));
  const { telegram, pair, client, card, sessionId } = await world([submit("Sixty <& more>", steps), { say: "Sorry." }]);
  await pair();
  telegram.write("Please plan");
  await expect.poll(() => card()?.plain).toContain("Sixty");
  const first = card();
  if (first === undefined) throw new Error("no card");
  const document = telegram.messages.find(({ file }) => file !== undefined)?.file;
  expect(document?.name).toMatch(/^plan-sixty-more-r1\.md$/);
  expect(document?.text.match(/Step \d+ /g)).toHaveLength(60);
  expect(document?.text).toMatch(/^Decide with \/plan accept, \/plan accept edits or \/plan revise/m);
  expect(document?.caption).toBe(
    "The whole plan: <b>Sixty &lt;&amp; more&gt;</b> — /plan accept, /plan accept edits, /plan revise",
  );
  expect(first.plain).toMatch(/… \d+ more steps/);
  expect(telegram.messages.some(({ plain }) => plain.includes("@everyone"))).toBe(false);

  const phase = async () => {
    const { session } = await client.call("sessions.get", { sessionId: await sessionId() });
    return PlanModeState.parse(session.slices["planMode"]).now.phase;
  };
  const [accept] = first.keyboard;
  if (accept === undefined) throw new Error("no button");
  const answered = telegram.toasts.length;
  telegram.press(first, /Accept/, { userId: 66, chatId: "42" }); // a stranger, on a copy of the message
  telegram.pressData(accept.data, { id: first.id + 1_000, chatId: "42" }); // on another message
  telegram.pressData("h1.AAAAAAAAAAAAAAAAAAAAAA", { id: first.id, chatId: "42" }); // made up
  await expect.poll(() => telegram.toasts.length).toBe(answered + 2); // the stranger is not even answered
  expect(await phase()).toBe("pending");

  await client.call("config.set", { path: "channels.telegram.operators", value: [] });
  await expect.poll(async () => (await client.call("channels.list", {})).accounts[0]?.state).toBe("running");
  telegram.press(first, /Accept/);
  telegram.write("/plan status");
  await expect.poll(() => telegram.updates.length).toBe(0);
  expect([await phase(), telegram.toasts.length]).toEqual(["pending", answered + 2]);
  await client.call("config.set", { path: "channels.telegram.operators", value: ["Alice 42"] });
  await expect.poll(async () => (await client.call("channels.list", {})).accounts[0]?.state).toBe("running");
  const { update_id: _id, ...again } = telegram.press(first, /Accept/);
  telegram.push(again); // the vendor sends it twice, under another number
  await expect.poll(() => phase()).toBe("executing");
  await expect.poll(() => telegram.toasts.at(-1)?.text).toBe("Recorded.");
  telegram.pressData(accept.data, { id: first.id, chatId: "42" });
  await expect.poll(() => telegram.toasts.at(-1)?.text).toMatch(/not the newest|nothing that was sent/);
});

it("[CH-07, CH-09, BY-07] what waits in a session from elsewhere is decided in a conversation that follows whatever waits; a broken account says so", async () => {
  const { telegram, pair, client, card } = await world([
    submit("Greet"),
    { say: "Thank you.", ...done },
    { say: "Done." },
  ]);
  await pair();
  await client.call("config.set", { path: "channels.telegram.inbox", value: ["42"] });
  const { session } = await client.call("sessions.create", { title: "at the terminal" });
  await client.call("chat.send", { sessionId: session.id, text: "Please greet" });
  await expect.poll(() => card()?.plain).toContain("Greet");
  const waiting = card();
  if (waiting === undefined) throw new Error("no card");
  telegram.press(waiting, /Accept/);
  await expect
    .poll(() => telegram.messages.find(({ id }) => id === waiting.id))
    .toMatchObject({ keyboard: [], plain: expect.stringContaining("carried out") });
  expect(telegram.messages.map(({ plain }) => plain)).not.toContain("Done."); // the talk itself stays where it is
  telegram.write("hello");
  await expect.poll(() => telegram.messages.at(-1)?.plain).toContain("no session to talk in");

  await client.call("config.set", { path: "channels.telegram.token", value: "1:wrong" });
  await expect
    .poll(async () => (await client.call("channels.list", {})).accounts)
    .toMatchObject([{ name: "telegram", state: "failed", problem: expect.stringContaining("Unauthorized") }]);
  expect((await client.call("status", {})).notes.join("\n")).toContain("channels (telegram)");
  expect(await client.call("channels.check", { name: "telegram" })).toMatchObject({
    ok: false,
    fix: expect.stringContaining("BotFather"),
  });
});
