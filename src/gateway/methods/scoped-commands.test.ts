/** Acceptance of scoped commands: the same on the RPC and in a text that begins with a slash. */
import { afterEach, describe, expect, it } from "vitest";
import { present, type ServedGateway, serveGateway } from "../../../test/kit/served-gateway.ts";
import type { WireClient } from "../../../test/kit/wire-client.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import { definePlugin, z } from "../../plugins/sdk.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { SessionId } from "../../protocol/ids.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { builtinCommands } from "../builtin-commands/plugin.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

const runs: string[] = [];
/** A deploy that waits for a person: state, a line for the agent, and its continuation. */
const deploy = definePlugin({
  id: "deploy",
  name: "Deploy",
  description: "Deploys wait for a person.",
  register(api) {
    api.session.state.registerSessionExtension({
      namespace: "deploy",
      description: "What was decided.",
      schema: z.object({ status: z.string() }),
      initial: { status: "waiting" },
      project: (state) => state,
    });
    api.session.controls.registerSessionAction({
      id: "approve",
      description: "Lets it go.",
      schema: z.strictObject({ target: z.string().max(20) }),
      requiredScopes: ["operator.approvals"],
      async handler({ state, params }) {
        state.set("deploy", { status: `approved for ${params.target}` });
        return { message: "Approved." };
      },
    });
    api.session.controls.registerControlUiDescriptor({
      id: "deploy-badge",
      surface: "session-header",
      label: "Deploy",
      requiredScopes: ["operator.approvals"],
      body: [{ kind: "badge", text: { path: "deploy.status" } }],
    });
    api.commands.registerCommand({
      name: "deploy",
      description: "Deploys.",
      requiredScopes: ["operator.approvals"],
      subcommands: [
        { name: "status", description: "where it stands", requiredScopes: ["operator.read"] },
        { name: "approve", description: "let it go" },
        { name: "pause", description: "hold it" },
      ],
      async handler({ args, state, enqueueNextTurnInjection }) {
        runs.push(args);
        if (args === "fail") throw new Error("no such cluster");
        if (args === "status") return { message: JSON.stringify(state.get("deploy")), continueAgent: true };
        state.set("deploy", { status: args });
        if (args === "pause") return { message: "Paused.", delivery: "channel" };
        enqueueNextTurnInjection({ text: "[PLAN_DECISION] The deploy was approved." });
        return { message: "Approved.", continueAgent: true, delivery: args === "quietly" ? "silent" : "ephemeral" };
      },
    });
  },
});

type Way = (client: WireClient, sessionId: SessionId, order: { args: string; key?: string }) => Promise<unknown>;
const answerOf = (answer: { ok: boolean; payload?: unknown; error?: unknown }) => answer.payload ?? answer.error;
const keyed = (key: string | undefined) => (key === undefined ? {} : { idempotencyKey: key });
const asText: Way = async (client, sessionId, { args, key }) =>
  answerOf(present(await client.request("chat.send", { sessionId, text: `/deploy ${args}`, ...keyed(key) })));
const rpc: Way = async (client, sessionId, { args, key }) =>
  answerOf(present(await client.request("commands.run", { sessionId, name: "deploy", args, ...keyed(key) })));

async function serve(): Promise<{ sessionId: SessionId; client(...scopes: Scope[]): Promise<WireClient> }> {
  runs.length = 0;
  gateway = await serveGateway({ plugins: [planModePlugin, builtinCommands(() => gateway.host.commands), deploy] });
  const alice = await gateway.client();
  const { session } = await alice.must("sessions.create", {});
  return { sessionId: session.id, client: (...scopes) => gateway.client(scopes) };
}

const stored = async (sessionId: SessionId) => present(await gateway.engine.session(sessionId));
const decided = async (sessionId: SessionId): Promise<JsonObject | undefined> =>
  ((await stored(sessionId)).slices["plugin:deploy"] as { values: { deploy?: JsonObject } } | undefined)?.values.deploy;

