/** What each gate says when it holds a call, whole: the agent acts on these words (GA-07), and people read them in logs. */
import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { agent, alice, inPhase, pendingApprovalId, type PlanSession } from "../../../test/kit/plan-session.ts";
import type { GateRefusal, ToolEffect } from "../../protocol/gate.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { ApprovalRules } from "../protocol/approvals.ts";
import type { PlanModeSettings } from "../protocol/settings.ts";
import type { HeldCall } from "../protocol/state.ts";
import {
  digestOf,
  type PermissionQuestion,
  type PolicyQuestion,
  type PolicyVerdict,
  type TrustedToolPolicy,
} from "../../plugins/sdk.ts";
import { planRefusal } from "../machine/gate.ts";
import { acceptEditsPolicy, declaredDestructivePolicy, ownFoldersPolicy } from "./accept-edits-gate.ts";
import { askOrder, shownCall } from "./asking.ts";
import { destructivePolicy } from "./destructive-gate.ts";
import { permissionPrompt } from "./permission-gate.ts";
import { planGatePolicy } from "./plan-gate.ts";

type Call = { tool: string; args: JsonObject; effect?: ToolEffect };
type Block = Extract<PolicyVerdict, { verdict: "block" }>;

const allow = { verdict: "allow" };
const exec = (command: string, more: JsonObject = {}): Call => ({ tool: "exec", args: { command, ...more } });

function question(session: PlanSession, { tool, args, effect = "write" }: Call): PermissionQuestion {
  const kind = tool === "exec" ? "bash" : "file_edit";
  return {
    call: { tool, kind, effect, argsDigest: digestOf(args), callId: "c1", args },
    session: session.session(),
    settings: { planMode: session.settings() },
    allowed: {},
  };
}

function blocked(gate: { evaluate: TrustedToolPolicy["evaluate"] }, about: PolicyQuestion): Block {
  const verdict = gate.evaluate(about);
  if (verdict instanceof Promise || verdict.verdict !== "block") throw new Error("allowed");
  return verdict;
}

const PERMISSION = { evaluate: (about: PolicyQuestion) => permissionPrompt.evaluate({ ...about, allowed: {} }) };

function editing(settings: Partial<PlanModeSettings> = {}): PlanSession {
  const session = inPhase("pending", { settings });
  session.must({ type: "decide", approval: { action: "edit", approvalId: pendingApprovalId(session) } }, alice);
  return session;
}

const sentence = ({ tool_name, rule, matched, hint }: GateRefusal, why: string): string =>
  `${tool_name} was not run: ${why} (${rule}: ${matched}). ${hint}`;

it("[GA-02] each gate has a name that logs and settings refer to, and says what it does", () => {
  const gates = [
    planGatePolicy,
    acceptEditsPolicy,
    ownFoldersPolicy([]),
    declaredDestructivePolicy(() => false),
    destructivePolicy,
    permissionPrompt,
  ];
  expect(gates.map(({ id, description }) => [id, description])).toEqual([
    [
      "plan-mode/gate",
      "In plan mode and in a held session only reading tools run, until a person approves the plan or lifts the hold.",
    ],
    [
      "plan-mode/accept-edits",
      "While a plan accepted with edits is carried out: nothing destructive, nothing of the gateway's own.",
    ],
    ["plan-mode/own-folders", "While a plan accepted with edits is carried out: nothing in the gateway's own folders."],
    [
      "plan-mode/declared-destructive",
      "While a plan accepted with edits is carried out: no tool that declares itself destructive.",
    ],
    [
      "plan-mode/auto-destructive",
      "Where it is switched on: a destructive call outside a plan puts the session into plan mode.",
    ],
    [
      "plan-mode/permission",
      "By the session's permission mode, a mutating call waits for a person's yes to exactly this call.",
    ],
  ]);
});

