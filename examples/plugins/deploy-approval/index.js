// Nothing is deployed until a person approved exactly this version, once.
import { definePlugin, z } from "holdpoint/plugin";

const LIVE_MAX = 20;

const Deploy = z.strictObject({
  /** The version that the agent asked for and nobody has approved yet. */
  waiting: z.string().nullable(),
  approved: z.strictObject({ version: z.string(), by: z.string() }).nullable(),
  paused: z.boolean(),
  /** What was deployed, the newest last. */
  live: z.array(z.string()),
});

/** @typedef {z.infer<typeof Deploy>} Deploy */

/** @param {Deploy} deploy */
function statusOf({ waiting, approved, paused, live }) {
  const now = live.length === 0 ? "nothing is live" : `${live.at(-1)} is live`;
  if (paused) return `${now}; deployments are paused`;
  if (approved !== null) return `${now}; ${approved.version} is approved by ${approved.by}`;
  return waiting === null ? now : `${now}; ${waiting} waits for approval`;
}

/** @param {Deploy} deploy @param {string} version */
function problemWith({ approved, paused }, version) {
  if (paused) return "Deployments are paused by an operator. Do something else until they are resumed.";
  if (approved?.version === version) return undefined;
  return `Nobody has approved version ${version}. An operator does it with: /deploy approve ${version}. Wait for it.`;
}

/** Your own: the place where a version goes out. @param {string} version */
async function release(version) {
  return `Version ${version} is live.`;
}

/** @param {import("holdpoint/plugin").HandlerCall} call @param {string} version */
function approve({ state, actor, enqueueNextTurnInjection }, version) {
  const deploy = Deploy.parse(state.get("deploy"));
  if (version === "") return { message: "Nothing waits. Name the version: /deploy approve 1.2.3" };
  state.set("deploy", { ...deploy, waiting: null, approved: { version, by: actor.name } });
  enqueueNextTurnInjection({ text: `${actor.name} approved version ${version}. Deploy exactly ${version} now.` });
  return { message: `Approved ${version}, once.`, continueAgent: true };
}

/** @param {import("holdpoint/plugin").HandlerCall} call @param {boolean} paused */
function pause({ state }, paused) {
  const deploy = Deploy.parse(state.get("deploy"));
  state.set("deploy", { ...deploy, paused, approved: paused ? null : deploy.approved });
  return { message: paused ? "Deployments are paused." : "Deployments may be approved again." };
}

/** @type {import("holdpoint/plugin").UiDescriptor} */
const CARD = {
  id: "deploy",
  surface: "session-header",
  label: "Deployments",
  body: [
    {
      kind: "card",
      title: "Deployments",
      children: [
        { kind: "badge", text: { path: "deploy.status" } },
        { kind: "action", action: "approve", label: "Approve", tone: "good", when: { path: "deploy.waiting" } },
        {
          kind: "form",
          action: "pause",
          submit: "Set",
          fields: [{ type: "boolean", name: "paused", label: "Pause deployments" }],
        },
      ],
    },
  ],
};

/** @type {import("holdpoint/plugin").PluginCommand} */
const RELEASE = {
  name: "release",
  requiredScopes: ["operator.read"],
  handler: ({ state }) => ({ message: Deploy.parse(state.get("deploy")).live.join(" → ") || "nothing was released" }),
};

export default definePlugin({
  id: "deploy-approval",
  name: "Deploy approval",
  description: "Nothing is deployed until a person approved exactly this version.",
  register(api) {
    const deploys = api.session.state.registerSessionExtension({
      namespace: "deploy",
      description: "What is live, what waits, and what was approved.",
      schema: Deploy,
      initial: { waiting: null, approved: null, paused: false, live: [] },
      project: (deploy) => ({ status: statusOf(deploy), waiting: deploy.waiting }),
    });

    api.tools.registerTool({
      name: "deploy",
      description: "Deploys one version. It is held until an operator has approved exactly this version.",
      kind: "dispatch",
      effect: "write",
      input: z.strictObject({ version: z.string().min(1).max(100) }),
      async run({ version }, { sessionId }) {
        // the approval is spent in the same change that is checked: two calls cannot both have it
        let problem = problemWith(await deploys.get(sessionId), version);
        await deploys.update(sessionId, (deploy) => {
          problem = problemWith(deploy, version);
          if (problem !== undefined) return deploy;
          return { ...deploy, approved: null, waiting: null, live: [...deploy.live, version].slice(-LIVE_MAX) };
        });
        if (problem !== undefined) return { status: "error", content: problem };
        return { status: "ok", content: await release(version) };
      },
    });

    api.on("before_tool_call", async ({ tool, args, sessionKey }) => {
      if (tool !== "deploy") return undefined;
      const version = typeof args?.version === "string" ? args.version : "";
      const problem = problemWith(await deploys.get(sessionKey), version);
      if (problem === undefined) return undefined;
      await deploys.update(sessionKey, (deploy) => ({ ...deploy, waiting: version }));
      return { block: problem };
    });

    api.commands.registerCommand({
      name: "deploy",
      description: "Approve, pause or look at deployments.",
      async handler(call) {
        const deploy = Deploy.parse(call.state.get("deploy"));
        const [word = "status", version = deploy.waiting ?? ""] = call.args.split(/\s+/).filter(Boolean);
        if (word === "approve") return approve(call, version);
        if (word === "pause" || word === "resume") return pause(call, word === "pause");
        return { message: `${statusOf(deploy)}.` };
      },
    });

    api.commands.registerCommand({
      name: "rollback",
      description: "Send the agent back to the version before the one that is live.",
      async handler(call) {
        const before = Deploy.parse(call.state.get("deploy")).live.at(-2);
        return before === undefined ? { message: "There is nothing to go back to." } : approve(call, before);
      },
    });

    api.registerCommand(RELEASE);

    api.session.controls.registerSessionAction({
      id: "approve",
      description: "Approves the version that waits.",
      schema: z.strictObject({}),
      requiredScopes: ["operator.approvals"],
      handler: async (call) => approve(call, Deploy.parse(call.state.get("deploy")).waiting ?? ""),
    });
    api.session.controls.registerSessionAction({
      id: "pause",
      description: "Pauses deployments, or resumes them.",
      schema: z.strictObject({ paused: z.boolean() }),
      requiredScopes: ["operator.approvals"],
      handler: async (call) => pause(call, call.params.paused),
    });
    api.session.controls.registerControlUiDescriptor(CARD);
  },
});
