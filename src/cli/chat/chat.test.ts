import { describe, expect, it } from "vitest";
import { planCards } from "../../plan-mode/cards/plan-cards.ts";
import { evolve, INITIAL } from "../../plan-mode/machine/evolve.ts";
import { JsonObject } from "../../protocol/json.ts";
import { ApprovalId, CycleId, PlanId, QuestionId, SessionId, TurnId } from "../../protocol/ids.ts";
import { PlanModeEvent } from "../../plan-mode/protocol/event.ts";
import { PlanModeSettings } from "../../plan-mode/protocol/settings.ts";
import type { PlanModeState } from "../../plan-mode/protocol/state.ts";
import { CliError } from "../cli-error.ts";
import { NO_PAINT } from "../text/paint.ts";
import { createChat } from "./chat.ts";
import type { Link, LinkEvent, LinkState } from "./link.ts";

const sessionId = SessionId.parse("ses_1");
const cycle = {
  id: CycleId.parse("cyc_1"),
  enteredAtMs: 0,
  enteredBy: { kind: "operator" as const, id: "opr_me", name: "local" },
  reason: "operator",
  rejectionCount: 0,
  revisionCount: 1,
};
const submission = {
  planId: PlanId.parse("pln_1"),
  approvalId: ApprovalId.parse("apr_plan"),
  revision: 1,
  digest: "d1",
  title: "Tidy up",
  steps: [{ step: "Tidy", status: "pending" as const }],
  submittedAtMs: 0,
  deadlineAtMs: 60_000,
};
const pending: PlanModeState = {
  ...INITIAL,
  now: { phase: "pending", mode: "plan", approval: "pending", cycle, steps: submission.steps, submission },
};
const question = {
  questionId: QuestionId.parse("qst_1"),
  approvalId: ApprovalId.parse("apr_question"),
  question: "Where?",
  options: [
    { id: "a", label: "Here" },
    { id: "b", label: "There" },
  ],
  allowFreetext: false,
  askedAtMs: 0,
  deadlineAtMs: 60_000,
};
const asking: PlanModeState = {
  ...INITIAL,
  now: { phase: "exploring", mode: "plan", approval: "none", cycle, steps: [] },
  question,
};

const PLAN = {
  name: "plan",
  description: "",
  usage: ["/plan accept [edits] — approve"],
  allowed: true,
  subcommands: [{ name: "accept", allowed: true }],
};

const cardsIn = (plan: PlanModeState) =>
  planCards(plan, {
    settings: PlanModeSettings.parse({ enabled: true }),
    session: {
      id: sessionId,
      agentId: "main",
      kind: "chat",
      workspace: "/workspace",
      surface: "cli",
      turn: { status: "idle" },
      turnCount: 0,
      timers: [],
      injections: [],
      slices: {},
    },
  });

/** A gateway that answers what the chat asks, and remembers what it was asked to change. */
function setting(plan: PlanModeState) {
  const changes: JsonObject[] = [];
  const printed: string[] = [];
  let now = plan;
  let prompt = "";
  let restored = "";
  let live: readonly string[] = [];
  let hear: (event: LinkEvent) => void = () => {};
  let tell: (state: LinkState) => void = () => {};
  const answers: Record<string, unknown> = {
    "commands.list": { commands: [PLAN] },
    "sessions.get": {
      session: {
        id: sessionId,
        title: "t",
        slices: { planMode: plan },
        cards: cardsIn(plan),
        turn: { status: "idle" },
      },
    },
    "chat.history": { items: [], more: false },
    "plans.get": { plan: { body: { title: "Tidy up", plan: submission.steps } } },
    "chat.send": { kind: "message", messageId: "msg_1", queued: false },
    "sessions.patch": { reply: null, session: null },
    "chat.abort": {},
    health: {},
  };
  const link: Link = {
    operator: () => ({ id: "opr_me", name: "local", scopes: ["operator.admin"] }),
    async call(method, params) {
      if (["chat.send", "sessions.patch", "chat.abort"].includes(method))
        changes.push({ method, ...(params as JsonObject) });
      if (!(method in answers)) throw new CliError({ exit: "failed", message: `no answer for ${method}` });
      return answers[method] as never;
    },
    follow: async () => {},
    onEvent: (listener) => {
      hear = listener;
      return () => {};
    },
    onState: (listener) => {
      tell = listener;
      return () => {};
    },
    close: () => {},
  };
  const view = {
    print: (lines: readonly string[]) => void printed.push(...lines),
    live: (lines: readonly string[]) => void (live = lines),
    prompt: (text: string) => void (prompt = text),
    restore: (text: string) => void (restored = text),
  };
  const look = () => ({ columns: 79, paint: NO_PAINT });
  const chat = createChat({ link, sessionId, view, look, nowMs: () => 0, frozenLines: false });
  return {
    chat,
    answers,
    changes,
    printed,
    live: () => live,
    prompt: () => prompt,
    restored: () => restored,
    /** A fact, and behind one of plan mode the cards that it leads to, as the gateway sends them. */
    hear(event: string, payload: JsonObject): void {
      hear({ event, payload: { sessionId, atMs: 0, ...payload } });
      const fact = PlanModeEvent.safeParse({ type: event, atMs: 0, ...payload });
      if (!fact.success) return;
      now = evolve(now, fact.data);
      hear({ event: "session.cards", payload: JsonObject.parse({ sessionId, cards: cardsIn(now), closed: [] }) });
    },
    tell: (state: LinkState) => tell(state),
  };
}

