// Dangerous tools run only by a grant that an operator gave. This one is trusted: it holds the gate, with a machine of its
// own. The policy answers early and in words; the machine's guard has the last word, in the transaction of the claim.
import { definePlugin, z } from "holdpoint/plugin";

const SLICE = "policyGrants";
const TIMES_MAX = 100;
const TOOLS_MAX = 100;

/** @typedef {{ left: Record<string, number> }} Grants */
/** @typedef {z.infer<typeof Command>} Command */
/** @typedef {{ type: "grants.set" | "grants.spent", tool: string, left: number }} Event */

const name = z.string().regex(/^[A-Za-z0-9_.:-]{1,64}$/);
const Command = z.strictObject({ type: z.literal("set"), tool: name, left: z.int().min(0).max(TIMES_MAX) });
const State = z.strictObject({ left: z.record(name, z.int().min(0).max(TIMES_MAX)) });

/** @param {Grants} state @param {string} tool */
const leftFor = ({ left }, tool) => (Object.hasOwn(left, tool) ? (left[tool] ?? 0) : 0);

/** @param {{ tool: string, kind: import("holdpoint/plugin").GatedCall["kind"] }} call */
const refusal = ({ tool, kind }) => ({
  tool_name: tool,
  tool_kind: kind,
  hint: `An operator grants it with: /policy grant ${tool}`,
  entered_at: null,
  entered_reason: null,
  rule: "policy-grants/granted",
  matched: tool,
  message: `${tool} is guarded, and nobody has granted this call. Ask an operator, and wait.`,
});

/**
 * @param {ReadonlySet<string>} guarded
 * @returns {import("holdpoint/plugin").Slice<Grants, Command, Event, unknown>}
 */
const machine = (guarded) => ({
  name: SLICE,
  state: State,
  command: Command,
  settings: z.unknown(),
  initial: { left: {} },
  decide(state, { tool, left }, { actor }) {
    if (actor.kind !== "operator") return { refused: { code: "FORBIDDEN", message: "Only an operator grants." } };
    if (!Object.hasOwn(state.left, tool) && Object.keys(state.left).length >= TOOLS_MAX)
      return { refused: { code: "INVALID_REQUEST", message: `At most ${TOOLS_MAX} tools can be granted.` } };
    return { events: [{ type: "grants.set", tool, left }], reply: { left } };
  },
  evolve: (state, { tool, left }) => ({ left: { ...state.left, [tool]: left } }),
  effects: (_state, { type, tool, left }) => [{ kind: "audit", fact: { type, detail: { tool, left } } }],
  guard(state, call) {
    const isFree = call.effect === "read" || !guarded.has(call.tool) || leftFor(state, call.tool) > 0;
    return isFree ? { allowed: true } : { allowed: false, refusal: refusal(call) };
  },
  on: {
    claim(state, { tool }) {
      const left = leftFor(state, tool);
      return guarded.has(tool) && left > 0 ? [{ type: "grants.spent", tool, left: left - 1 }] : [];
    },
  },
});

/** @param {{ slices: Record<string, unknown> }} session @returns {Grants} */
const grantsIn = (session) => State.parse(session.slices[SLICE] ?? { left: {} });

/** How many calls somebody wants to allow: undefined where the words mean nothing. @param {string} word @param {string} times */
function callsMeant(word, times) {
  if (word === "revoke") return 0;
  const count = word === "grant" ? Number(times) : Number.NaN;
  return Number.isInteger(count) && count > 0 && count <= TIMES_MAX ? count : undefined;
}

export default definePlugin({
  id: "policy-grants",
  name: "Policy grants",
  description: "Dangerous tools run only by a grant that an operator gave for so many calls.",
  configSchema: z.strictObject({ guarded: z.array(z.string()).default(["exec"]) }),
  register(api) {
    const guarded = new Set(api.config.guarded);
    api.session.registerSlice(machine(guarded));

    api.tools.registerTrustedToolPolicy({
      id: "granted",
      description: "A guarded tool runs only by a grant.",
      evaluate({ call, session }) {
        if (call.effect === "read" || !guarded.has(call.tool)) return { verdict: "allow" };
        return leftFor(grantsIn(session), call.tool) > 0
          ? { verdict: "allow" }
          : { verdict: "block", refusal: refusal(call) };
      },
    });

    api.commands.registerCommand({
      name: "policy",
      description: "Which guarded tools the agent may call, and how often.",
      async handler({ args, session, apply }) {
        const [word = "explain", tool = "", times = "1"] = args.split(/\s+/).filter(Boolean);
        const { left } = grantsIn(session);
        if (word === "explain") {
          const lines = [...guarded].map((one) => `${one}: ${Object.hasOwn(left, one) ? left[one] : 0} calls granted`);
          return { message: lines.join("\n") || "No tool is guarded." };
        }
        const count = callsMeant(word, times);
        if (count === undefined || !guarded.has(tool)) {
          const message = `Guarded: ${[...guarded].join(", ")}. /policy grant exec 2, /policy revoke exec`;
          return { refusal: { code: "COMMAND_USAGE", message } };
        }
        const outcome = await apply({ type: "set", tool, left: count });
        if (!outcome.ok) return { refusal: outcome.refusal };
        return { message: count === 0 ? `${tool} is no longer granted.` : `${tool}: ${count} calls granted.` };
      },
    });
  },
});
