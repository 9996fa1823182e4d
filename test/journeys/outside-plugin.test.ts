/** A trusted plugin from outside does over the wire what a bundled one does: nothing in the gateway knows its name. */
import { expect, it } from "vitest";
import { readEvent } from "../../src/cli/chat/chat-event.ts";
import { createConversation } from "../../src/cli/chat/conversation.ts";
import { pressedOn } from "../../src/cli/chat/press.ts";
import { NO_PAINT } from "../../src/cli/text/paint.ts";
import type { ParamsOf } from "../../src/all-methods.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { LAMP_FACTS, LAMP_TEXTS, lampPlugin, lampWith, type Workshop } from "../kit/lamp-plugin.ts";
import { fakeChannel } from "../kit/fake-channel.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

const LAMP_DE = { ...LAMP_TEXTS.en, ...LAMP_TEXTS.de };

it("[PG-02, PG-05, PG-07] brings a machine, a field of sessions.patch, a method, a command, texts and a slot of the page", async () => {
  const { start, stop, person } = story();
  const options = { plugins: [{ plugin: lampPlugin, tier: "trusted" as const }] };
  await start(scriptedModel([]), options);
  const alice = await person();
  const sessionId = await alice.open();
  const { client } = alice;
  const lamp = async () => (await client.call("sessions.get", { sessionId })).session.slices["lamp"];

  await client.call("sessions.patch", { sessionId, field: "lampColour", value: "red" });
  await alice.until("lamp.switched");
  expect(await lamp()).toEqual({ colour: "red" });
  expect(await alice.say(sessionId, "/lamp green")).toBe("The lamp is green.");
  expect(await client.call("lamp.show" as never, { sessionId } as never)).toEqual({ colour: "green" });
  const { plugins: texts } = await client.call("ui.texts", { language: "de" });
  expect(texts).toEqual([{ pluginId: "lamp", texts: LAMP_DE, facts: LAMP_FACTS }]);
  const { completions } = await client.call("commands.complete", { text: "/lamp" });
  expect(completions).toEqual([
    {
      text: "/lamp",
      description: "Switches the lamp.",
      said: [{ line: 0, key: "lamp.command_lamp", args: {} }],
    },
  ]);
  const run = await client.call("commands.run", { sessionId, name: "lamp", args: "red" });
  expect(run).toMatchObject({ said: [{ line: 0, key: "lamp.lit", args: { colour: "red" } }] });
  await client.call("sessions.patch", { sessionId, field: "lampColour", value: "green" });
  const { plugins } = await client.call("ui.descriptors", {});
  expect(plugins).toMatchObject([{ pluginId: "lamp", descriptors: [{ surface: "session-header" }] }]);

  const { rows } = await client.call("audit.list", { sessionId, limit: 50 });
  const types = rows.flatMap(({ body }) =>
    (JSON.parse(body) as { facts: { type: string }[] }).facts.map((fact) => fact.type),
  );
  expect(types).toContain("lamp.switched");
  expect(types).toContain("lamp.plan.decided"); // it cannot write down that a plan was approved
  expect(types).not.toContain("plan.decided");

  await stop(); // what it decided is state like any other
  await start(scriptedModel([]), options);
  const { session } = await (await person()).client.call("sessions.get", { sessionId });
  expect(session.slices["lamp"]).toEqual({ colour: "green" });
});

/** A terminal on this person's connection, as far as its lines and its commands go. */
async function terminalOf({ client }: Person, sessionId: SessionId) {
  const look = { columns: 79, paint: NO_PAINT };
  const me = { id: "opr_me", name: "local", scopes: ["operator.admin" as const] };
  const conversation = createConversation(() => ({ look, nowMs: 0, person: me }), { frozenLines: true });
  const lines: string[] = [];
  const { session } = await client.call("sessions.get", { sessionId });
  conversation.adopt(session);
  client.on("*", ({ event, payload }) => {
    const read = readEvent({ event, payload }, sessionId);
    if (read !== undefined) lines.push(...conversation.observe(read));
  });
  return {
    lines,
    text: () => lines.join("\n"),
    async press(typed: string) {
      const pressed = pressedOn(typed, conversation.cards());
      if (!("patch" in pressed)) return pressed.problem;
      await client.call("sessions.patch", { sessionId, ...pressed.patch } as unknown as ParamsOf<"sessions.patch">);
      return "done";
    },
  };
}

