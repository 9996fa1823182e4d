import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { agent, alice, inPhase, pendingApprovalId, type PlanSession } from "../../../test/kit/plan-session.ts";
import { GateRefusal, type ToolEffect } from "../../protocol/gate.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { PlanModeSettings } from "../protocol/settings.ts";
import { digestOf, type PolicyQuestion, type PolicyVerdict } from "../../plugins/sdk.ts";
import { acceptEditsPolicy } from "./accept-edits-gate.ts";
import { shellCommandJudge } from "./command-judge.ts";
import { destructivePolicy } from "./destructive-gate.ts";
import { planGatePolicy } from "./plan-gate.ts";

type Call = { tool: string; args: JsonObject; effect?: ToolEffect };

function question(session: PlanSession, { tool, args, effect = "write" }: Call): PolicyQuestion {
  const kind = tool === "exec" ? "bash" : "file_edit";
  return {
    call: { tool, kind, effect, argsDigest: digestOf(args), callId: "c1", args },
    session: session.session(),
    settings: { planMode: session.settings() },
  };
}
const exec = (command: string, more: JsonObject = {}): Call => ({ tool: "exec", args: { command, ...more } });

function refused(verdict: PolicyVerdict | Promise<PolicyVerdict>): { refusal: GateRefusal; also?: unknown } {
  if (verdict instanceof Promise || verdict.verdict !== "block") throw new Error("allowed");
  return { ...verdict, refusal: GateRefusal.parse(verdict.refusal) };
}

/** An executing session; with `edit` as the decision it carries the accept-edits permission. */
function executing(action: "approve" | "edit", settings: Partial<PlanModeSettings> = {}): PlanSession {
  const session = inPhase("pending", { settings });
  session.must({ type: "decide", approval: { action, approvalId: pendingApprovalId(session) } }, alice);
  return session;
}

describe("the plan gate", () => {
  it.each([
    ["rm -rf x", "known-write", "rm"],
    ["frobnicate", "unknown-command", "frobnicate"],
    ["echo hi > file", "redirect-write", "file"],
    ["if", "syntax", ""],
  ])("[GA-05, GA-07] holds %s by the shell gate's own code and says what to do", (command, rule, matched) => {
    const session = inPhase("exploring");
    const { refusal } = refused(planGatePolicy.evaluate(question(session, exec(command))));
    expect(refusal).toMatchObject({ tool_name: "exec", tool_kind: "bash", rule, entered_reason: "explore" });
    expect(refusal.matched).toContain(matched);
    expect(refusal.entered_at).toBe("2023-11-14T22:13:20Z");
    expect(refusal.message).toContain(refusal.hint);
    expect(refusal.hint).toContain("exit_plan_mode");
  });

  it("[GA-05] holds what the tool counts as writing although its text reads", () => {
    const background = question(inPhase("exploring"), exec("ls", { background: true }));
    expect(refused(planGatePolicy.evaluate(background)).refusal.rule).toBe("background");
  });

  it("[GA-10] blocks what is unknown, and asks nobody by default", () => {
    const verdict = refused(planGatePolicy.evaluate(question(inPhase("exploring"), exec("frobnicate"))));
    expect(verdict.also).toBeUndefined();
  });

  it("[GA-10] asks a person about exactly the canonical call where that is set", () => {
    const session = inPhase("exploring", { settings: { unknownCommands: "ask" } });
    const verdict = refused(planGatePolicy.evaluate(question(session, exec("frobnicate   'a'", { cwd: "sub" }))));
    const args = { command: "frobnicate a", cwd: "sub" };
    expect(verdict.also).toEqual({
      slice: "planMode",
      command: {
        type: "ask-call",
        callId: "c1",
        shown: 'frobnicate a\nwith {"cwd":"sub"}',
        call: {
          gate: "plan",
          tool: "exec",
          kind: "bash",
          argsDigest: digestOf(args),
          folder: "/w/sub",
          rule: "unknown-command",
          matched: "frobnicate",
        },
      },
    });
    expect(verdict.refusal.hint).toContain('exactly these arguments: {"command":"frobnicate a","cwd":"sub"}');
  });

  it.each(["rm x", "echo > x", "curl example.org", "if"])("[GA-10] asks nobody about %s", (command) => {
    const session = inPhase("exploring", { settings: { unknownCommands: "ask" } });
    expect(refused(planGatePolicy.evaluate(question(session, exec(command)))).also).toBeUndefined();
  });

  it("[GA-10] asks nobody while a plan or a question waits", () => {
    const settings = { unknownCommands: "ask" } as const;
    const pending = question(inPhase("pending", { settings }), exec("frobnicate"));
    expect(refused(planGatePolicy.evaluate(pending)).also).toBeUndefined();
  });

  it("[GA-10] lets the granted call pass, in its canonical form only", () => {
    const session = inPhase("exploring", { settings: { unknownCommands: "ask" } });
    const asked = refused(planGatePolicy.evaluate(question(session, exec("frobnicate 'a'")))).also;
    const { command } = asked as { command: never };
    session.must(command, agent);
    const { approvalId } = session.state().question ?? {};
    session.must({ type: "decide", approval: { action: "answer", approvalId, answer: "Allow once" } }, alice);
    const grant = { slice: "planMode", id: session.state().grant?.id };
    expect(planGatePolicy.evaluate(question(session, exec("frobnicate a")))).toEqual({ verdict: "allow", grant });
    expect(planGatePolicy.evaluate(question(session, exec("frobnicate 'a'")))).toMatchObject({ verdict: "block" });
  });

  it("[GA-09] does not look at the arguments of what reads, or outside plan mode", () => {
    const untouchable = new Proxy({}, { get: () => expect.fail("looked") });
    const session = inPhase("exploring");
    const ask = (phase: PlanSession, effect: ToolEffect) => {
      const asked = question(phase, { ...exec("ls"), effect });
      return planGatePolicy.evaluate({ ...asked, call: { ...asked.call, args: untouchable } });
    };
    expect(ask(session, "read")).toEqual({ verdict: "allow" });
    expect(ask(inPhase("executing"), "write")).toEqual({ verdict: "allow" });
    expect(ask(inPhase("off"), "write")).toEqual({ verdict: "allow" });
  });
});

