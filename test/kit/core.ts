/** A small world for tests of the core: predictable time and chance, and a slice with a gate of its own. */
import { z } from "zod";
import { anySlice, type AnySlice, type Context, type Slice } from "../../src/core/slice.ts";
import { step, type Step } from "../../src/core/step.ts";
import type { Actor } from "../../src/protocol/actor.ts";
import type { GateRefusal } from "../../src/protocol/gate.ts";
import { CycleId, MessageId, OperatorId, SessionId, TurnId } from "../../src/protocol/ids.ts";
import { refuse, type Refusal } from "../../src/protocol/refusal.ts";
import type { CommandOf, Session, SessionCommand } from "../../src/protocol/session.ts";

/** What a gate says when it refuses, with nothing particular in it. */
export const refusal: GateRefusal = {
  tool_name: "write",
  tool_kind: "file_edit",
  hint: "",
  entered_at: null,
  entered_reason: null,
  rule: "no",
  matched: "",
  message: "No.",
};

export const sessionId = SessionId.parse("ses_1");
const cycleId = CycleId.parse("cyc_1");
export const messageId = (n: number) => MessageId.parse(`msg_${n}`);
export const turnId = (fresh: string) => TurnId.parse(`trn_${fresh}`);

export const alice: Extract<Actor, { kind: "operator" }> = {
  kind: "operator",
  id: OperatorId.parse("opr_alice"),
  name: "Alice",
  scopes: ["operator.read", "operator.write", "operator.approvals"],
  surface: "cli",
};
export const agent: Actor = { kind: "agent", sessionId };

/** A gate that a test can open and close, and effects that a test can order by name. */
const Switch = z.strictObject({ open: z.boolean() });
const SwitchCommand = z.discriminatedUnion("do", [
  z.strictObject({ do: z.enum(["open", "close", "arm", "disarm", "ring", "tell", "finish"]) }),
  z.strictObject({ do: z.literal("refuse"), why: z.string() }),
]);
type SwitchEvent = { type: string };

export const gateSlice: Slice<z.infer<typeof Switch>, z.infer<typeof SwitchCommand>, SwitchEvent, unknown> = {
  name: "gate",
  state: Switch,
  command: SwitchCommand,
  settings: z.unknown(),
  initial: { open: false },
  on: { create: () => [{ type: "gate.installed" }] },
  decide: (_state, command) =>
    command.do === "refuse"
      ? refuse("INVALID_REQUEST", command.why)
      : { events: [{ type: `gate.${command.do}` }], reply: { did: command.do } },
  evolve: (state, event) =>
    event.type === "gate.open" ? { open: true } : event.type === "gate.close" ? { open: false } : state,
  effects: (_state, event, context) => {
    switch (event.type) {
      case "gate.arm":
        return [{ kind: "set-timer", key: "bell", atMs: context.nowMs + 60_000, command: { do: "ring" } }];
      case "gate.disarm":
        return [{ kind: "clear-timer", key: "bell" }];
      case "gate.tell":
        return [
          {
            kind: "inject",
            injection: { id: "told", kind: "plan_decision", text: "The gate has spoken.", priority: 10, cycleId },
          },
          { kind: "request-turn", cause: "gate" },
          { kind: "notify", text: "told" },
          { kind: "audit", fact: { type: "gate.told", detail: {} } },
        ];
      case "gate.close":
        return [{ kind: "cancel-injections", cycleId }];
      case "gate.finish":
        return [{ kind: "end-turn" }];
      default:
        return [];
    }
  },
  guard: (state, call) =>
    state.open
      ? { allowed: true, under: { by: "test" } }
      : {
          allowed: false,
          refusal: {
            tool_name: call.tool,
            tool_kind: call.kind,
            hint: "open the gate",
            entered_at: null,
            entered_reason: null,
            rule: "gate-closed",
            matched: call.tool,
            message: "The gate is closed.",
          },
        },
};

/** The same gate, which while it is open stands for an approved plan with work left. */
export const planSlice: typeof gateSlice = {
  ...gateSlice,
  describe: { continuation: ({ open }) => (open ? "work" : undefined) },
};

export type CoreWorld = {
  session: Session | undefined;
  nowMs: number;
  /** Carries the command out and keeps the new state; a refusal changes nothing and is returned. */
  run(command: SessionCommand, actor?: Actor): Step | { refused: Refusal };
  /** As `run`, for a command that the test expects to be accepted. */
  must(command: SessionCommand, actor?: Actor): Step;
};

export function coreWorld(
  slices: readonly AnySlice[] = [anySlice(gateSlice)],
  settings: Record<string, unknown> = {},
): CoreWorld {
  const registry = new Map(slices.map((slice) => [slice.name, slice]));
  let count = 0;
  const context = (actor: Actor, nowMs: number): Context => {
    count += 1;
    return { nowMs, actor, fresh: "a b c d e f g h".split(" ").map((sign) => `${count}${sign}`), settings };
  };
  const world: CoreWorld = {
    session: undefined,
    nowMs: 1_000,
    run(command, actor = alice) {
      const done = step(world.session, command, { context: context(actor, world.nowMs), slices: registry });
      if (!("refused" in done)) world.session = done.session;
      return done;
    },
    must(command, actor = alice) {
      const done = world.run(command, actor);
      if ("refused" in done)
        throw new Error(`${command.type} was refused: ${done.refused.code} ${done.refused.message}`);
      return done;
    },
  };
  return world;
}

export const creation: Omit<CommandOf<"session.create">, "type"> = {
  sessionId,
  agentId: "main",
  kind: "chat",
  surface: "cli",
  workspace: "/project",
  title: "",
};
export const create: SessionCommand = { type: "session.create", ...creation };

/** A world whose session has a running turn, with the turn's id and epoch to name in commands. */
export function runningTurn(world: CoreWorld = coreWorld()) {
  world.must(create);
  world.must({ type: "message.send", messageId: messageId(1), text: "please" });
  const turn = world.session?.turn;
  if (turn?.status !== "requested") throw new Error("no turn was requested");
  world.must({ type: "turn.start", turnId: turn.turnId, node: "n1", leaseUntilMs: 31_000, sole: false });
  return { world, on: { turnId: turn.turnId, epoch: world.session?.epoch ?? 0 } };
}
