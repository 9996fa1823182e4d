/** A trusted plugin from outside does over the wire what a bundled one does: nothing in the gateway knows its name. */
import { expect, it } from "vitest";
import { lampPlugin } from "../kit/lamp-plugin.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { story } from "./story.ts";

const LAMP_DE = { lit: "Die Lampe ist {colour}.", dark: "It is dark.", command_lamp: "Schaltet die Lampe." };

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
  expect(texts).toEqual([{ pluginId: "lamp", texts: LAMP_DE }]);
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

  await stop(); // what it decided is state like any other
  await start(scriptedModel([]), options);
  const { session } = await (await person()).client.call("sessions.get", { sessionId });
  expect(session.slices["lamp"]).toEqual({ colour: "green" });
});