async function opened(plan: PlanModeState) {
  const scene = setting(plan);
  await scene.chat.open();
  return scene;
}

describe("deciding in the terminal", () => {
  it("shows what somebody else writes in the same session, and what was typed here only once", async () => {
    const { chat, printed, hear } = await opened(INITIAL);
    printed.length = 0;
    await chat.submit("mine");
    hear("message.queued", { message: { id: "msg_1", text: "mine", from: "local", atMs: 0 } });
    hear("message.queued", { message: { id: "msg_2", text: "from elsewhere", from: "alice", atMs: 0 } });
    expect(printed).toEqual(["", "alice › from elsewhere"]);
  });

  it("[PL-10] a typed yes is a message to the agent and approves nothing", async () => {
    const scene = await opened(pending);
    for (const text of ["yes", "ok", "approve", "1"]) await scene.chat.submit(text);
    expect(scene.changes).toEqual(
      ["yes", "ok", "approve", "1"].map((text) => ({ method: "chat.send", sessionId, text })),
    );
    expect(scene.printed.at(-1)).toBe("– Sent to the agent. The plan still waits: only /plan accept approves it.");
  });

  it("[PL-10, I06] binds a decision to the card that was shown: its id, its digest, and that it was drawn whole", async () => {
    const scene = await opened(pending);
    await scene.chat.submit("/plan accept");
    await scene.chat.submit("/plan accept edits");
    await scene.chat.submit("/plan revise Name the license");
    const approvalId = submission.approvalId;
    expect(scene.changes.map((change) => change["planApproval"])).toEqual([
      { action: "approve", approvalId, digest: "d1", offered: "whole" },
      { action: "edit", approvalId, digest: "d1", offered: "whole" },
      { action: "reject", approvalId, feedback: "Name the license" },
    ]);
  });

  it("[CH-02] leaves everything that is not exactly a decision to the gateway's parser", async () => {
    const scene = await opened(pending);
    for (const text of ["/plan accept now", "/plan revise", "/plan status", "/nonsense"]) await scene.chat.submit(text);
    expect(scene.changes.map(({ method, text }) => [method, text])).toEqual([
      ["chat.send", "/plan accept now"],
      ["chat.send", "/plan revise"],
      ["chat.send", "/plan status"],
      ["chat.send", "/nonsense"],
    ]);
  });

  it("[QU-02] sends a number as the answer to the question that is shown, and refuses what is none of its options", async () => {
    const scene = await opened(asking);
    await scene.chat.submit("2");
    await scene.chat.submit("somewhere else");
    await scene.chat.submit("/say I am thinking");
    expect(scene.changes).toEqual([
      {
        method: "sessions.patch",
        sessionId,
        planApproval: { action: "answer", approvalId: "apr_question", questionId: "qst_1", answer: "2" },
      },
      { method: "chat.send", sessionId, text: "I am thinking" },
    ]);
    expect(scene.printed.join("\n")).toContain("begin with /say");
  });

  it("[PL-12] shows what waits when a session is opened again", async () => {
    const plan = await opened(pending);
    expect(plan.printed.join("\n")).toContain("Plan ─");
    expect(plan.prompt()).toBe("plan ⏸ waiting for you › ");
    expect(plan.chat.waits()).toBe(true);
    const ask = await opened(asking);
    expect(ask.printed.join("\n")).toContain("1. Here");
  });

  it("[PL-10] says at once when somebody else decided", async () => {
    const scene = await opened(pending);
    const by = { kind: "operator", id: "opr_ana", name: "Ana\u001b[2J" };
    scene.hear("plan.approved", { approvalId: submission.approvalId, unlock: "approved", by });
    expect(scene.printed.slice(-2)).toEqual([
      "✓ Ana␛ approved the plan. The agent may make its changes now.",
      "  ○ 1/1 Tidy",
    ]);
    expect(scene.prompt()).toBe("executing 0/1 › ");
    expect(scene.chat.waits()).toBe(false);
  });

  it("[GA-02, UI-03] shows the permission mode where it holds, and who set it; plan mode comes first", async () => {
    const scene = await opened(INITIAL);
    expect(scene.prompt()).toBe("› ");
    scene.hear("permission.set", { mode: "ask", by: { kind: "operator", id: "opr_ana", name: "Ana" } });
    expect(scene.printed.join(" ")).toContain("Ana set permissions to ask");
    expect(scene.prompt()).toBe("ask › ");
    expect((await opened({ ...asking, question: null, permission: "bypass" })).prompt()).toBe("plan › ");
    expect((await opened({ ...INITIAL, permission: "ask", question })).prompt()).toBe("⏸ waiting for you › ");
  });

  it("[PL-08] shows an expired plan without being asked", async () => {
    const scene = await opened(pending);
    scene.hear("plan.timed_out", { approvalId: submission.approvalId });
    expect(scene.printed.at(-2)).toContain("The plan expired");
    expect(scene.prompt()).toBe("plan › ");
  });

  it("[UI-04] offline, it says that the approval stays pending, keeps what was typed, and returns by itself", async () => {
    const scene = await opened(pending);
    scene.tell({ connected: false, ended: false });
    expect(scene.printed.at(-2)).toBe("✗ The gateway is out of reach. The approval stays pending. Trying again by");
    expect(scene.prompt()).toBe("offline › ");
    await scene.chat.submit("/plan accept");
    expect([scene.changes, scene.restored()]).toEqual([[], "/plan accept"]);
    scene.tell({ connected: true });
    await scene.chat.settled();
    expect(scene.printed).toContain("✓ Connected again.");
    expect(scene.printed.at(-1)).toBe("⏸ The plan above still waits for you.");
  });
});

