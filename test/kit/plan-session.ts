/** One session with plan mode in it, driven by the real core: every command goes through `step()`, nothing is faked. */
import { type Step, step } from "../../src/core/step.ts";
import { planModePlugin } from "../../src/plan-mode/plugin.ts";
import { loadPlugins } from "../../src/plugins/host.ts";
import type { Plugin } from "../../src/plugins/sdk.ts";
import type { Actor } from "../../src/protocol/actor.ts";
import { MessageId, OperatorId, SessionId, TurnId } from "../../src/protocol/ids.ts";
import { JsonObject } from "../../src/protocol/json.ts";
import type { PlanModeCommand } from "../../src/plan-mode/protocol/command.ts";
import { PlanModeSettings } from "../../src/plan-mode/protocol/settings.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { PlanBody } from "../../src/plan-mode/protocol/plan.ts";
import type { Refused } from "../../src/protocol/refusal.ts";
import type { Session, SessionCommand, SessionKind } from "../../src/protocol/session.ts";

const SESSION = SessionId.parse("ses_one");
export const START_MS = 1_700_000_000_000;

export const alice: Actor = {
  kind: "operator",
  id: OperatorId.parse("opr_alice"),
  name: "Alice",
  scopes: ["operator.read", "operator.approvals"],
  surface: "cli",
};
export const reader: Actor = {
  ...alice,
  id: OperatorId.parse("opr_bob"),
  name: "Bob",
  scopes: ["operator.read", "operator.write"],
};
export const admin: Actor = { ...alice, id: OperatorId.parse("opr_root"), name: "Root", scopes: ["operator.admin"] };
export const agent: Actor = { kind: "agent", sessionId: SESSION };
export const otherAgent: Actor = { kind: "agent", sessionId: SessionId.parse("ses_two") };
export const system: Actor = { kind: "system", reason: "timer" };

export const body: PlanBody = {
  title: "Rename the parser",
  plan: [
    { step: "Rename the file", status: "pending", acceptanceCriteria: ["imports resolve", "tests pass"] },
    { step: "Tell the team", status: "pending" },
  ],
};
export const otherBody: PlanBody = { title: "Rename it twice", plan: [{ step: "Rename again", status: "pending" }] };

export type PlanSession = ReturnType<typeof planSession>;

type Options = {
  settings?: Partial<PlanModeSettings>;
  kind?: SessionKind;
  role?: string;
  /** Besides plan mode. */
  plugins?: readonly Plugin[];
  subagents?: { max: number };
};

const creation = ({ kind, role }: Options): SessionCommand => ({
  type: "session.create",
  sessionId: SESSION,
  agentId: "main",
  kind: kind ?? "chat",
  ...(role === undefined ? {} : { role }),
  surface: "cli",
  workspace: "/w",
  title: "",
});

export function planSession(options: Options = {}) {
  const host = loadPlugins([planModePlugin, ...(options.plugins ?? [])]);
  let settings = PlanModeSettings.parse({ enabled: true, ...options.settings });
  let session: Session | undefined;
  const revoked = new Set<string>();
  let [nowMs, drawn] = [START_MS, 0];

  function run(command: SessionCommand, actor: Actor): Step | Refused {
    drawn += 1;
    const fresh = ["a", "b", "c", "d"].map((slot) => `${slot}${drawn}`);
    const result = step(session, command, {
      context: { nowMs, actor, fresh, settings: { planMode: settings, subagents: options.subagents ?? {} }, revoked },
      slices: host.slices,
    });
    if (!("refused" in result)) session = result.session;
    return result;
  }

  const current = (): Session => {
    if (session === undefined) throw new Error("the session is gone");
    return session;
  };
  const state = (): PlanModeState => PlanModeState.parse(current().slices["planMode"]);

  const created = run(creation(options), alice);

  const apply = (command: PlanModeCommand, actor: Actor): Step | Refused =>
    run(
      { type: "slice.apply", slice: "planMode", command: JsonObject.parse(JSON.parse(JSON.stringify(command))) },
      actor,
    );

  return {
    host,
    revoked,
    created,
    run,
    apply,
    /** The same, where a refusal would be a mistake of the test. */
    must(command: PlanModeCommand, actor: Actor): Step {
      const result = apply(command, actor);
      if ("refused" in result) throw new Error(`${command.type}: ${result.refused.code} ${result.refused.message}`);
      return result;
    },
    /** The code of a refusal, or the events of the slice. */
    outcome(command: PlanModeCommand, actor: Actor): string {
      const result = apply(command, actor);
      return "refused" in result ? result.refused.code : sliceEvents(result).join(" ");
    },
    session: current,
    state,
    now: () => nowMs,
    advance: (ms: number) => void (nowMs += ms),
    configure: (changed: Partial<PlanModeSettings>) => void (settings = { ...settings, ...changed }),
    settings: () => settings,
    /** A turn of the agent begins, with what is queued. */
    startTurn(): string {
      const { turn } = current();
      const turnId = turn.status === "requested" ? turn.turnId : TurnId.parse("trn_none");
      const result = run({ type: "turn.start", turnId, node: "n1", leaseUntilMs: nowMs + 60_000, sole: true }, system);
      if ("refused" in result) throw new Error(result.refused.message);
      const input = result.events.find((event) => event.type === "entry.appended");
      return input?.type === "entry.appended" && input.entry.kind === "input" ? input.entry.text : "";
    },
    /** A person writes, and the turn that takes it up begins. */
    attend() {
      const messageId = MessageId.parse(`msg_${drawn}`);
      run({ type: "message.send", messageId, text: "go on" }, alice);
      this.startTurn();
      return this;
    },
    finishTurn() {
      const { turn, epoch } = current();
      if (turn.status !== "running") throw new Error("no turn runs");
      run({ type: "turn.finish", turnId: turn.turnId, epoch, outcome: "done", message: "" }, system);
      return this;
    },
  };
}

export const sliceEvents = ({ events }: Step): string[] =>
  events.flatMap((event) => (event.type === "slice.changed" ? [event.event.type] : []));

export const notices = ({ events }: Step): string[] =>
  events.flatMap((event) =>
    event.type === "entry.appended" && event.entry.kind === "notice" ? [event.entry.text] : [],
  );

/** Brings a session into a phase by the shortest legal way. */
export const DIGEST = "d".repeat(64);

export function submitted(session: PlanSession, given: PlanBody = body): Step {
  return session.must({ type: "submit", body: given, digest: DIGEST }, agent);
}

export function pendingApprovalId(session: PlanSession) {
  const { now } = session.state();
  if (now.phase === "off" || now.phase === "exploring") throw new Error("nothing was submitted");
  return now.submission.approvalId;
}

export function inPhase(
  phase: PlanModeState["now"]["phase"],
  options?: Parameters<typeof planSession>[0],
): PlanSession {
  const session = planSession(options);
  if (phase === "off") return session;
  session.must({ type: "enter", reason: "explore" }, agent);
  if (phase === "exploring") return session;
  submitted(session);
  const approvalId = pendingApprovalId(session);
  switch (phase) {
    case "pending":
      return session;
    case "rejected":
      session.must({ type: "decide", approval: { action: "reject", approvalId, feedback: "smaller" } }, alice);
      return session;
    case "timed_out":
      session.must({ type: "expire", approvalId }, system);
      return session;
    case "executing":
      session.must({ type: "decide", approval: { action: "approve", approvalId } }, alice);
      return session;
  }
}
