/** Which calls a person is asked about, by mode and by call. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agent, alice, inPhase, pendingApprovalId, type PlanSession } from "../../../test/kit/plan-session.ts";
import type { ToolKind } from "../../protocol/gate.ts";
import { SessionId } from "../../protocol/ids.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { PlanModeCommand } from "../protocol/command.ts";
import type { PermissionMode } from "../protocol/settings.ts";
import { CALL_QUESTION_CHARS_MAX } from "../protocol/state.ts";
import { digestOf, type PermissionQuestion, type PolicyVerdict } from "../../plugins/sdk.ts";
import { shownCall } from "./asking.ts";
import { planGate } from "../machine/gate.ts";
import { permissionPrompt } from "./permission-gate.ts";

type Call = { tool: string; kind?: ToolKind; args: JsonObject; within?: string };
const exec = (command: string): Call => ({ tool: "exec", kind: "bash", args: { command } });
const write = (path: string, content = "x"): Call => ({ tool: "write", kind: "file_edit", args: { path, content } });
const MCP: Call = { tool: "mcp__tracker__close", kind: "dispatch", args: { id: 7 } };

function question(session: PlanSession, { tool, kind = "bash", args, within }: Call): PermissionQuestion {
  return {
    ...(within === undefined ? {} : { within: () => within }),
    call: { tool, kind, effect: "write", argsDigest: digestOf(args), callId: "c1", args },
    session: session.session(),
    settings: { planMode: session.settings() },
    allowed: {},
  };
}

function judged(about: PermissionQuestion): PolicyVerdict {
  const verdict = permissionPrompt.evaluate(about);
  if (verdict instanceof Promise) throw new Error("answers at once");
  return verdict;
}

function ruleFor(session: PlanSession, call: Call): string {
  const verdict = judged(question(session, call));
  return verdict.verdict === "block" ? verdict.refusal.rule : "runs";
}

function under(mode: PermissionMode, phase: Parameters<typeof inPhase>[0] = "off"): PlanSession {
  const session = inPhase(phase);
  session.must({ type: "set-permission-mode", mode }, alice);
  return session;
}

/** The person is asked, and says this. */
function asked(session: PlanSession, call: Call, answer: string): void {
  const verdict = judged(question(session, call));
  if (verdict.verdict !== "block" || verdict.also === undefined) throw new Error("nobody is asked");
  session.must(PlanModeCommand.parse(verdict.also.command), agent);
  const { approvalId } = session.state().question ?? {};
  session.must({ type: "decide", approval: { action: "answer", approvalId, answer } }, alice);
}

const CALLS: [string, Call][] = [
  ["a file edit", write("a.txt")],
  ["a command", exec("npm test")],
  ["a destructive command", exec("rm -rf build")],
  ["an agent's configuration", write(".claude/settings.json")],
  ["a foreign tool", MCP],
];
const RULES: Record<PermissionMode, string[]> = {
  ask: Array<string>(5).fill("permission/ask"),
  accept: ["runs", "permission/accept", "permission/accept", "protected-path", "permission/accept"],
  default: ["runs", "runs", "removes", "protected-path", "runs"],
  bypass: Array<string>(5).fill("runs"),
};

describe("a yes that waits to be used", () => {
  const held: Call = { ...exec("npm test"), within: "this folder, environment and agent" };

  it("[I17, GA-10] matches the same tool, arguments, folder, environment and agent, and nothing else", () => {
    const session = under("ask");
    asked(session, held, "allow-once");
    const others: Call[] = [
      { ...held, within: "another folder, environment or agent" },
      { ...exec("npm test"), kind: "bash" },
      { ...held, tool: "bash" },
      { ...held, args: { command: "npm test", cwd: "b" } },
    ];
    expect(others.map((call) => ruleFor(session, call))).toEqual(others.map(() => "permission/ask"));
    expect(ruleFor(session, held)).toBe("runs");
  });

  it("[I17] matches nothing once a change of mode took it back, not even a call that was judged before", () => {
    const session = under("ask");
    asked(session, held, "allow-once");
    const verdict = judged(question(session, held));
    if (verdict.verdict !== "allow" || verdict.grant === undefined) throw new Error("it passes");
    const claim = { ...question(session, held).call, grant: verdict.grant };
    const claimed = (...gone: string[]): boolean =>
      planGate(session.state(), claim, { nowMs: session.session().updatedAtMs, revoked: new Set(gone) }).allowed;
    expect([claimed(), claimed(session.state().grant?.by.id ?? "")]).toEqual([true, false]); // nor of who was revoked
    session.must({ type: "set-permission-mode", mode: "accept" }, alice);
    expect([claimed(), ruleFor(session, held)]).toEqual([false, "permission/accept"]);
  });
});