describe("the plan gate", () => {
  const planning = (session: PlanSession) => {
    const { now } = session.state();
    if (now.mode !== "plan") throw new Error("not in plan mode");
    return now;
  };

  it("[GA-01, GA-07] refuses another tool than exec with the plain refusal of the mode", () => {
    const session = inPhase("exploring");
    const about = question(session, { tool: "write", args: { path: "a", content: "" } });
    expect(planGatePolicy.evaluate(about)).toEqual({
      verdict: "block",
      refusal: planRefusal(planning(session), about.call),
    });
  });

  it("[GA-05] refuses a command that counts as writing although its text reads, and does not call it unproven", () => {
    const session = inPhase("exploring");
    const about = question(session, exec("ls"));
    expect(planGatePolicy.evaluate(about)).toEqual({
      verdict: "block",
      refusal: planRefusal(planning(session), about.call),
    });
  });

  it("[GA-07] says why a command is not proven, and what to do", () => {
    const session = inPhase("exploring");
    const about = question(session, exec("rm x"));
    const verdict = blocked(planGatePolicy, about);
    const plain = planRefusal(planning(session), about.call);
    const hint = `This changes something; put it into the plan and ask for approval. ${plain.hint}`;
    expect(verdict).toEqual({
      verdict: "block",
      refusal: {
        ...plain,
        rule: "known-write",
        matched: "rm",
        hint,
        message: `exec was not run: in plan mode a command must be proven read-only, and this one is not (known-write: rm). ${hint}`,
      },
    });
    expect(verdict).not.toHaveProperty("also");
  });

  it("[GA-10] shows a person the command alone where the call says nothing else", () => {
    const session = inPhase("exploring", { settings: { unknownCommands: "ask" } });
    const verdict = blocked(planGatePolicy, question(session, exec("frobnicate 'a'")));
    expect(verdict.also?.command).toMatchObject({ shown: "frobnicate a" });
    expect(Object.keys(verdict)).toEqual(["verdict", "refusal", "also"]);
  });

  it("[GA-10] does not say that a person was asked where a plan waits already", () => {
    const session = inPhase("pending", { settings: { unknownCommands: "ask" } });
    const verdict = blocked(planGatePolicy, question(session, exec("frobnicate")));
    expect(verdict).not.toHaveProperty("also");
    expect(verdict.refusal.hint).not.toContain("has been asked");
  });

  it("[GA-09] reads a stored state whole once, and outside plan mode never", () => {
    const watched = (session: PlanSession) => {
      const about = question(session, exec("rm x"));
      let looks = 0;
      const stored = new Proxy(about.session.slices["planMode"] as object, {
        get: (state, name) => (name === "question" && (looks += 1), Reflect.get(state, name)),
      });
      const slices = { ...about.session.slices, planMode: stored as JsonObject };
      return { about: { ...about, session: { ...about.session, slices } }, looks: () => looks };
    };
    const plan = watched(inPhase("exploring"));
    blocked(planGatePolicy, plan.about);
    const first = plan.looks();
    expect(first).toBeGreaterThan(0);
    blocked(planGatePolicy, plan.about);
    expect(plan.looks()).toBe(first);
    const off = watched(inPhase("executing"));
    expect(planGatePolicy.evaluate(off.about)).toEqual(allow);
    expect(off.looks()).toBe(0);
  });
});

describe("the accept-edits gates", () => {
  it.each<[string, Call]>([
    [
      "the approval with edits does not cover what removes or erases something, or hides what it runs",
      exec("rm -rf build"),
    ],
    ["the approval with edits does not cover stopping or restarting the gateway", exec("holdpoint stop")],
    [
      "the approval with edits does not cover the configuration of the gateway or of an agent",
      { tool: "write", args: { path: ".claude/settings.json" } },
    ],
  ])("[AE-02, AE-03, GA-07] hold by class: %s", (why, call) => {
    const { refusal } = blocked(acceptEditsPolicy, question(editing(), call));
    expect(refusal.message).toBe(sentence(refusal, why));
    expect(refusal.hint).toBe(
      `A person has been asked whether this one call may run. Stop here and wait for the answer; if they allow it, call ${call.tool} again with exactly the same arguments.`,
    );
  });

  it("[GA-08] hold what cannot be read, and ask nobody", () => {
    const verdict = blocked(acceptEditsPolicy, question(editing(), { tool: "write", args: {} }));
    expect(verdict).not.toHaveProperty("also");
    expect(verdict.refusal.message).toBe(sentence(verdict.refusal, "it cannot be seen what it would touch"));
    expect(verdict.refusal.hint).toContain("Correct them and call it again");
  });

  const gates: [string, TrustedToolPolicy, Call][] = [
    ["what is destructive", acceptEditsPolicy, exec("rm -rf build")],
    ["the gateway's own folders", ownFoldersPolicy(["/srv/state"]), exec("touch /srv/state/x")],
    [
      "what declares itself destructive",
      declaredDestructivePolicy((tool) => tool === "mcp__a__b"),
      { tool: "mcp__a__b", args: {} },
    ],
  ];

  it.each(gates)(
    "[AE-01, AE-02] hold %s, but nothing that reads, nor where there is no plan mode",
    (_what, gate, call) => {
      const about = question(editing(), call);
      expect(gate.evaluate(about)).toMatchObject({ verdict: "block" });
      expect(gate.evaluate(question(editing(), { ...call, effect: "read" }))).toEqual(allow);
      expect(gate.evaluate({ ...about, session: { ...about.session, slices: {} } })).toEqual(allow);
    },
  );

  it.each<[string, Call]>([
    ["protected-path", { tool: "write", args: { path: "/srv/state/config.yaml" } }],
    ["protected-path", { tool: "write", args: { path: "../srv/state/x" } }],
    ["protected-path", exec("echo x > state/x", { cwd: "/srv" })],
  ])("[AE-04] hold by %s what lies in a folder of the gateway's own, wherever that is", (rule, call) => {
    const own = ownFoldersPolicy(["/srv/state"]);
    expect(blocked(own, question(editing(), call)).refusal.rule).toBe(rule);
    expect(ownFoldersPolicy(["/srv/other"]).evaluate(question(editing(), call))).toEqual(allow);
  });

  it("[AE-02] hold a foreign tool by its own word only when it gave it", () => {
    const gate = declaredDestructivePolicy((tool) => tool === "mcp__a__b");
    const verdict = blocked(gate, question(editing(), { tool: "mcp__a__b", args: {} }));
    expect(verdict.refusal).toMatchObject({ rule: "destructive-hint", matched: "mcp__a__b" });
    expect(gate.evaluate(question(editing(), { tool: "mcp__a__c", args: {} }))).toEqual(allow);
  });
});

