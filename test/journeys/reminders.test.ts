import { expect, it } from "vitest";
import { ALL, done, HOUR_MS, shown, submit, world } from "../kit/channels/channel-world.ts";

it("[BY-07, CH-07] nobody answers: people are reminded, the next ones are shown it, and one of them decides on the reminder", async () => {
  const here = world();
  const { channel, clock, client, phase } = here;
  await here.start([submit("Greet"), { say: "Thank you.", ...done }, { say: "Done." }]);
  await here.pair("alice-on-fake", ALL);
  await client().call("config.set", {
    path: "agents.defaults.planMode.reminders",
    value: { remindAfterMinutes: [30], escalateAfterMinutes: [60] },
  });
  await channel.io().follow({ account: "bot", conversation: "boss" }, { operatorId: "opr_inbox", level: 1 });
  const outcome = await channel.send("Please greet");
  if (outcome.kind !== "message") throw new Error("not a message");
  const { sessionId } = outcome;
  await expect.poll(() => channel.messages().some(({ buttons }) => buttons.length > 0)).toBe(true);
  const first = channel.card();
  const { timers } = await client().call("sessions.timers", { sessionId });
  expect(timers.map(({ key, does }) => [key, does])).toEqual([
    ["reach", "remind"],
    ["approval", "expire"],
  ]);

  clock.advance(HOUR_MS / 2);
  await here.until(() => channel.card().id === first.id, false);
  const reminder = channel.card();
  expect(reminder.payload).toMatchObject({ kind: "notice", remindsOf: (first.payload as { id: string }).id });
  expect(channel.messages("boss")).toEqual([]);
  clock.advance(HOUR_MS / 2);
  await here.until(() => channel.messages("boss").length, 1);
  expect(channel.card("boss").payload).toMatchObject({ kind: "approval", title: "Greet", escalation: 1 });

  const token = channel.card().buttons.find(({ action }) => action === "approve")?.token ?? "";
  expect(await channel.click(token, { messageId: reminder.id })).toMatchObject({ kind: "decision" });
  await here.until(() => phase(sessionId), "off");
  await expect
    .poll(() => shown(channel, reminder.id))
    .toMatchObject({ buttons: [], payload: { state: "ended", status: { text: "Accepted by alice-on-fake" } } });
  await expect.poll(() => channel.messages("boss")[0]).toMatchObject({ buttons: [], payload: { state: "completed" } });
  expect(channel.messages("boss")).toHaveLength(1); // the reminder is of a time when it was not shown here
});

it("[BY-07, CH-11] a plan that no place could be shown ends as undelivered, and nothing is approved", async () => {
  const here = world();
  const { channel, clock, client } = here;
  await here.start([submit("Greet"), { say: "A pity." }]);
  await here.pair("alice-on-fake", ALL);
  await client().call("config.set", { path: "agents.defaults.planMode.approvalTimeoutSeconds", value: 600 });
  channel.stopWith({ why: "the vendor is down" });
  const outcome = await channel.send("Please greet");
  if (outcome.kind !== "message") throw new Error("not a message");
  const { sessionId } = outcome;
  await expect.poll(() => here.phase(sessionId)).toBe("pending");
  await expect.poll(() => channel.tries()).toBeGreaterThan(0);
  clock.advance(600_000);
  await here.until(() => here.phase(sessionId), "timed_out");
  channel.stopWith(undefined);
  await expect
    .poll(async () => {
      clock.advance(60_000);
      const { session } = await client().call("sessions.get", { sessionId });
      return session.cards?.[0]?.status.text;
    })
    .toContain("could not be delivered");
  const { rows } = await client().call("audit.list", { sessionId });
  const facts = rows.map(({ body }) => body).join("\n");
  expect([facts.split('"approval.undelivered"').length - 1, facts.includes('"plan.decided"')]).toEqual([1, false]);
});