describe("the conversation", () => {
  const turnId = TurnId.parse("trn_1");

  it("prints streamed words once, line by line, and the rest when the answer is whole", async () => {
    const scene = await opened(INITIAL);
    scene.printed.length = 0;
    const text = "First line.\nSecond line, which is said in three pieces.";
    for (const piece of ["First li", "ne.\nSecond line, ", "which is said"])
      scene.hear("turn.delta", { turnId, text: piece });
    expect(scene.printed).toEqual(["", "● First line."]);
    scene.hear("entry.appended", { n: 1, entry: { kind: "assistant", turnId, text, calls: [] } });
    expect(scene.printed).toEqual(["", "● First line.", "  Second line, which is said in three pieces."]);
  });

  it("prints the whole answer when pieces were lost", async () => {
    const scene = await opened(INITIAL);
    scene.printed.length = 0;
    scene.hear("turn.delta", { turnId, text: "lost" });
    scene.hear("entry.appended", { n: 1, entry: { kind: "assistant", turnId, text: "Whole.", calls: [] } });
    expect(scene.printed).toEqual(["", "● Whole."]);
  });

  it("tells of a model that fails once, as the gateway's words and not the agent's, and then only while it waits", async () => {
    const scene = await opened(INITIAL);
    scene.printed.length = 0;
    const failing = (seconds: number) => `The model cannot be reached.\n[asking again in ${seconds} s]`;
    const said = [{ key: "askingAgainIn", params: { seconds: 1 } }];
    scene.hear("turn.requested", { turnId, cause: "message" });
    scene.hear("turn.delta", { turnId, text: `\n${failing(1)}\n`, said });
    scene.hear("entry.appended", { n: 1, entry: { kind: "notice", text: failing(1) } });
    for (const seconds of [2, 4]) scene.hear("turn.delta", { turnId, text: `\n${failing(seconds)}\n`, said });
    expect(scene.printed).toEqual(["– The model cannot be reached.", "  [asking again in 1 s]"]);
    expect(scene.live()).toEqual(["✗ The model cannot be reached.", "  [asking again in 4 s]"]);
    scene.hear("turn.delta", { turnId, text: "Here I am" });
    expect(scene.live()).toEqual(["", "● Here I am"]);
  });

  it("does not say twice that plan mode was switched", async () => {
    const scene = await opened(INITIAL);
    scene.printed.length = 0;
    const sent = { kind: "command", message: "Plan mode is off." };
    Object.defineProperty(scene.answers, "chat.send", {
      configurable: true,
      get() {
        scene.hear("plan.left", { by: { kind: "operator", id: "opr_me", name: "local" } });
        return sent;
      },
    });
    await scene.chat.submit("/plan off");
    expect(scene.printed.filter((line) => /plan mode/i.test(line))).toHaveLength(1);
    Object.defineProperty(scene.answers, "chat.send", { get: () => sent });
    await scene.chat.submit("/plan off"); // nothing changed, so nothing else says it
    expect(scene.printed.at(-1)).toBe("Plan mode is off.");
  });

  it("ignores what belongs to other sessions and what tools print", async () => {
    const scene = await opened(INITIAL);
    scene.printed.length = 0;
    scene.hear("turn.delta", { turnId, callId: "c", text: "tool output\n" });
    scene.hear("turn.delta", { sessionId: "ses_2", turnId, text: "not ours\n" });
    expect(scene.printed).toEqual([]);
  });

  it("goes on when a newer gateway sends a card that it cannot read", async () => {
    const scene = await opened(INITIAL);
    scene.printed.length = 0;
    scene.hear("session.cards", { cards: [{ kind: "hologram" }], closed: [] });
    scene.hear("entry.appended", { n: 1, entry: { kind: "assistant", turnId, text: "Whole.", calls: [] } });
    expect(scene.printed).toEqual(["", "● Whole."]);
  });

  it("completes slash commands and nothing else", async () => {
    const scene = await opened(INITIAL);
    expect(await scene.chat.complete("/pl")).toEqual(["/plan", "/plan accept"]);
    expect(await scene.chat.complete("hello")).toEqual([]);
    expect(await scene.chat.submit("/quit")).toBe(false);
  });

  it("[PG-05] completes the commands that are there now, with their subcommands, as far as this person may say them", async () => {
    const scene = await opened(INITIAL);
    const sub = (name: string, allowed: boolean) => ({ name, allowed });
    scene.answers["commands.list"] = {
      commands: [
        PLAN,
        {
          ...PLAN,
          name: "deploy",
          usage: ["/deploy approve \u001b[2J<target> — say yes", "/deploy pause — wait", "/rm -rf — not its own"],
          subcommands: [sub("approve", true), sub("pause", false)],
        },
        { ...PLAN, name: "denied", allowed: false },
      ],
    };
    expect(await scene.chat.complete("/de")).toEqual(["/deploy", "/deploy approve"]);
    delete scene.answers["commands.list"]; // out of reach: what was known stays
    expect(await scene.chat.complete("/de")).toEqual(["/deploy", "/deploy approve"]);
  });

  it("[PG-05] asks the gateway how one command is used, and lists each of them once", async () => {
    const scene = await opened(INITIAL);
    scene.answers["chat.send"] = { kind: "command", message: "Deployments.\n/deploy approve — say yes" };
    scene.printed.length = 0;
    await scene.chat.submit("/help deploy");
    expect(scene.changes).toEqual([{ method: "chat.send", sessionId, text: "/help deploy" }]);
    expect(scene.printed).toEqual(["", "Deployments.", "/deploy approve — say yes"]);
  });
});