describe("the gate of a destructive attempt", () => {
  const settings = { autoEnterOnDestructive: true };

  it("[PL-15, GA-07] says that the session plans now, and what to do", () => {
    const verdict = blocked(destructivePolicy, question(inPhase("off", { settings }), exec("rm -rf x")));
    const { rule, matched } = verdict.refusal;
    const hint = "The session is now in plan mode: explore, then submit a plan with exit_plan_mode.";
    expect(verdict.refusal).toEqual({
      tool_name: "exec",
      tool_kind: "bash",
      hint,
      entered_at: null,
      entered_reason: `auto-destructive: ${rule}`,
      rule: "removes",
      matched,
      message: `exec was not run: it is destructive (${rule}: ${matched}), and such calls need an approved plan. ${hint}`,
    });
  });

  it("[PL-15] is about what destroys: not about configuration, reading, or a session without plan mode", () => {
    const session = inPhase("off", { settings });
    const configuration = { tool: "write", args: { path: ".claude/settings.json", content: "" } };
    expect(destructivePolicy.evaluate(question(session, configuration))).toEqual(allow);
    expect(destructivePolicy.evaluate(question(session, { ...exec("rm -rf x"), effect: "read" }))).toEqual(allow);
    const about = question(session, exec("rm -rf x"));
    expect(destructivePolicy.evaluate({ ...about, session: { ...about.session, slices: {} } })).toEqual(allow);
  });
});

describe("the permission prompt", () => {
  const under = (mode: "ask" | "accept" | "default", phase: Parameters<typeof inPhase>[0] = "off"): PlanSession => {
    const session = inPhase(phase);
    session.must({ type: "set-permission-mode", mode }, alice);
    return session;
  };

  it.each([
    ["ask", "every change", "this session asks a person before every change"],
    ["accept", "no file edit", "this session asks a person before every change that is no file edit"],
  ] as const)("[GA-02, GA-07] says by which mode it asks: %s", (mode, matched, why) => {
    const { refusal } = blocked(PERMISSION, question(under(mode), exec("npm test")));
    expect([refusal.rule, refusal.matched]).toEqual([`permission/${mode}`, matched]);
    expect(refusal.message).toBe(sentence(refusal, why));
  });

  it.each<[string, Call]>([
    ["it removes or erases something, or hides what it runs", exec("rm -rf build")],
    ["it stops or restarts the gateway", exec("holdpoint stop")],
    [
      "it changes the configuration of the gateway or of an agent",
      { tool: "write", args: { path: ".claude/settings.json" } },
    ],
  ])("[GA-02, GA-07] asks by default about what could not be taken back: %s", (why, call) => {
    const verdict = blocked(PERMISSION, question(under("default"), call));
    expect(verdict.refusal.message).toBe(sentence(verdict.refusal, why));
    expect(verdict.also).toMatchObject({ command: { type: "ask-call" } });
  });

  it("[GA-08] has unreadable arguments corrected instead of asking anybody", () => {
    const verdict = blocked(PERMISSION, question(under("default"), { tool: "write", args: {} }));
    expect(verdict).not.toHaveProperty("also");
    expect(verdict.refusal).toMatchObject({
      rule: "invalid-arguments",
      hint: "What the call would touch cannot be read from its arguments. Correct them and call it again.",
    });
    expect(verdict.refusal.message).toBe(sentence(verdict.refusal, "it cannot be seen what it would touch"));
  });

  it("[PG-09, GA-07] says that a plugin wants it, and cuts a reason that is too long for the question", () => {
    const hook = { reason: "x".repeat(1_500) };
    const verdict = permissionPrompt.evaluate({ ...question(under("default"), exec("npm test")), hook });
    if (verdict instanceof Promise || verdict.verdict !== "block") throw new Error("allowed");
    expect(verdict.refusal.message).toBe(sentence(verdict.refusal, "a plugin wants a person to look at it first"));
    expect(verdict.also?.command["call"]).toMatchObject({ rule: "hook/ask", matched: "x".repeat(1_000) });
  });

  it("[GA-02] stands beside plan mode: it asks where that is switched off as well", () => {
    const session = under("ask");
    session.configure({ enabled: false });
    expect(blocked(PERMISSION, question(session, exec("npm test"))).also).toMatchObject({
      command: { type: "ask-call" },
    });
  });
});

