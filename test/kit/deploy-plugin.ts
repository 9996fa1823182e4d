/** A small approval plugin: one piece of state, one command that resumes the agent, and a call that waits for it. */
import { definePlugin, z } from "../../src/plugins/sdk.ts";

const Deploy = z.strictObject({ approvals: z.int(), by: z.string().nullable() });

export const deployPlugin = definePlugin({
  id: "deploy",
  name: "Deploy approval",
  description: "for tests",
  register(api) {
    const state = api.session.state.registerSessionExtension({
      namespace: "deploy",
      description: "Whether somebody approved.",
      schema: Deploy,
      initial: { approvals: 0, by: null },
      project: ({ approvals }) => ({ approvals }),
    });
    api.commands.registerCommand({
      name: "deploy",
      description: "Deployments.",
      requiredScopes: ["operator.approvals"],
      bareAs: "status",
      subcommands: [{ name: "status", description: "how it stands", requiredScopes: ["operator.read"] }],
      async handler(call) {
        const now = Deploy.parse(call.state.get("deploy"));
        if (call.args !== "approve") return { message: `${now.approvals} approvals` };
        call.state.set("deploy", { approvals: now.approvals + 1, by: call.actor.name });
        call.enqueueNextTurnInjection({ text: `Deployment ${now.approvals + 1} is approved: go on.` });
        return { message: "Approved.", continueAgent: true };
      },
    });
    api.session.controls.registerControlUiDescriptor({ id: "card", surface: "dashboard", label: "Deploy", body: [] });
    api.session.controls.registerSessionAction({
      id: "pause",
      description: "Pauses.",
      schema: z.strictObject({}),
      handler: async () => ({ message: "Paused." }),
    });
    api.on("message_received", async ({ sessionKey, text }) => {
      if (text === "remind me")
        await api.session.workflow.scheduleSessionTurn({ sessionKey, message: "look", delayMs: 60_000 });
      if (text === "count") await state.update(sessionKey, (now) => ({ ...now, approvals: now.approvals + 1 }));
      if (text === "note") await api.session.workflow.enqueueNextTurnInjection({ sessionKey, text: "a note" });
    });
  },
});
