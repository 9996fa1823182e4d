/** A second operator with every scope, who is not among those who may approve, and an agent that obeys them. */
import { existsSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import type { ModelRequest } from "../../src/agent/model.ts";
import { connectHoldpoint, type HoldpointClient } from "../../src/client/index.ts";
import { definePlugin } from "../../src/plugins/sdk.ts";
import type { Scope } from "../../src/protocol/actor.ts";
import type { SessionId } from "../../src/protocol/ids.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import { scriptedModel } from "../kit/scripted-model.ts";
import { type Person, story } from "./story.ts";

const EVERYTHING: Scope[] = ["operator.read", "operator.write", "operator.approvals", "operator.admin"];
const MINUTE = 60_000;
const PLAN = { title: "Write it", plan: [{ step: "write out.txt", status: "pending" }] };

/** Obeys: submits, spawns or writes, as it is told; a sub-agent always writes. Says what came of it. */
const obedient = () =>
  scriptedModel(({ entries }) => {
    const last = entries.at(-1);
    if (last?.kind === "result") return { say: "I tried." };
    const told = last?.kind === "input" ? last.text : "";
    if (told.includes("plan it")) return { calls: [{ tool: "exit_plan_mode", args: PLAN }] };
    if (told.includes("get help"))
      return { calls: [{ tool: "sessions_spawn", args: { task: "write", title: "Help" } }] };
    return { calls: [{ tool: "write", args: { path: "out.txt", content: "x" } }] };
  });

/** What mutating calls of any agent were answered, the latest last. */
const writes = (requests: readonly ModelRequest[]): string[] =>
  requests.flatMap(({ entries }) => {
    const last = entries.at(-1);
    if (last?.kind !== "result" || last.tool !== "write") return [];
    return [Ruled.safeParse(last.content).data?.rule ?? last.status];
  });
const lastWrite = (requests: readonly ModelRequest[]): string => writes(requests).at(-1) ?? "none";

const Ruled = z.object({ rule: z.string() });

const continuing = definePlugin({
  id: "continuing",
  name: "Continuing",
  description: "for tests",
  register: (api) =>
    api.commands.registerCommand({
      name: "go-on",
      requiredScopes: ["operator.write"],
      handler: async () => ({ message: "Going on.", continueAgent: true }),
    }),
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "ok",
    (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error)),
  );
}

/** Alice is the person at the machine and the only one who may approve; Bob may do everything else. */
async function begun() {
  const here = story();
  let model = obedient();
  const plugins = [{ plugin: continuing, tier: "trusted" as const }];
  const running = { url: (await here.start(model, { plugins })).url };
  const alice = await here.person();
  const { secret } = await alice.client.call("tokens.create", { name: "bob", scopes: EVERYTHING });
  await alice.client.call("config.set", { path: "approvals", value: { approvers: ["local"] } });
  const join2 = (token: string, surface = "cli"): HoldpointClient =>
    connectHoldpoint({ url: running.url, token, clientName: "bob", surface, reconnect: false });
  return {
    ...here,
    alice,
    secret,
    connect: join2,
    model: () => model,
    async restart(): Promise<Person> {
      await here.stop();
      model = obedient();
      running.url = (await here.start(model, { plugins })).url;
      return here.person();
    },
  };
}

const planOf = async (client: HoldpointClient, sessionId: SessionId): Promise<PlanModeState> =>
  PlanModeState.parse((await client.call("sessions.get", { sessionId })).session.slices["planMode"]);