describe.each([
  ["a text", asText],
  ["the RPC", rpc],
])("a scoped command by %s", (_name, run) => {
  it("[PG-05] is refused before its handler runs where a scope is missing", async () => {
    const { sessionId, client } = await serve();
    const writer = await client("operator.read", "operator.write");
    expect(await run(writer, sessionId, { args: "approve" })).toMatchObject({
      code: "FORBIDDEN",
      details: { scopes: ["operator.approvals"] },
    });
    expect(runs).toEqual([]);
  });

  it("[PG-05, PG-06] that reads works with read scope only, and resumes nobody", async () => {
    const { sessionId, client } = await serve();
    const reader = await client("operator.read");
    expect(await run(reader, sessionId, { args: "status" })).toMatchObject({ message: '{"status":"waiting"}' });
    expect((await stored(sessionId)).turn.status).toBe("idle");
  });

  it("[PG-05] that reads changes nothing, whatever its handler tries", async () => {
    const { sessionId, client } = await serve();
    const reader = await client("operator.read");
    expect(await run(reader, sessionId, { args: "status set" })).toMatchObject({ code: "PLUGIN_FAILED" });
    expect(await decided(sessionId)).toBeUndefined();
  });

  it("[PG-06, PG-03] that continues resumes the agent once, with what it queued", async () => {
    const { sessionId, client } = await serve();
    const approver = await client("operator.approvals");
    const first = await run(approver, sessionId, { args: "approve", key: "k" });
    expect(first).toMatchObject({ message: "Approved." });
    const session = await stored(sessionId);
    expect([session.turn.status, await decided(sessionId)]).toEqual(["requested", { status: "approve" }]);
    const own = session.injections.filter(({ kind }) => kind === "plugin:deploy");
    expect(own.map(({ text: words, kind }) => [words, kind])).toEqual([
      ["[PLUGIN_COMMAND deploy]\nalice ran /deploy approve.\n[/PLUGIN_COMMAND]", "plugin:deploy"],
      ["[PLUGIN_MESSAGE deploy]\n> (PLAN_DECISION) The deploy was approved.\n[/PLUGIN_MESSAGE]", "plugin:deploy"],
    ]);
    expect(await run(approver, sessionId, { args: "approve", key: "k" })).toEqual(first);
    expect((await stored(sessionId)).injections).toEqual(session.injections);
  });

  it("[PG-06] that does not continue leaves the agent alone, and tells the channel if it says so", async () => {
    const { sessionId, client } = await serve();
    await run(await client("operator.approvals"), sessionId, { args: "pause" });
    expect((await stored(sessionId)).turn.status).toBe("idle");
    const alice = await gateway.client();
    const { items } = await alice.must("chat.history", { sessionId });
    expect(items.map(({ entry }) => entry)).toContainEqual({ kind: "notice", text: "deploy: Paused." });
  });

  it("[PG-06] that is silent shows nothing, and what is ephemeral stays with its sender", async () => {
    const { sessionId, client } = await serve();
    const approver = await client("operator.approvals");
    expect(await run(approver, sessionId, { args: "quietly" })).toMatchObject({ message: "" });
    const alice = await gateway.client();
    const { items } = await alice.must("chat.history", { sessionId });
    expect(items.filter(({ entry }) => entry.kind === "notice" && entry.text.includes("Approved."))).toEqual([]);
  });

  it("[PG-01, PG-05] whose handler fails changes nothing and says so", async () => {
    const { sessionId, client } = await serve();
    expect(await run(await client("operator.approvals"), sessionId, { args: "fail" })).toMatchObject({
      code: "PLUGIN_FAILED",
    });
    expect(await decided(sessionId)).toBeUndefined();
  });
});

describe("commands for programs", () => {
  it("[PG-05] are listed with what the caller may do, and completed", async () => {
    const { client } = await serve();
    const reader = await client("operator.read");
    const { commands } = await reader.must("commands.list", {});
    expect(commands.map(({ name, pluginId, allowed }) => [name, pluginId, allowed])).toEqual([
      ["approve", "plan-mode", false],
      ["commands", "house-commands", true],
      ["deploy", "deploy", true],
      ["help", "house-commands", true],
      ["permissions", "plan-mode", true],
      ["plan", "plan-mode", true],
      ["status", "house-commands", true],
    ]);
    expect((await reader.must("commands.complete", { text: "/de" })).completions).toEqual([
      { text: "/deploy", description: "Deploys." },
    ]);
    expect((await reader.must("commands.complete", { text: "/deploy " })).completions).toEqual([
      { text: "/deploy status", description: "where it stands" },
    ]);
    for (const text of ["deploy", "/deploy status now", "/deploy status "]) {
      expect((await reader.must("commands.complete", { text })).completions).toEqual([]);
    }
  });

  it("[PG-05] /help, /commands and /status are served like any other", async () => {
    const { sessionId, client } = await serve();
    const reader = await client("operator.read");
    const say = async (line: string) => answerOf(present(await reader.request("chat.send", { sessionId, text: line })));
    expect(await say("/commands")).toMatchObject({ message: "/commands /deploy /help /permissions /plan /status" });
    expect(await say("/commands all")).toMatchObject({ code: "COMMAND_USAGE" });
    expect(await say("/help deploy")).toMatchObject({
      message: [
        "Deploys.",
        "/deploy status — where it stands",
        "/deploy approve — let it go",
        "/deploy pause — hold it",
      ].join("\n"),
    });
    expect(await say("/help depoly")).toMatchObject({ message: expect.stringContaining("Did you mean /help deploy?") });
    expect(await say("/status")).toMatchObject({ message: expect.stringContaining("The agent is idle") });
  });
});

describe("session actions", () => {
  const act = async (client: WireClient, sessionId: SessionId, action: { action: string; params: JsonObject }) =>
    answerOf(present(await client.request("sessions.action", { sessionId, pluginId: "deploy", ...action })));

  it("[PG-02, PG-07] check scope and shape before the handler runs, then change the plugin's own state", async () => {
    const { sessionId, client } = await serve();
    const approver = await client("operator.approvals");
    const good = { action: "approve", params: { target: "staging" } };
    expect(await act(await client("operator.write"), sessionId, good)).toMatchObject({ code: "FORBIDDEN" });
    expect(await act(approver, sessionId, { ...good, params: { target: 1 } })).toMatchObject({
      code: "INVALID_REQUEST",
    });
    expect(await act(approver, sessionId, { ...good, action: "explode" })).toMatchObject({ code: "ACTION_UNKNOWN" });
    expect(await act(approver, sessionId, good)).toEqual({ message: "Approved." });
    expect(await decided(sessionId)).toEqual({ status: "approved for staging" });
  });

  it("[PG-07, UI-09] descriptors reach those who may see them", async () => {
    const { client } = await serve();
    const seen = async (...scopes: Scope[]) => (await (await client(...scopes)).must("ui.descriptors", {})).plugins;
    expect(await seen("operator.read")).toEqual([]);
    expect(await seen("operator.approvals")).toEqual([
      {
        pluginId: "deploy",
        descriptors: [
          {
            id: "deploy-badge",
            surface: "session-header",
            label: "Deploy",
            requiredScopes: ["operator.approvals"],
            body: [{ kind: "badge", text: { path: "deploy.status" } }],
          },
        ],
      },
    ]);
  });
});
