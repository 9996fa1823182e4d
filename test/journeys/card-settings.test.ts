/** Cards follow the settings of the moment: a change of settings alone is told to whoever watches the session. */
import { expect, it } from "vitest";
import type { SessionCards } from "../../src/protocol/card/card.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { story } from "./story.ts";

it("[PL-18, UI-04, GA-15] another rule of approval, or no sandbox, changes the card that people look at, and is told once", async () => {
  const { start, person } = story();
  const plan = { title: "Greet", plan: [{ step: "Greet", status: "pending" }] };
  await start(scriptedModel([{ calls: [{ tool: "exit_plan_mode", args: plan }] }]));
  const alice = await person();
  const sessionId = await alice.open();
  const heard: SessionCards[] = [];
  alice.client.on("*", ({ event, payload }) => {
    if (event === "session.cards") heard.push(payload as unknown as SessionCards);
  });
  await alice.say(sessionId, "Please greet");
  await alice.until("plan.submitted");
  await expect.poll(() => heard.at(-1)?.cards).toMatchObject([{ kind: "approval", state: "pending" }]);
  expect(heard.at(-1)?.cards[0]).not.toHaveProperty("signing");

  const warned = () => heard.at(-1)?.cards.map(({ warnings }) => warnings?.map(({ text }) => text));
  await alice.client.call("config.set", { path: "tools.exec.sandbox", value: "none" });
  await expect.poll(warned).toEqual([[expect.stringContaining("tools.exec.sandbox: none")]]);
  await alice.client.call("config.set", { path: "tools.exec.sandbox", value: "auto" });
  await expect.poll(warned).toEqual([undefined]);

  const path = "agents.defaults.planMode.approvals.quorum";
  await alice.client.call("config.set", { path, value: 2 });
  await expect.poll(() => heard.at(-1)?.cards).toMatchObject([{ signing: { quorum: 2, signatures: [] } }]);

  const times = heard.length;
  await alice.client.call("config.set", { path: "logging.level", value: "warn" });
  await alice.client.call("health", {});
  expect(heard).toHaveLength(times);
});