it("[PL-19, PL-12, I16] who leaves past those who may approve is held: turns, sub-agents, commands, jobs, after a restart", async () => {
  const here = await begun();
  const { secret, workspace, clock } = here;
  const bob = here.connect(secret);
  const { id: sessionId } = (await bob.call("sessions.create", {})).session;
  const send = async (client: HoldpointClient, text: string) => client.call("chat.send", { sessionId, text });
  const rest = async (count: number) => {
    await here.model().asked(count);
    await expect.poll(async () => (await bob.call("sessions.get", { sessionId })).session.turn.status).toBe("idle");
  };
  await send(bob, "plan it");
  await expect.poll(async () => (await planOf(bob, sessionId)).now.phase).toBe("pending");
  const { now } = await planOf(bob, sessionId);
  const approvalId = now.phase === "pending" ? now.submission.approvalId : undefined;
  expect(await send(bob, "/plan off")).toMatchObject({ message: expect.stringContaining("the session is held") });

  await send(bob, "write it");
  await rest(3);
  expect(lastWrite(here.model().requests)).toBe("plan-mode/held");
  await send(bob, "get help");
  // the session itself tries again as soon as its sub-agent has reported
  await expect.poll(() => writes(here.model().requests)).toContain("plan-mode/held (inherited)");
  await expect.poll(async () => (await bob.call("sessions.get", { sessionId })).session.turn.status).toBe("idle");

  for (const patch of [{ planMode: "normal" }, { planMode: null }] as const)
    expect(await codeOf(bob.call("sessions.patch", { sessionId, ...patch }))).toBe("ok");
  const approve = { planApproval: { action: "approve", approvalId } } as const;
  expect(await codeOf(bob.call("sessions.patch", { sessionId, ...approve }))).toBe("APPROVAL_STALE");
  for (const text of ["/plan lift", "/permissions bypass", "/plan auto on"])
    expect(await codeOf(send(bob, text))).toBe("APPROVER_NOT_LISTED");
  const mixed = { sessionId, planMode: "normal", permissionMode: "bypass" } as const;
  expect(await codeOf(bob.call("sessions.patch", mixed as never))).toBe("INVALID_REQUEST");
  const otherTab = here.connect(secret);
  await send(otherTab, "/plan on");
  await send(bob, "/plan off");
  await otherTab.call("sessions.reset", { sessionId });
  expect(await send(otherTab, "/plan off")).toMatchObject({ kind: "command" });
  expect((await planOf(bob, sessionId)).held).toBeDefined();
  expect((await bob.call("status", {})).modes).toMatchObject({ held: 1 });
  bob.close();
  otherTab.close();

  const alice = await here.restart();
  await alice.watch(sessionId);
  const again = here.connect(secret);
  await again.call("chat.send", { sessionId, text: "/go-on" });
  await expect.poll(() => lastWrite(here.model().requests)).toMatch(/^plan-mode\/held|^unattended/);
  await alice.client.call("config.set", { path: "automation.unattended", value: "open" });
  const asked = here.model().requests.length;
  await again.call("cron.add", { sessionId, job: { when: { delayMs: MINUTE }, message: "tidy up" } });
  clock.leap(2 * MINUTE);
  await here.model().asked(asked + 2);
  expect([lastWrite(here.model().requests), existsSync(join(workspace, "out.txt"))]).toEqual(["plan-mode/held", false]);

  await expect.poll(async () => (await again.call("sessions.get", { sessionId })).session.turn.status).toBe("idle");
  expect(await alice.say(sessionId, "/plan lift")).toBe("The hold is lifted; the agent may change things again.");
  await again.call("chat.send", { sessionId, text: "write it" });
  await expect.poll(() => existsSync(join(workspace, "out.txt"))).toBe(true);
  const { rows } = await again.call("audit.list", { afterSeq: 0, limit: 200, sessionId });
  const facts = rows.map(({ body }) => body).join("\n");
  expect([facts.includes('"hold.set"'), facts.includes('"hold.lifted"')]).toEqual([true, true]);
  again.close();
});