const DESTRUCTIVE = ["rm -rf build", "find . -delete", "git push --force", "$(echo rm) -r x", "redis-cli flushall"];

describe("the accept-edits gate", () => {
  it.each(DESTRUCTIVE)("[AE-02, AE-03] holds %s, and a person is asked about that very call", (command) => {
    const session = executing("edit");
    const verdict = refused(acceptEditsPolicy.evaluate(question(session, exec(command))));
    expect(verdict.refusal.tool_kind).toBe("bash");
    expect(verdict.refusal.hint).toContain("A person has been asked");
    expect(verdict.also).toMatchObject({
      command: { shown: command, call: { gate: "accept-edits", argsDigest: digestOf({ command }) } },
    });
  });

  it.each(["npm test", "rmate file", "rmtool x", "git commit -m 'rm old'", "mkdir -p a && touch a/b"])(
    "[AE-06] lets %s pass",
    (command) => {
      expect(acceptEditsPolicy.evaluate(question(executing("edit"), exec(command)))).toEqual({ verdict: "allow" });
    },
  );

  it.each(["holdpoint stop", "pkill holdpoint", "holdpoint config set a b", "echo x > ~/.holdpoint/config.yaml"])(
    "[AE-02] holds %s: the gateway is not the agent's to stop or to change",
    (command) => {
      expect(acceptEditsPolicy.evaluate(question(executing("edit"), exec(command)))).toMatchObject({
        verdict: "block",
      });
    },
  );

  it.each<[string, JsonObject]>([
    ["write", { path: "~/.holdpoint/config.yaml", content: "" }],
    ["edit", { path: "/w/../w/.claude//settings.json", oldText: "a", newText: "b" }],
    ["write", { path: `${homedir()}/.codex/config.toml`, content: "" }],
    ["apply_patch", { patch: "*** Begin Patch\n*** Update File: a\n*** Move to: ~/.holdpoint/x\n*** End Patch" }],
    ["apply_patch", { patch: "*** Begin Patch\n*** Add File: .claude/settings.local.json\n+{}\n*** End Patch" }],
  ])("[AE-04] holds %s %j", (tool, args) => {
    expect(refused(acceptEditsPolicy.evaluate(question(executing("edit"), { tool, args }))).refusal.rule).toBe(
      "protected-path",
    );
  });

  it("[AE-04] sees through symlinks", () => {
    const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-gates-")));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    mkdirSync(join(root, ".claude"));
    symlinkSync(join(root, ".claude"), join(root, "harmless"));
    const session = executing("edit");
    const asked = question(session, { tool: "write", args: { path: "harmless/settings.json", content: "" } });
    const here = { ...asked, session: { ...asked.session, workspace: root } };
    expect(acceptEditsPolicy.evaluate(here)).toMatchObject({ verdict: "block", refusal: { rule: "protected-path" } });
  });

  it("[AE-05] tells the agent to ask where the server cannot", () => {
    const session = executing("edit", { enabled: true });
    session.must({ type: "ask", callId: "c", question: "Q?", options: ["A", "B"] }, agent);
    const verdict = refused(acceptEditsPolicy.evaluate(question(session, exec("rm x"))));
    expect(verdict.also).toBeUndefined();
    expect(verdict.refusal.hint).toContain("ask_user_question");
  });

  it("[AE-05] a confirmed question unlocks exactly that call", () => {
    const session = executing("edit");
    const { command } = refused(acceptEditsPolicy.evaluate(question(session, exec("rm x")))).also as { command: never };
    session.must(command, agent);
    const { approvalId } = session.state().question ?? {};
    session.must({ type: "decide", approval: { action: "answer", approvalId, answer: "allow-once" } }, alice);
    const grant = { slice: "planMode", id: session.state().grant?.id };
    expect(acceptEditsPolicy.evaluate(question(session, exec("rm x")))).toEqual({ verdict: "allow", grant });
    expect(acceptEditsPolicy.evaluate(question(session, exec("rm y")))).toMatchObject({ verdict: "block" });
  });

  it("[AE-01, PL-06] is there only while an approval with edits is in force", () => {
    const rm = exec("rm -rf x");
    expect(acceptEditsPolicy.evaluate(question(executing("approve"), rm))).toEqual({ verdict: "allow" });
    const session = executing("edit");
    session.must({ type: "leave" }, alice);
    expect(acceptEditsPolicy.evaluate(question(session, rm))).toEqual({ verdict: "allow" });
    for (const phase of ["off", "exploring", "pending", "rejected"] as const) {
      expect(acceptEditsPolicy.evaluate(question(inPhase(phase), rm))).toEqual({ verdict: "allow" });
    }
  });

  it("[GA-08] holds a call whose target cannot be read, without asking anybody", () => {
    const verdict = refused(acceptEditsPolicy.evaluate(question(executing("edit"), { tool: "write", args: {} })));
    expect({ rule: verdict.refusal.rule, also: verdict.also }).toEqual({ rule: "invalid-arguments", also: undefined });
  });
});

