/** A store that is moved while one plan waits and another is carried out: nothing is revived on either side. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { connectHoldpoint } from "../../src/client/index.ts";
import type { RunningGateway } from "../../src/gateway.ts";
import { freshDatabase, postgresUrl } from "../kit/postgres.ts";
import { MUTATIONS_FILE } from "../chaos/chaos-model.ts";
import { pendingApproval } from "../chaos/people.ts";
import { gatewayChild } from "../kit/gateway-child.ts";
import { type WireClient, wireClient } from "../kit/wire-client.ts";
import { scriptedModel, type ScriptStep } from "../kit/scripted-model.ts";
import { typedCommand } from "../kit/typed-command.ts";
import { type Person, story } from "./story.ts";

const server = await postgresUrl();
const call = (tool: string, args: object): ScriptStep => ({ calls: [{ tool, args: args as never }] });
const PLAN = call("exit_plan_mode", { title: "Write it", plan: [{ step: "one" }, { step: "two" }] });

/** Does what it is told; each file that it writes has another name. */
function obedient() {
  let files = 0;
  return scriptedModel(({ entries }) => {
    const last = entries.at(-1);
    if (last?.kind === "result") return { say: "I tried." };
    const told = last?.kind === "input" ? last.text : "";
    if (told.includes("plan it")) return PLAN;
    return told.includes("write it") ? call("write", { path: `made-${++files}`, content: "x" }) : { say: "Ready." };
  });
}

async function isLetIn({ url }: RunningGateway, token: string): Promise<boolean> {
  const client = connectHoldpoint({ url, token, clientName: "journey", surface: "cli", reconnect: false });
  return client
    .ready()
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.close());
}

async function planned(alice: Person, count: number) {
  const sessionId = await alice.open();
  await alice.say(sessionId, "/plan on");
  await alice.say(sessionId, "plan it");
  await alice.until("plan.submitted", count);
  return sessionId;
}

it.skipIf(server === undefined)(
  "[SC-03, GW-04, PL-19, I20] a move takes approvals and revocations along, and the store that was left gives none of them back",
  async () => {
    const { start, stop, person, home, workspace } = story();
    await start(obedient());
    const alice = await person();
    const scopes = ["operator.read", "operator.write", "operator.approvals"] as const;
    const token = (name: string) => alice.client.call("tokens.create", { name, scopes: [...scopes] });
    const [bob, carol] = [await token("bob"), await token("carol")];
    const waiting = await planned(alice, 1);
    const carried = await planned(alice, 2);
    await alice.accept(carried);
    await alice.client.call("tokens.revoke", { id: bob.token.id });
    const before = await alice.plan(waiting);
    await stop();

    const url = await freshDatabase(server ?? "");
    expect(await typedCommand(home, ["migrate-store", url])).toMatchObject({ code: 0, err: "" });
    const there = await start(obedient());
    const again = await person();
    expect((await again.plan(waiting)).now).toEqual(before.now); // the same approval, on the same digest
    expect((await again.plan(carried)).now.phase).toBe("executing");
    expect([await isLetIn(there, bob.secret), await isLetIn(there, carol.secret)]).toEqual([false, true]);
    await again.client.call("tokens.revoke", { id: carol.token.id });
    await again.watch(carried);
    await again.say(waiting, "/plan revise something else");
    await again.say(carried, "/plan on");
    expect((await again.client.call("audit.verify", {})).verdict.intact).toBe(true);
    await stop();

    await typedCommand(home, ["config", "set", "store", JSON.stringify({ kind: "sqlite" })]);
    await expect(start(obedient())).rejects.toThrow(/was moved/); // there the one plan still waits, and the other is approved
    expect(readdirSync(workspace)).toEqual([]);

    await typedCommand(home, ["config", "set", "store", JSON.stringify({ kind: "postgres", url })]);
    const back = await start(obedient());
    const last = await person();
    expect([(await last.plan(waiting)).now.phase, (await last.plan(carried)).now.phase]).toEqual([
      "rejected",
      "exploring",
    ]);
    expect([await isLetIn(back, bob.secret), await isLetIn(back, carol.secret)]).toEqual([false, false]);
  },
);

/** Long enough for a kill to fall into it. */
const TOOL_MS = 2_000;

it.skipIf(server === undefined)(
  "[SC-03, GA-12, I20] a call that was under way when its gateway died is unknown in the store that it was moved to, and never made again",
  async () => {
    const { home, workspace } = story();
    const made = (): string[] => {
      const names = readdirSync(workspace);
      return names.includes(MUTATIONS_FILE)
        ? readFileSync(join(workspace, MUTATIONS_FILE), "utf8").trim().split("\n")
        : [];
    };
    const child = await gatewayChild({ home, workspace, toolMs: TOOL_MS });
    const client = await wireClient(child);
    const { id: sessionId } = (await client.must("sessions.create", {})).session;
    const look = async (by: WireClient) => (await by.must("sessions.get", { sessionId })).session;
    await client.must("chat.send", { sessionId, text: "append" });
    await expect.poll(async () => pendingApproval(await look(client))).toBeTypeOf("string");
    const approvalId = pendingApproval(await look(client));
    const planApproval = { action: "approve", approvalId };
    await client.must("sessions.patch", { sessionId, planApproval } as never);
    await expect.poll(() => made().length).toBe(1); // it has changed something, and has not said so yet
    await child.kill();

    const url = await freshDatabase(server ?? "");
    expect(await typedCommand(home, ["migrate-store", url])).toMatchObject({ code: 0, err: "" });
    const there = await gatewayChild({ home, workspace, toolMs: 0 });
    const again = await wireClient(there);
    await expect.poll(async () => (await look(again)).turn.status).toBe("idle");
    const { items } = await again.must("chat.history", { sessionId, before: null, limit: 200 });
    const ends = items.flatMap(({ entry }) =>
      entry.kind === "result" && entry.tool === "append_line" ? [entry.status] : [],
    );
    expect(ends[0]).toBe("unknown");
    expect(new Set(made().map((line) => line.split(" ")[1])).size).toBe(made().length); // each call once
    const stale = await again.request("sessions.patch", { sessionId, planApproval } as never);
    expect(stale?.ok).toBe(false);
    again.close();
    await there.kill();

    await typedCommand(home, ["config", "set", "store", JSON.stringify({ kind: "sqlite" })]);
    await expect(gatewayChild({ home, workspace })).rejects.toThrow(/was moved/);
    expect(new Set(made().map((line) => line.split(" ")[1])).size).toBe(made().length);
  },
);