it("[PL-19, GW-09] settings, tokens, plugins, roles and agents are no way around either", async () => {
  const here = await begun();
  const { secret, alice } = here;
  const bob = here.connect(secret, "fake");
  const set = (path: string, value: unknown) => codeOf(bob.call("config.set", { path, value: value }));
  expect(
    await Promise.all([
      set("approvals", {}),
      set("approvals.approvers", ["bob"]),
      set("agents", {}),
      set("agents.defaults.planMode.requireApproval", false),
      set("agents.list.0", { id: "free", planMode: { requireApproval: false } }),
      set("bindings", [{ surface: "api", planMode: { approvals: { approvers: ["bob"] } } }]),
      set("plugins", {}),
      set("automation.unattended", "open"),
      set("workspaces.roots", ["/"]),
      codeOf(bob.call("config.unset", { path: "approvals" })),
      codeOf(bob.call("plugins.disable", { id: "plan-mode" })),
      codeOf(bob.call("plugins.untrust", { id: "continuing" })),
    ]),
  ).toEqual(Array(12).fill("FORBIDDEN"));
  expect(await set("logging.level", "warn")).toBe("ok");
  const create = (name: string, scopes: Scope[]) => codeOf(bob.call("tokens.create", { name, scopes }));
  expect(await create(" LOCAL ", ["operator.approvals"])).toBe("FORBIDDEN");
  expect(await create("local", ["operator.read"])).toBe("ok");
  expect(await create("carol", EVERYTHING)).toBe("ok");
  expect(await codeOf(bob.call("sessions.create", { role: "worker" }))).toBe("APPROVER_NOT_LISTED");
  expect(await codeOf(bob.call("sessions.create", { agentId: "../.." }))).toBe("INVALID_REQUEST");
  expect(await codeOf(alice.client.call("sessions.create", { role: "worker" }))).toBe("ok");
  const { client } = alice;
  const quorum = (value: number) => codeOf(client.call("config.set", { path: "approvals", value: { quorum: value } }));
  expect([await quorum(1), await quorum(2), await quorum(1)]).toEqual(["ok", "ok", "FORBIDDEN"]);
  const another = (name: string) => codeOf(client.call("tokens.create", { name, scopes: EVERYTHING }));
  expect(await another("local")).toBe("ok"); // of their own name
  const stricter = (path: string, value: string | number | boolean) => codeOf(bob.call("config.set", { path, value }));
  expect(
    await Promise.all([
      stricter("agents.defaults.permissionMode", "ask"),
      stricter("agents.defaults.planMode.requireResolvedThreads", true),
      stricter("approvals.quorum", 3),
    ]),
  ).toEqual(["ok", "ok", "ok"]);
  expect(await stricter("agents.defaults.permissionMode", "bypass")).toBe("FORBIDDEN");
  expect(await stricter("approvals.quorum", 2)).toBe("FORBIDDEN");
  const sessionId = await alice.open();
  expect(await alice.say(sessionId, "/plan off")).toContain("the session is held");
  expect(await alice.say(sessionId, "/plan lift")).toBe("Signed. Signatures still missing: 2");
  expect(await codeOf(alice.say(sessionId, "/plan lift"))).toBe("APPROVAL_ALREADY_SIGNED");
  const { secret: third } = await client.call("tokens.create", { name: "dave", scopes: EVERYTHING });
  const dave = here.connect(third);
  for (const one of [bob, dave]) await one.call("chat.send", { sessionId, text: "/plan lift" });
  expect((await alice.plan(sessionId)).held).toBeUndefined();
  bob.close();
  dave.close();
});

it("[PL-19, GW-10] a token alone switches no passkey off: at no level, by no way of writing a setting", async () => {
  const here = await begun();
  const { client } = here.alice;
  const set = (path: string, value: unknown) => codeOf(client.call("config.set", { path, value: value }));
  const unset = (path: string) => codeOf(client.call("config.unset", { path }));
  const planMode = "agents.defaults.planMode";
  expect(await set("agents.list", [{ id: "main", planMode: { debug: true } }])).toBe("ok");
  expect(await set("bindings", [{ surface: "cli", planMode: { enabled: true } }])).toBe("ok");
  expect(await set("approvals", { presence: "destructive" })).toBe("ok");
  expect(await set("approvals.presence", "passkey")).toBe("ok");
  const none = { approvals: { presence: "none" } };
  expect(
    await Promise.all([
      set("approvals.presence", "none"),
      set("approvals.presence", "destructive"),
      set("approvals", { quorum: 1 }),
      set("approvals", { quorum: 20, presence: "none" }),
      set(`${planMode}.approvals.presence`, "none"),
      set(`${planMode}.approvals`, { presence: "destructive" }),
      set(planMode, { enabled: true, ...none }),
      set("agents.list.0.planMode.approvals.presence", "none"),
      set("agents.list", [{ id: "main", planMode: none }]),
      set("agents", { defaults: { planMode: none } }),
      set("bindings.0.planMode.approvals", { presence: "none" }),
      set("bindings", [{ surface: "cli", planMode: none }]),
      unset("approvals.presence"),
      unset("approvals"),
      unset("agents.list"),
      unset("bindings"),
    ]),
  ).toEqual(Array(16).fill("FORBIDDEN"));
  expect(await set(`${planMode}.approvals`, { presence: "passkey" })).toBe("ok"); // no less than at the top
  expect(await unset(`${planMode}.approvals`)).toBe("ok");
});