describe("why nobody can be asked", () => {
  const held: HeldCall = {
    gate: "plan",
    tool: "exec",
    kind: "bash",
    argsDigest: digestOf({}),
    folder: "/w",
    rule: "unknown-command",
    matched: "x",
  };
  const why = (session: PlanSession, call: HeldCall = held) => {
    const asking = askOrder(question(session, exec("x")), session.state(), { call, shown: "x" });
    return "unasked" in asking ? asking.unasked : undefined;
  };

  it("[GA-10] is told in words that the agent can act on", () => {
    expect(why(inPhase("exploring"))).toBeUndefined();
    expect(why(inPhase("pending"))).toBe("Your plan waits for a person: stop here and wait for the decision.");
    const off = inPhase("off");
    off.configure({ enabled: false });
    expect(why(off)).toBe("Plan mode is switched off here, so nobody is asked: leave it, and say so in your answer.");
    expect(why(off, { ...held, gate: "permission" })).toBeUndefined();
    const on = inPhase("exploring"); // what was begun goes on, whatever is switched off since
    on.configure({ enabled: false });
    expect(why(on)).toBeUndefined();
    const asked = inPhase("exploring");
    asked.must({ type: "ask", callId: "c", question: "Q?", options: ["A", "B"] }, agent);
    expect(why(asked)).toBe("A question waits for a person already: stop here and wait for its answer.");
  });

  it("[GA-10] a call is shown in one order: short arguments by name, then long texts by name", () => {
    const args = { z: "1", content: "x\ny", a: "2", body: "p\nq", m: "3" };
    expect(shownCall({ args })).toBe("a: 2\nm: 3\nz: 1\nbody:\n    p\n    q\ncontent:\n    x\n    y");
    expect(shownCall({ args: { c: 1, a: 2, b: 3 } })).toBe("a: 2\nb: 3\nc: 1");
  });
});

it("[AE-04] a home folder is the one of whoever runs the gateway", () => {
  const path = `${homedir()}/.holdpoint/config.yaml`;
  const held = [path, "~/.holdpoint/config.yaml"].map(
    (one) => blocked(acceptEditsPolicy, question(editing(), { tool: "write", args: { path: one } })).refusal.rule,
  );
  expect(held).toEqual(["protected-path", "protected-path"]);
});

it("[AE-04] the gateway's own port counts as its own folders do, where it is known", () => {
  const stop = exec("curl -X POST http://127.0.0.1:4711/stop");
  const about = question(editing(), stop);
  const at = (ports?: () => number[]) => ownFoldersPolicy(["/srv/holdpoint"], ports).evaluate(about);
  expect([at(), at(() => [4_712])]).toEqual([allow, allow]);
  expect(at(() => [4_711])).toMatchObject({ verdict: "block" });
});

it("[GA-10] who is asked about a call of a program sees that a program makes it", () => {
  const session = inPhase("exploring", { settings: { unknownCommands: "ask" } });
  const about = question(session, exec("frobnicate"));
  const shown = (caller: object) => {
    // oxlint-disable-next-line no-unsafe-type-assertion -- nobody here reads the id
    const call = { ...about.call, caller } as PolicyQuestion["call"];
    return blocked(planGatePolicy, { ...about, call }).also?.command["shown"];
  };
  expect(shown({ kind: "cell", id: "clr_1" })).toBe("frobnicate\n(made by a program of the agent, cell clr_1)");
  expect(shown({ kind: "external", id: "clr_1" })).toBe("frobnicate");
});

it("[PL-19, GA-07] a held session only reads, in plan mode and outside it", () => {
  const session = inPhase("pending", { settings: { approvals: ApprovalRules.parse({ approvers: ["Bob"] }) } });
  session.must({ type: "leave" }, alice);
  expect(session.state()).toMatchObject({ now: { phase: "off" }, held: {} });
  expect(blocked(planGatePolicy, question(session, exec("rm x"))).refusal.rule).toBe("plan-mode/held");
  expect(planGatePolicy.evaluate(question(session, { ...exec("ls"), effect: "read" }))).toEqual(allow);
  const { session: stored, ...asked } = question(session, exec("rm x"));
  expect(planGatePolicy.evaluate({ ...asked, session: { ...stored, slices: {} } })).toEqual(allow);
});
