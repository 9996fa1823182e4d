/** Beside plan mode: which changes a person is asked about, over the whole gateway, restarts included. */
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { SessionId } from "../../src/protocol/ids.ts";
import type { JsonObject } from "../../src/protocol/json.ts";
import { gatedGateway } from "../kit/gated-gateway.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { wireClient } from "../kit/wire-client.ts";
import { type Person, story } from "./story.ts";

const LINE = { command: "echo once >> log.txt" };
const append: ScriptStep = { calls: [{ tool: "exec", args: LINE }] };
const done: ScriptStep = { say: "Done." };

/** The session that the story opens is in plan mode: the person leaves it, and chooses how they are asked. */
async function opened(alice: Person, mode: string): Promise<SessionId> {
  const sessionId = await alice.open();
  await alice.say(sessionId, "/plan off");
  await alice.say(sessionId, `/permissions ${mode}`);
  return sessionId;
}

const lastInput = ({ requests }: ReturnType<typeof scriptedModel>): unknown =>
  requests.at(-1)?.entries.findLast((entry) => entry.kind === "input");

describe("a session that asks", () => {
  it("[GA-02, GA-12, I10] runs exactly the call that a person allowed, once, and asks again for the same one", async () => {
    const { start, person, workspace } = story();
    const model = scriptedModel([append, append, append, done]);
    await start(model);
    const alice = await person();
    const sessionId = await opened(alice, "ask");

    await alice.say(sessionId, "Log it twice");
    await alice.until("question.asked");
    await alice.until("turn.finished");
    expect(readdirSync(workspace)).toEqual([]);
    expect((await alice.plan(sessionId)).question?.question).toContain("    echo once >> log.txt");

    await alice.act(sessionId, "allow-once");
    await alice.until("question.asked", 2); // the second, identical call of the same turn
    await alice.until("turn.finished", 2);
    expect(readFileSync(join(workspace, "log.txt"), "utf8")).toBe("once\n");
    expect(alice.seen.filter((event) => event === "call.claimed")).toHaveLength(1);
    expect(alice.seen.filter((event) => event === "grant.spent")).toHaveLength(1);

    await alice.say(sessionId, "/plan answer deny");
    await alice.until("turn.finished", 3);
    expect(readFileSync(join(workspace, "log.txt"), "utf8")).toBe("once\n");
    const { verdict } = await alice.client.call("audit.verify", {});
    expect(verdict.intact).toBe(true);
  });

  it("[GA-02, BY-07] tells the agent of a no, and nothing has run", async () => {
    const { start, person, workspace } = story();
    const model = scriptedModel([append, done]);
    await start(model);
    const alice = await person();
    const sessionId = await opened(alice, "ask");
    await alice.say(sessionId, "Log it");
    await alice.until("turn.finished");
    await alice.say(sessionId, "/plan answer deny");
    await alice.until("turn.finished", 2);
    expect(lastInput(model)).toMatchObject({ text: expect.stringContaining("A person said no to this call of exec") });
    expect(readdirSync(workspace)).toEqual([]);
    expect(alice.seen).not.toContain("call.claimed");
  });

  it("[PL-12, GA-02] keeps the mode, the question and the yes over restarts", async () => {
    const { start, stop, person, workspace } = story();
    await start(scriptedModel([append]));
    const alice = await person();
    const sessionId = await opened(alice, "ask");
    await alice.say(sessionId, "Log it");
    await alice.until("turn.finished");
    await stop();

    const model = scriptedModel([append, append, done]);
    await start(model);
    const bob = await person();
    await bob.watch(sessionId);
    const { permission, question } = await bob.plan(sessionId);
    expect([permission, question?.call?.gate]).toEqual(["ask", "permission"]);
    await bob.act(sessionId, "allow-once");
    await bob.until("question.asked"); // for the second call
    await bob.until("turn.finished");
    expect(readFileSync(join(workspace, "log.txt"), "utf8")).toBe("once\n");
    const { rows } = await bob.client.call("audit.list", { afterSeq: 0, limit: 200, sessionId });
    const told = rows.map(({ body }) => body).join("\n");
    expect(told.match(/(?:permission|grant)\.(?:set|given|spent|denied)/g)).toEqual([
      "permission.set",
      "grant.given",
      "grant.spent",
    ]);
  });
});

