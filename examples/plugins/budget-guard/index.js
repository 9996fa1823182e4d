// Stops an agent from changing anything once it has cost too much. Reading and talking go on.
import { definePlugin, z } from "holdpoint/plugin";

const OVERRIDE_USD_MAX = 10_000;

const Budget = z.strictObject({
  spentUsd: z.number().nonnegative(),
  /** Allowed by people on top of the limit. */
  extraUsd: z.number().nonnegative(),
  /** Answers whose price nobody knows: they are counted, not guessed. */
  unpriced: z.int().nonnegative(),
});
const NOTHING = { spentUsd: 0, extraUsd: 0, unpriced: 0 };

const Sent = z.object({ usage: z.object({ costUsd: z.number().nullable().optional() }).optional() });

/** @param {number} usd */
const dollars = (usd) => `$${usd.toFixed(2)}`;

export default definePlugin({
  id: "budget-guard",
  name: "Budget guard",
  description: "Stops an agent from changing anything once it has cost too much.",
  configSchema: z.strictObject({ limitUsd: z.number().min(0).default(5) }),
  register(api) {
    const { limitUsd } = api.config;
    /** @param {z.infer<typeof Budget>} budget */
    const isUsedUp = ({ spentUsd, extraUsd }) => spentUsd >= limitUsd + extraUsd;
    /** @param {z.infer<typeof Budget>} budget */
    const statusOf = ({ spentUsd, extraUsd, unpriced }) =>
      `${dollars(spentUsd)} of ${dollars(limitUsd + extraUsd)}` + (unpriced > 0 ? `, ${unpriced} unpriced` : "");

    const budgets = api.session.state.registerSessionExtension({
      namespace: "budget",
      description: "What the session has cost, and what it may.",
      schema: Budget,
      initial: NOTHING,
      project: (budget) => ({ status: statusOf(budget), isUsedUp: isUsedUp(budget), isLeft: !isUsedUp(budget) }),
    });

    // a call is judged after what was spent before it is counted
    let counting = Promise.resolve();
    api.agent.events.subscribe(["message.sent"], ({ sessionKey, data }) => {
      const { usage } = Sent.parse(data);
      counting = counting.then(() => count(sessionKey, usage?.costUsd ?? null)).catch(() => undefined);
      return counting;
    });
    /** @param {string} sessionKey @param {number | null} costUsd */
    async function count(sessionKey, costUsd) {
      await budgets.update(sessionKey, (budget) =>
        costUsd === null
          ? { ...budget, unpriced: budget.unpriced + 1 }
          : { ...budget, spentUsd: budget.spentUsd + costUsd },
      );
    }

    api.on("before_tool_call", async ({ effect, sessionKey }) => {
      if (effect === "read") return undefined;
      await counting;
      const budget = await budgets.get(sessionKey);
      if (!isUsedUp(budget)) return undefined;
      return {
        block: `The budget is used up (${statusOf(budget)}). An operator may raise it: /budget override <dollars>`,
      };
    });

    api.commands.registerCommand({
      name: "budget",
      description: "What this session has cost, and what it may.",
      async handler({ args, actor, state, enqueueNextTurnInjection }) {
        const budget = Budget.parse(state.get("budget"));
        const [word = "status", amount = ""] = args.split(/\s+/).filter(Boolean);
        if (word === "reset") {
          state.set("budget", NOTHING);
          return { message: `Counting anew: ${statusOf(NOTHING)}.` };
        }
        if (word !== "override") return { message: `${statusOf(budget)}.` };
        const more = Number(amount);
        if (!(more > 0 && more <= OVERRIDE_USD_MAX))
          return { refusal: { code: "COMMAND_USAGE", message: "How many dollars more? /budget override 2.50" } };
        const raised = { ...budget, extraUsd: budget.extraUsd + more };
        state.set("budget", raised);
        enqueueNextTurnInjection({ text: `${actor.name} raised the budget: ${statusOf(raised)}. Go on.` });
        return { message: `Raised: ${statusOf(raised)}.`, continueAgent: isUsedUp(budget) && !isUsedUp(raised) };
      },
    });

    api.session.controls.registerControlUiDescriptor({
      id: "budget",
      surface: "session-header",
      label: "Budget",
      body: [
        { kind: "badge", text: { path: "budget.status" }, tone: "danger", when: { path: "budget.isUsedUp" } },
        { kind: "badge", text: { path: "budget.status" }, when: { path: "budget.isLeft" } },
      ],
    });
  },
});