describe("the gate of a destructive attempt", () => {
  const settings = { autoEnterOnDestructive: true };

  it.each(DESTRUCTIVE)("[PL-15] refuses %s in normal mode and orders plan mode", (command) => {
    const session = inPhase("off", { settings });
    const verdict = refused(destructivePolicy.evaluate(question(session, exec(command))));
    expect(verdict.also).toEqual({
      slice: "planMode",
      command: { type: "destructive", check: verdict.refusal.rule },
    });
    expect(verdict.refusal.entered_reason).toBe(`auto-destructive: ${verdict.refusal.rule}`);
  });

  it("[PL-15] lets everything else pass, and everything where it is not set", () => {
    const allow = { verdict: "allow" };
    const on = inPhase("off", { settings });
    expect(destructivePolicy.evaluate(question(on, exec("npm test")))).toEqual(allow);
    expect(destructivePolicy.evaluate(question(on, { tool: "write", args: { path: "a", content: "" } }))).toEqual(
      allow,
    );
    expect(destructivePolicy.evaluate(question(inPhase("off"), exec("rm -rf x")))).toEqual(allow);
    expect(destructivePolicy.evaluate(question(inPhase("executing", { settings }), exec("rm -rf x")))).toEqual(allow);
  });

  it("[PL-13, PL-15] says that nobody could approve where no person is", () => {
    const session = inPhase("off", { settings, kind: "cron" });
    expect(refused(destructivePolicy.evaluate(question(session, exec("rm -rf x")))).refusal.hint).toContain("Nobody");
  });
});

describe("the judge of commands", () => {
  const place = { cwd: "/w", home: "/home/u" };

  it("[GA-05, GA-06] proves, and says exactly how to run it", () => {
    const verdict = shellCommandJudge("git   status", place);
    if (!verdict.reads) throw new Error(verdict.code);
    expect(verdict.questions).toMatchObject([{ cwd: "/w", argv: expect.arrayContaining(["git", "config"]) }]);
    const run = verdict.toProcess(["filter.x.clean\0"]);
    if ("refused" in run) throw new Error(run.refused);
    expect(run.argv.at(-1)).toBe(verdict.canonical);
    expect(Object.values(run.env)).toContain("filter.x.clean");
    expect(verdict.toProcess(["odd\0"])).toHaveProperty("refused");
  });

  it("[GA-10] tells what is known to write from what nobody knows", () => {
    expect(shellCommandJudge("rm x", place)).toMatchObject({ reads: false, verdict: "writes", code: "known-write" });
    expect(shellCommandJudge("frobnicate", place)).toMatchObject({ verdict: "unknown", canonical: "frobnicate" });
  });
});