describe("by mode", () => {
  const write = (path: string): [string, JsonObject] => ["write", { path, content: "x" }];
  const permit = ({ person, sessionId }: Awaited<ReturnType<typeof gatedGateway>>, permissionMode: string) =>
    person.must("sessions.patch", { sessionId, permissionMode } as never);

  it("[GA-02, I01] plan mode wins over bypass", async () => {
    const gateway = await gatedGateway();
    await permit(gateway, "bypass");
    await gateway.plan("plan");
    expect(await gateway.call(...write("made"))).toMatchObject({ status: "refused" });
    expect(await gateway.exec("rm keep.txt")).toMatchObject({ status: "refused", content: { rule: "known-write" } });
    expect(gateway.seen).not.toContain("call.claimed");
    await gateway.plan("normal");
    expect((await gateway.exec("rm keep.txt")).status).toBe("ok");
  });

  it("[GA-02] accept: edits run, commands ask", async () => {
    const gateway = await gatedGateway();
    await permit(gateway, "accept");
    expect((await gateway.call(...write("made"))).status).toBe("ok");
    expect(await gateway.exec("touch more")).toMatchObject({ content: { rule: "permission/accept" } });
    expect(gateway.files()).toEqual(["keep.txt", "made"]);
    expect((await gateway.answer("1", { tool: "exec", args: { command: "touch more" } })).status).toBe("ok");
    expect(gateway.files()).toEqual(["keep.txt", "made", "more"]);
  });

  it("[GA-02] default: what is destructive asks, the rest runs; under an approved plan nothing further asks", async () => {
    const gateway = await gatedGateway();
    expect((await gateway.exec("touch made")).status).toBe("ok");
    const rm = { tool: "exec", args: { command: "rm made" } };
    expect(await gateway.call(rm.tool, rm.args)).toMatchObject({ status: "refused", content: { rule: "removes" } });
    expect((await gateway.answer("Deny", rm)).status).toBe("refused");
    await gateway.plan("plan");
    await gateway.decide("approve");
    expect((await gateway.call(rm.tool, rm.args)).status).toBe("ok");
    expect(gateway.files()).toEqual(["keep.txt"]);
  });

  it("[GA-02, AE-05] ask and an approval with edits: one yes is enough for one call", async () => {
    const gateway = await gatedGateway();
    await gateway.plan("plan");
    await gateway.decide("edit");
    await permit(gateway, "ask");
    const rm = { tool: "exec", args: { command: "rm keep.txt" } };
    expect(await gateway.call(rm.tool, rm.args)).toMatchObject({ status: "refused", content: { rule: "removes" } });
    expect((await gateway.answer("allow-once", rm)).status).toBe("ok");
    expect(gateway.files()).toEqual([]);
  });

  it("[GA-02, GW-04] is shown where people and the agent look, and set by deciders alone", async () => {
    const gateway = await gatedGateway();
    const { person, sessionId } = gateway;
    const say = async (text: string) => person.must("chat.send", { sessionId, text });
    expect(await say("/permissions accept")).toMatchObject({ message: expect.stringContaining("Permissions: accept") });
    expect(await say("/permissions")).toMatchObject({ message: expect.stringContaining("* accept") });
    expect(await say("/plan status")).toMatchObject({ message: expect.stringContaining("Permissions: accept") });
    expect((await gateway.call("session_status", {})).content).toMatchObject({ permissionMode: "accept" });
    expect((await gateway.call("plan_mode_status", {})).content).toMatchObject({ permission_mode: "accept" });
    await expect(say("/permissions root")).rejects.toThrow("COMMAND_USAGE");
    const scopes = ["operator.write"];
    const made = await person.must("tokens.create", { name: "writer", scopes } as never);
    const writer = await wireClient({ url: gateway.url, token: made.secret });
    await expect(writer.must("sessions.patch", { sessionId, permissionMode: "bypass" } as never)).rejects.toThrow(
      "FORBIDDEN",
    );
    await expect(writer.must("chat.send", { sessionId, text: "/permissions bypass" })).rejects.toThrow("FORBIDDEN");
    writer.close();
    expect((await gateway.state()).permission).toBe("accept");
  });
});