describe("the permission prompt", () => {
  it.each(["ask", "accept", "default", "bypass"] as const)("[GA-02] %s, in normal mode", (mode) => {
    const session = under(mode);
    expect(CALLS.map(([name, call]) => [name, ruleFor(session, call)])).toEqual(
      CALLS.map(([name], at) => [name, RULES[mode][at]]),
    );
  });

  it("[GA-02] is default where nobody set anything", () => {
    expect(CALLS.map(([, call]) => ruleFor(inPhase("off"), call))).toEqual(RULES.default);
  });

  it("[GA-02, PL-06] default asks nothing further while an approved plan is carried out; ask and accept do", () => {
    expect(CALLS.map(([, call]) => ruleFor(inPhase("executing"), call))).toEqual(Array<string>(5).fill("runs"));
    expect(CALLS.map(([, call]) => ruleFor(under("ask", "executing"), call))).toEqual(RULES.ask);
    expect(CALLS.map(([, call]) => ruleFor(under("accept", "executing"), call))).toEqual(RULES.accept);
  });

  it("[GW-10, GA-02] asks about what could destroy something where the approval came without the passkey that this needs", () => {
    const session = inPhase("pending", { settings: { approvals: { quorum: 1, presence: "destructive" } } });
    session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
    expect(CALLS.map(([, call]) => ruleFor(session, call))).toEqual(RULES.default);
    const verdict = judged(question(session, exec("rm -rf build")));
    if (verdict.verdict !== "block" || verdict.also === undefined) throw new Error("nobody is asked");
    session.must(PlanModeCommand.parse(verdict.also.command), agent);
    const { approvalId } = session.state().question ?? {};
    const answer = (words: string) =>
      ({ type: "decide", approval: { action: "answer", approvalId, answer: words } }) as const;
    expect(session.outcome(answer("allow-once"), alice)).toBe("PRESENCE_REQUIRED");
    session.must(answer("deny"), alice); // nobody is hindered from saying no
    const rules = { quorum: 1, presence: "destructive" } as const;
    const loose = inPhase("pending", { settings: { permissionMode: "bypass", approvals: rules } });
    expect(session.outcome({ type: "set-permission-mode", mode: "bypass" }, alice)).toBe("PRESENCE_REQUIRED");
    loose.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(loose) } }, alice);
    expect(CALLS.map(([, call]) => ruleFor(loose, call))).toEqual(RULES.default);
  });

  it("[GW-10] where destruction needs a passkey of its own, more counts as that than under an approval with edits", () => {
    const folder = mkdtempSync(join(tmpdir(), "holdpoint-strict-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, "a.txt"), "x");
    writeFileSync(join(folder, "b.txt"), "x");
    const session = inPhase("pending", { settings: { approvals: { quorum: 1, presence: "destructive" } } });
    session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
    const rule = (call: Call, at = session): string => {
      const about = question(at, call);
      const verdict = judged({ ...about, session: { ...about.session, workspace: folder } });
      return verdict.verdict === "block" ? verdict.refusal.rule : "runs";
    };
    const patch = "*** Begin Patch\n*** Delete File: a.txt\n*** End Patch";
    const calls: Call[] = [
      exec("mv a.txt b.txt"),
      exec("mv a.txt /tmp"),
      exec("mv a.txt c.txt"),
      { tool: "apply_patch", args: { patch } },
      write("a.txt", ""),
      write("new.txt", ""),
      write("a.txt"),
    ];
    expect(calls.map((call) => rule(call))).toEqual([
      "moves-over",
      "moves-out",
      "runs",
      "patch-deletes",
      "empties",
      "runs",
      "runs",
    ]);
    const usual = inPhase("off");
    expect(calls.map((call) => rule(call, usual))).toEqual(calls.map(() => "runs"));
  });

  it("[GA-02] never asks about reading", () => {
    const reading = question(under("ask"), exec("ls"));
    expect(judged({ ...reading, call: { ...reading.call, effect: "read" } })).toEqual({ verdict: "allow" });
  });

  it("[GA-02, GA-07] asks about exactly this call, whole, and tells the agent to wait", () => {
    const session = under("ask");
    const verdict = judged(question(session, write("a.txt", "one\ntwo")));
    expect(verdict).toMatchObject({
      verdict: "block",
      refusal: {
        tool_name: "write",
        tool_kind: "file_edit",
        rule: "permission/ask",
        hint: expect.stringContaining("Stop here and wait for the answer"),
      },
      also: { slice: "planMode", command: { type: "ask-call", callId: "c1", call: { gate: "permission" } } },
    });
    if (verdict.verdict !== "block") throw new Error("allowed");
    session.must(PlanModeCommand.parse(verdict.also?.command), agent);
    expect(session.state().question?.question).toBe(
      [
        "The agent wants to make one call of write in /w:",
        "    path: a.txt",
        "    content:",
        "        one",
        "        two",
        "Such a call needs a person's yes in this session. (permission/ask: every change)",
        "May it make exactly this call, once?",
      ].join("\n"),
    );
  });

  it("[GA-02, I10] a yes lets exactly that call pass, and names what its claim will spend", () => {
    const session = under("ask");
    asked(session, exec("npm test"), "Allow once");
    expect(judged(question(session, exec("npm test")))).toEqual({
      verdict: "allow",
      grant: { slice: "planMode", id: session.state().grant?.id },
      under: { permission: "ask/normal" },
    });
    expect(ruleFor(session, exec("npm test "))).toBe("permission/ask");
    expect(ruleFor(session, { ...exec("npm test"), tool: "other" })).toBe("permission/ask");
  });

  it("[BY-07] a no is a no", () => {
    const session = under("ask");
    asked(session, exec("npm test"), "Deny");
    expect(ruleFor(session, exec("npm test"))).toBe("permission/ask");
  });

  it("[AE-05, GA-02] asks no second time about a call that a person has just allowed at another gate", () => {
    const session = under("ask", "executing");
    const passed = { ...question(session, exec("rm a")), allowed: { grant: { slice: "planMode", id: "grt_1" } } };
    expect(judged(passed)).toEqual({ verdict: "allow", under: { permission: "ask/executing" } });
    const foreign = { ...passed, allowed: { grant: { slice: "budget", id: "grt_1" } } };
    expect(judged(foreign)).toMatchObject({ verdict: "block" });
  });

  it.each(["bypass", "default", "accept"] as const)("[PG-09] asks in %s where a hook wants it", (mode) => {
    const hooked = { ...question(under(mode), write("a.txt")), hook: { reason: "budget: over the limit" } };
    expect(judged(hooked)).toMatchObject({
      verdict: "block",
      refusal: { rule: "hook/ask", matched: "budget: over the limit" },
      also: { command: { type: "ask-call" } },
    });
  });

  it.each(["cron", "heartbeat", "hook", "poller", "subagent"] as const)(
    "[GA-02, GA-07, PL-13] refuses in a %s session, where nobody could answer",
    (kind) => {
      const session = inPhase("off", { kind });
      session.must({ type: "set-permission-mode", mode: "ask" }, alice);
      const verdict = judged(question(session, exec("npm test")));
      expect(verdict).toMatchObject({ verdict: "block", refusal: { rule: "permission/ask", tool_kind: "bash" } });
      expect(verdict).not.toHaveProperty("also");
      expect(JSON.stringify(verdict)).toContain(`Nobody could answer in a ${kind} session`);
    },
  );

  it("[GA-02] asks nobody while something waits, or about what cannot be shown whole", () => {
    const session = under("ask");
    const long = judged(question(session, write("a.txt", "x".repeat(CALL_QUESTION_CHARS_MAX))));
    expect(long).toMatchObject({ refusal: { hint: expect.stringContaining("in smaller parts") } });
    expect(long).not.toHaveProperty("also");
    session.must({ type: "ask", callId: "c", question: "Q?", options: ["A", "B"] }, agent);
    const waiting = judged(question(session, exec("npm test")));
    expect(waiting).toMatchObject({ refusal: { hint: expect.stringContaining("waits for a person already") } });
    expect(waiting).not.toHaveProperty("also");
  });

  it("[SB-01] leaves a sub-agent's default mode to the sessions above it", () => {
    const own = question(inPhase("off", { kind: "subagent" }), exec("rm -rf build"));
    const child = { ...own, session: { ...own.session, parentId: SessionId.parse("ses_above") } };
    expect(judged(child)).toEqual({ verdict: "allow", under: { permission: "default/normal" } });
  });

  it("[GA-12, I18] cannot judge what it cannot read", () => {
    const broken = question(inPhase("off"), exec("ls"));
    const session = { ...broken.session, slices: { planMode: { permission: "root" } } };
    expect(() => permissionPrompt.evaluate({ ...broken, session })).toThrow(/./);
  });

  it("[GA-02] in plan mode lets pass only what plan mode's own yes let pass", () => {
    const session = under("ask", "exploring");
    expect(ruleFor(session, exec("npm test"))).toBe("permission/ask");
    const granted = { ...question(session, exec("npm test")), allowed: { grant: { slice: "planMode", id: "grt_1" } } };
    expect(judged(granted)).toEqual({ verdict: "allow", under: { permission: "ask/plan" } });
  });
});

describe("a call as a person reads it", () => {
  it("[GA-10, I10] cannot pass one argument off as another", () => {
    expect(shownCall({ args: { path: "a", content: "x\npath: b" } })).toBe("path: a\ncontent:\n    x\n    path: b");
    expect(shownCall({ args: {} })).toBe("(no arguments)");
    expect(shownCall({ args: { command: "ls", cwd: "b" } })).toBe('ls\nwith {"cwd":"b"}');
    expect(shownCall({ args: { times: 2, list: ["a"] } })).toBe('list: ["a"]\ntimes: 2');
  });
});
