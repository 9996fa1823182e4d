import { expect, it } from "vitest";
import { BUTTON_CODE, buttonCode, tokenHash } from "../../src/plugins/button-code.ts";
import { ALL, submit, done, HOUR_MS, world, submitted, tokenFor } from "../kit/channels/channel-world.ts";

it("[CH-07] a button that needs words changes nothing without them, and is no button for who may not decide", async () => {
  const { channel, sessionId, phase, pair, store } = await submitted([submit("Greet"), { say: "Sorry." }]);
  await pair("reader", ["operator.read"]);
  const { token, messageId } = tokenFor(channel, "reject");
  expect(channel.card().buttons.map(({ asksText = false }) => asksText)).toEqual([false, false, true]);
  expect(await channel.click(token, { messageId, person: "reader" })).toEqual({ kind: "dropped" });
  expect(await channel.click(token, { messageId })).toMatchObject({ kind: "asks", charsMax: expect.any(Number) });
  expect(await phase(sessionId)).toBe("pending");
  expect(await channel.click(token, { messageId, text: "be polite" })).toMatchObject({ kind: "decision" });
  expect(await phase(sessionId)).toBe("rejected");
  expect((await store().surfaceAccounts()).length).toBe(2);
});

it("[CH-12] a weak identity decides by the code of its card, typed where the card was sent, and five wrong ones lock it", async () => {
  const { channel, sessionId, phase, clock } = await submitted([
    submit("Greet"),
    { say: "Thank you.", ...done },
    { say: "Done." },
  ]);
  const weak = { assured: false, direct: true };
  const { token } = tokenFor(channel, "approve");
  const code = buttonCode(tokenHash(token));
  expect(code).toMatch(BUTTON_CODE);
  const dropped = { kind: "dropped" };
  expect(await channel.send(code, { ...weak, conversation: "c2" })).toEqual(dropped); // another place
  expect(await channel.send(code, { ...weak, person: "mallory" })).toEqual(dropped);
  expect(await channel.send(code, { ...weak, direct: false })).toEqual(dropped); // others read there
  for (let n = 0; n < 5; n += 1)
    expect(await channel.send(code === "22222" ? "33333" : "22222", weak)).toEqual(dropped);
  expect(await channel.send(code, weak)).toEqual(dropped); // locked
  expect(await phase(sessionId)).toBe("pending");
  clock.advance(HOUR_MS);
  expect(await channel.send(code.toLowerCase(), weak)).toMatchObject({ kind: "decision", sessionId });
  await expect.poll(() => phase(sessionId)).toBe("off");
});

it("[CH-12, CH-02] a weak identity sends a plan back by its code with words behind it; a code that takes none takes none", async () => {
  const { channel, sessionId, phase, client } = await submitted([submit("Greet"), submit("Greet politely")]);
  const weak = { assured: false, direct: true };
  const codeOf = (action: string): string => buttonCode(tokenHash(tokenFor(channel, action).token));
  const [accept, revise] = [codeOf("approve"), codeOf("reject")];
  expect(await channel.send(`${accept} thanks`, weak)).toMatchObject({ kind: "refused" });
  expect(await channel.send(revise, weak)).toMatchObject({
    kind: "reply",
    text: expect.stringContaining(`${revise} …`),
  });
  expect(await phase(sessionId)).toBe("pending");
  expect(await channel.send(`${revise.toLowerCase()}  be\npolite`, weak)).toMatchObject({
    kind: "decision",
    sessionId,
  });
  const { rows } = await client().call("audit.list", { sessionId });
  expect(rows.map(({ body }) => body).join("\n")).toContain("be\\npolite");
});

it("[CH-09] who asks to be paired in a direct conversation gets a code that an operator approves within the hour", async () => {
  const { channel, start, client, clock } = world();
  await start([{ say: "Hello." }]);
  const direct = { direct: true };
  const codeOf = async (from: object = direct) => {
    const outcome = await channel.send("/pair", from);
    return outcome.kind === "reply" ? (/code is ([2-9A-Z]{8})/.exec(outcome.text)?.[1] ?? "") : outcome.kind;
  };
  expect(await codeOf({})).toBe("dropped"); // in a group nobody is offered anything
  const first = await codeOf();
  const second = await codeOf();
  const approve = (code: string, more: object = {}) => client().call("pair.approve", { code, ...more });
  await expect(approve(first)).rejects.toThrow("Nobody asks"); // one person has one code
  clock.advance(HOUR_MS);
  await expect(approve(second)).rejects.toThrow("Nobody asks");
  expect(await channel.send("hello")).toEqual({ kind: "dropped" });
  const third = await codeOf();
  const { requests } = await client().call("pair.list", {});
  expect(requests).toMatchObject([{ code: third, surface: "fake", account: "bot", personId: "alice-on-fake" }]);
  const { person } = await approve(third.toLowerCase(), { scopes: ["operator.read", "operator.write"] });
  expect(person).toMatchObject({ personId: "alice-on-fake", operatorName: "alice-on-fake" });
  expect(await channel.send("/plan status")).not.toEqual({ kind: "dropped" });
  expect((await client().call("pair.list", {})).requests).toEqual([]);
  await client().call("pair.revoke", { surface: "fake", account: "bot", personId: "alice-on-fake" });
  expect(await channel.send("/plan status")).toEqual({ kind: "dropped" });
  await expect(client().call("pair.revoke", { surface: "fake", account: "bot", personId: "x" })).rejects.toThrow(
    "Nobody",
  );
});

it("[CH-09, PL-19] where approvals are limited, nobody pairs an account with the name of somebody who may sign", async () => {
  const { channel, start, client, pair } = world();
  await start([{ say: "Hello." }]);
  await pair("bob", ALL);
  const { tokens } = await client().call("tokens.list", {});
  const bob = tokens.find(({ name }) => name === "bob");
  await client().call("config.set", { path: "approvals.approvers", value: ["bob"] });
  const outcome = await channel.send("/pair", { direct: true, person: "second-phone" });
  const code = outcome.kind === "reply" ? (/[2-9A-Z]{8}/.exec(outcome.text)?.[0] ?? "") : "";
  const approve = (as: object) => client().call("pair.approve", { code, ...as });
  await expect(approve({ operatorId: bob?.id ?? "" })).rejects.toMatchObject({ code: "FORBIDDEN" });
  await expect(approve({ name: "bob", scopes: ["operator.approvals"] })).rejects.toMatchObject({ code: "FORBIDDEN" });
  expect(await channel.send("/plan status", { person: "second-phone" })).toEqual({ kind: "dropped" });
  await approve({ name: "carol" });
  expect(await channel.send("/plan status", { person: "second-phone" })).toMatchObject({ kind: "reply" });
});