it("[PG-01, PG-02, PL-12, CH-07] has its card on every surface, and what a person presses there done by its worker, after a restart too", async () => {
  const { start, stop, person, clock } = story();
  const begun = Promise.withResolvers<void>();
  const fitted: { key: string; attempt: number }[] = [];
  const cutOff: Workshop = { fit: () => (begun.resolve(), new Promise(() => {})) };
  const working: Workshop = { fit: async ({ key, attempt }) => void fitted.push({ key, attempt }) };
  const channel = fakeChannel();
  const plugins = (workshop: Workshop) => ({
    plugins: [
      { plugin: lampWith(workshop), tier: "trusted" as const },
      { plugin: channel.plugin, tier: "trusted" as const },
    ],
  });
  await start(scriptedModel([]), plugins(cutOff));
  const [alice, ben] = [await person(), await person()];
  const sessionId = await alice.open();
  await ben.watch(sessionId);
  await channel.io().follow({ account: "bot", conversation: "c1" }, { sessionId });
  const terminal = await terminalOf(alice, sessionId);
  const cardsOf = async ({ client }: Person) => (await client.call("sessions.get", { sessionId })).session.cards ?? [];

  await alice.say(sessionId, "/lamp broken");
  await expect.poll(terminal.text).toContain("/press replace (Replace it)");
  expect(terminal.text()).toContain("/press leave <why> (Leave it)");
  await expect
    .poll(() => channel.messages())
    .toMatchObject([{ payload: { slice: "lamp", plugin: "lamp", state: "pending" } }]);
  const [card] = await cardsOf(ben);
  expect(card).toMatchObject({ slice: "lamp", plugin: "lamp", heading: { said: [{ key: "lamp.broken" }] } });
  expect(terminal.text()).toContain("╭─ Plugin lamp ─"); // no plan, whatever it says
  expect(terminal.text()).not.toContain("Plan");
  const { sessions } = await ben.client.call("sessions.list", { waiting: true, limit: 5 });
  expect(sessions).toMatchObject([{ id: sessionId, waiting: { title: "lamp: The lamp in the hall" } }]);
  expect(await terminal.press("polish")).toContain("Type one of: /press replace · /press leave");
  expect(await terminal.press("leave")).toContain("It needs words");

  expect(await terminal.press("replace")).toBe("done");
  await begun.promise; // the worker is at it when the gateway goes
  await ben.until("session.cards", 2);
  await expect.poll(terminal.text).toContain("had it replaced.");
  const again = { sessionId, field: "lampBulb", value: { id: card?.id ?? "", do: "replace" } };
  await expect(ben.client.call("sessions.patch", again as never)).rejects.toMatchObject({
    code: "lamp.DECIDED",
    message: "Somebody has decided.",
  });
  expect(await cardsOf(ben)).toEqual([]);
  await expect
    .poll(() => channel.messages())
    .toMatchObject([{ buttons: [], payload: { state: "approved", outcome: { by: { kind: "operator" } } } }]);
  await stop();

  await start(scriptedModel([]), plugins(working));
  const later = await person();
  const lamp = async () => (await later.client.call("sessions.get", { sessionId })).session.slices["lamp"];
  await expect
    .poll(async () => {
      clock.advance(1_000);
      return lamp();
    })
    .toEqual({ colour: "green" });
  expect(fitted).toMatchObject([{ attempt: 2 }]);
  expect(channel.messages()).toHaveLength(1);
});
