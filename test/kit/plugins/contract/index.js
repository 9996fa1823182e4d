import { definePlugin, z } from "holdpoint/plugin";

const wait = () => new Promise(() => undefined);

function spin() {
  for (;;);
}

export default definePlugin({
  id: "contract",
  name: "Contract",
  description: "Does everything that an ordinary plugin can do.",
  configSchema: z.object({
    greeting: z
      .string()
      .regex(/^[a-z]+$/)
      .default("hello"),
  }),
  register(api) {
    const heard = [];
    const state = api.session.state.registerSessionExtension({
      namespace: "count",
      description: "How often.",
      schema: z.object({ n: z.number().int().max(100) }),
      initial: { n: 0 },
      project: ({ n }) => ({ shown: n * 10 }),
    });
    api.agent.events.subscribe(["plan.*"], (event) => void heard.push(event.type));

    const orders = {
      greet: ({ actor }) => ({ message: `${api.config.greeting} ${actor.name}, I am ${api.id} (${api.tier})` }),
      count({ state: staged, enqueueNextTurnInjection }) {
        const { n } = staged.get("count") ?? { n: 0 };
        staged.set("count", { n: n + 1 });
        enqueueNextTurnInjection({ text: `counted to ${n + 1}` });
        return { message: String(n + 1), continueAgent: true };
      },
      toomuch({ state: staged }) {
        staged.set("count", { n: 1000 });
        return { message: "?" };
      },
      async update({ session }) {
        const { n } = await state.update(session.id, (before) => ({ n: before.n + 5 }));
        return { message: `${n} ${(await state.get(session.id)).n}` };
      },
      async inject({ session }) {
        const { enqueued } = await api.session.workflow.enqueueNextTurnInjection({
          sessionKey: session.id,
          text: "psst",
          idempotencyKey: "one",
        });
        return { message: String(enqueued) };
      },
      async emit({ session }) {
        return {
          message: String(
            (await api.agent.events.emit({ name: "said", sessionKey: session.id, data: { a: 1 } })).emitted,
          ),
        };
      },
      async schedule({ session }) {
        await api.session.workflow.scheduleSessionTurn({ sessionKey: session.id, message: "later", delayMs: 1000 });
        return {};
      },
      async context() {
        await api.runContext.set("run_1", { key: "k", value: [1] });
        return { message: JSON.stringify(await api.runContext.get("run_1", "k")) };
      },
      heard: () => ({ message: heard.join(",") }),
      refuse: () => ({ refusal: { code: "COMMAND_USAGE", message: "Not so." } }),
      throw() {
        throw new Error("broken on purpose");
      },
      wait,
      spin,
      exit: () => process.exit(3),
      odd: () => ({ message: 5 }),
      resume: () => ({ message: "on it", continueAgent: true }),
      nothing: () => undefined,
      null: () => null,
      text: () => "done",
      nowhere: () => ({ message: "done", delivery: "everywhere" }),
      maybe: () => ({ message: "done", continueAgent: "yes" }),
      pollute() {
        Object.prototype.polluted = "yes";
        Array.prototype.map = () => ["polluted"];
        return { message: String({}.polluted) };
      },
    };
    api.commands.registerCommand({
      name: "contract",
      description: "Does what it is told.",
      requiredScopes: ["operator.approvals"],
      handler: async (call) => orders[call.args](call),
    });
    api.session.controls.registerSessionAction({
      id: "add",
      description: "Adds.",
      schema: z.strictObject({ by: z.number().int().min(1) }),
      async handler({ params, state: staged }) {
        const { n } = staged.get("count") ?? { n: 0 };
        staged.set("count", { n: n + params.by });
        if (params.by === 99) return null;
        return { message: `added ${params.by}`, continueAgent: params.by === 7 };
      },
    });
    api.session.controls.registerControlUiDescriptor({
      id: "badge",
      surface: "session-header",
      label: "Count",
      body: [{ kind: "badge", text: { path: "count.shown" } }],
    });
    api.tools.registerTool({
      name: "contract_read",
      description: "Reads.",
      kind: "read_only",
      effect: "read",
      input: z.strictObject({ word: z.string().min(2) }),
      async run({ word }, { emit, workspace, callId }) {
        emit(`looking up ${word}`);
        return { status: "ok", content: { word, workspace, callId } };
      },
    });
    api.tools.registerTool({
      name: "contract_write",
      description: "Writes until it is told to stop.",
      kind: "dispatch",
      effect: "write",
      input: z.strictObject({}),
      run: (_args, { signal }) =>
        new Promise((resolve) =>
          signal.addEventListener("abort", () => resolve({ status: "error", content: "stopped" })),
        ),
    });
    api.on("before_tool_call", ({ tool, args }) => {
      if (args?.path === "throw") throw new Error("hook broke");
      return tool === "rm" ? { block: `no ${tool} of ${args?.path}` } : undefined;
    });
    api.on("session_start", ({ sessionKey }) => void heard.push(`start ${sessionKey}`));
  },
});