it("[PL-18, PL-16, AU-07] whoever was revoked has signed nothing: not as one of two, not by auto, also after a restart", async () => {
  const here = await begun();
  const { alice, secret } = here;
  const bob = here.connect(secret);
  await alice.client.call("config.set", { path: "approvals", value: {} });
  const pair = [{ id: "pair", planMode: { approvals: { quorum: 2 } } }];
  await alice.client.call("config.set", { path: "agents.list", value: pair });
  const auto = await alice.open();
  const { id: two } = (await alice.client.call("sessions.create", { agentId: "pair" })).session;
  for (const sessionId of [auto, two]) await alice.say(sessionId, "/plan on");
  expect(await codeOf(bob.call("chat.send", { sessionId: auto, text: "/plan auto on" }))).toBe("ok");
  await alice.say(two, "plan it");
  await expect.poll(async () => (await alice.plan(two)).now.phase).toBe("pending");
  const { now } = await alice.plan(two);
  const { approvalId, digest } = now.phase === "pending" ? now.submission : { approvalId: undefined, digest: "" };
  const approve = { sessionId: two, planApproval: { action: "approve", approvalId, digest } } as const;
  expect(await bob.call("sessions.patch", approve)).toMatchObject({ reply: { missing: 1 } });
  const { tokens } = await alice.client.call("tokens.list", {});
  for (const { id, name } of tokens) if (name === "bob") await alice.client.call("tokens.revoke", { id });
  bob.close();

  const again = await here.restart();
  expect(await again.client.call("sessions.patch", approve)).toMatchObject({ reply: { missing: 1 } });
  expect((await again.plan(two)).now.phase).toBe("pending");
  await again.say(auto, "plan it");
  await expect.poll(async () => (await again.plan(auto)).now.phase).toBe("pending");
});

it("[GW-09] what a client says of its surface and agent changes nothing, and operator.write stays below the roots", async () => {
  const here = await begun();
  const { alice, workspace, home } = here;
  const { secret } = await alice.client.call("tokens.create", {
    name: "writer",
    scopes: ["operator.read", "operator.write"],
  });
  const bindings = [
    { surface: "api", instance: "writer", agentId: "clerk", role: "coordinator" },
    { surface: "telegram", role: "worker" },
  ];
  await alice.client.call("config.set", { path: "agents.list", value: [{ id: "clerk" }, { id: "free" }] });
  await alice.client.call("config.set", { path: "bindings", value: bindings });
  const writer = here.connect(secret, "telegram");
  const { session } = await writer.call("sessions.create", {});
  expect(session).toMatchObject({ surface: "api", instance: "writer", agentId: "clerk", role: "coordinator" });
  for (const agentId of ["main", "free", "nobody"])
    expect(await codeOf(writer.call("sessions.create", { agentId }))).toBe("FORBIDDEN");
  expect((await alice.client.call("sessions.create", { agentId: "free" })).session).toMatchObject({
    surface: "cli",
    agentId: "free",
  });

  const folder = (path: string) => codeOf(writer.call("sessions.create", { workspace: path }));
  const inside = join(realpathSync(workspace), "inside");
  mkdirSync(inside);
  symlinkSync("/", join(workspace, "out"));
  expect(await Promise.all(["/", "/etc", home, join(workspace, "out"), `${workspace}/../home`].map(folder))).toEqual(
    Array(5).fill("FORBIDDEN"),
  );
  const { session: made } = await writer.call("sessions.create", { workspace: inside });
  expect(made).toMatchObject({ workspace: inside, rooted: true });
  rmSync(inside, { recursive: true });
  mkdirSync(join(home, "agents"), { recursive: true });
  writeFileSync(join(home, "agents", "AGENTS.md"), "Not for this session.");
  symlinkSync(join(home, "agents"), inside); // after it was chosen
  await writer.call("chat.send", { sessionId: made.id, text: "write it" });
  await expect.poll(() => lastWrite(here.model().requests)).toBe("workspace/not-allowed");
  expect(here.model().requests.at(-1)?.system).not.toContain("Not for this session.");
  expect(await codeOf(alice.client.call("sessions.create", { workspace: "/etc" }))).toBe("ok");
  expect(await codeOf(alice.client.call("sessions.create", { workspace: home }))).toBe("FORBIDDEN");
  writer.close();
});
