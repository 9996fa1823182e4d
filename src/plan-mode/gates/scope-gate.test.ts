/** The gate of a plan that unlocks only what it declares, as the pipeline asks it (BY-02), and the mark of its proofs (BY-04). */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ZodError } from "zod";
import {
  agent,
  alice,
  inPhase,
  pendingApprovalId,
  planSession,
  type PlanSession,
} from "../../../test/kit/plan-session.ts";
import type { ToolEffect } from "../../protocol/gate.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { digestOf, type PolicyQuestion, type PolicyVerdict } from "../../plugins/sdk.ts";
import { PlanModeCommand } from "../protocol/command.ts";
import type { PlanStep } from "../protocol/plan.ts";
import type { PlanModeSettings } from "../protocol/settings.ts";
import { planDigest } from "../tools/plan-digest.ts";
import { proofMarkPolicy } from "./proof-mark.ts";
import { scopePolicy } from "./scope-gate.ts";

const ALLOW = { verdict: "allow" };
const ASKED =
  "A person has been asked whether the plan is amended by it. Stop here and wait for the answer; if they say yes, call";

type Call = { tool: string; args: JsonObject; effect?: ToolEffect; isOutside?: boolean };
const write = (path: string): Call => ({ tool: "write", args: { path, content: "x" } });
const exec = (command: string, more: JsonObject = {}): Call => ({ tool: "exec", args: { command, ...more } });

function question(session: PlanSession, { tool, args, effect = "write", isOutside = false }: Call): PolicyQuestion {
  const kind = tool === "exec" ? "bash" : "file_edit";
  // oxlint-disable-next-line no-unsafe-type-assertion -- nobody here reads the id
  const caller = (isOutside ? { caller: { kind: "external", id: "clr_1" } } : {}) as Pick<
    PolicyQuestion["call"],
    "caller"
  >;
  return {
    call: { tool, kind, effect, argsDigest: digestOf(args), callId: "c1", args, ...caller },
    session: session.session(),
    settings: { planMode: session.settings() },
  };
}

function carriedOut(
  steps: readonly PlanStep[],
  settings: Partial<PlanModeSettings> = { unlock: "scoped" },
): PlanSession {
  const session = planSession({ settings });
  const body = { title: "Move the parser", plan: [...steps] };
  session.must({ type: "enter", reason: "x" }, agent);
  session.must({ type: "submit", body, digest: planDigest(body) }, agent);
  session.must({ type: "decide", approval: { action: "approve", approvalId: pendingApprovalId(session) } }, alice);
  return session;
}

const SCOPE = { paths: ["src/"], commands: ["npm test"], hosts: ["example.org"], tools: ["message"] };
const scoped = (): PlanSession => carriedOut([{ step: "Move it", status: "pending", scope: SCOPE }]);

function judged(session: PlanSession, call: Call): PolicyVerdict {
  const verdict = scopePolicy.evaluate(question(session, call));
  if (verdict instanceof Promise) throw new Error("answers at once");
  return verdict;
}
function refused(session: PlanSession, call: Call) {
  const verdict = judged(session, call);
  if (verdict.verdict !== "block") throw new Error("allowed");
  return verdict;
}

/** A person is asked about the call, and says this. */
function answered(session: PlanSession, call: Call, answer: string): void {
  session.must(PlanModeCommand.parse(refused(session, call).also?.command), agent);
  const { approvalId } = session.state().question ?? {};
  session.must({ type: "decide", approval: { action: "answer", approvalId, answer } }, alice);
}

/** Counts how often the whole of a stored state is read: this field is in every one, and no gate needs it to judge. */
function watched(session: PlanSession, call: Call): { about: PolicyQuestion; looks: () => number } {
  const about = question(session, call);
  let looks = 0;
  const planMode = new Proxy(about.session.slices["planMode"] as JsonObject, {
    get: (state, name): unknown => (name === "question" && (looks += 1), Reflect.get(state, name)),
  });
  return { about: { ...about, session: { ...about.session, slices: { planMode } } }, looks: () => looks };
}

it("[GA-09] neither reads a stored state whole where no plan with a scope, or none at all, is carried out", () => {
  const open = watched(inPhase("executing"), exec("npm test"));
  expect([scopePolicy.evaluate(open.about), open.looks()]).toEqual([ALLOW, 0]);
  for (const phase of ["off", "exploring", "pending"] as const) {
    const other = watched(inPhase(phase), exec("npm test"));
    expect([proofMarkPolicy.evaluate(other.about), other.looks()]).toEqual([ALLOW, 0]);
  }
  const read = watched(scoped(), write("src/a.ts"));
  expect(scopePolicy.evaluate(read.about)).toMatchObject(ALLOW);
  expect(read.looks()).toBeGreaterThan(0);
});

it("[GA-02] each of the two gates has a name that logs refer to, and says what it does", () => {
  expect([scopePolicy.id, scopePolicy.description]).toEqual([
    "plan-mode/scope",
    "While a plan with a scope is carried out: only what it declares, and what people added to that.",
  ]);
  expect([proofMarkPolicy.id, proofMarkPolicy.description]).toEqual([
    "plan-mode/proof-mark",
    "Tells apart the commands that prove a criterion of the plan; it allows and forbids nothing.",
  ]);
});

describe("a plan that is limited to what it declares", () => {
  it("[BY-02] lets pass what it declares, under its scope and confined to it", () => {
    const session = scoped();
    for (const call of [write("src/a.ts"), exec("npm test"), { tool: "message", args: {} }]) {
      expect(judged(session, call)).toEqual({
        verdict: "allow",
        under: { scope: `${pendingApprovalId(session)}/0//` },
        confine: [{ paths: ["src/"], network: false }],
      });
    }
  });

  it("[BY-02] does not judge what reads, nor sessions whose plan opens everything, nor those without one", () => {
    expect(judged(scoped(), { ...write("docs/a.md"), effect: "read" })).toEqual(ALLOW);
    const open = carriedOut([{ step: "Move it", status: "pending", scope: SCOPE }], {});
    for (const session of [open, inPhase("off"), inPhase("exploring"), inPhase("executing")])
      expect(judged(session, write("docs/a.md"))).toEqual(ALLOW);
    const { session, ...asked } = question(scoped(), write("docs/a.md"));
    expect(scopePolicy.evaluate({ ...asked, session: { ...session, slices: {} } })).toEqual(ALLOW);
  });

  it("[I18] cannot judge by a state that it cannot read", () => {
    const { session, ...asked } = question(scoped(), write("src/a.ts"));
    const odd = (planMode: JsonObject) => ({ ...asked, session: { ...session, slices: { planMode } } });
    expect(() => scopePolicy.evaluate(odd({}))).toThrow(ZodError);
    expect(() => scopePolicy.evaluate(odd({ now: { scoped: "yes" } }))).toThrow(ZodError);
  });

  it("[BY-02, GA-07] puts what it does not declare before a person, as an amendment", () => {
    const session = scoped();
    const call = {
      tool: "apply_patch",
      args: { patch: "*** Update File: docs/a.md\n*** Add File: docs/b.md\n*** Add File: src/c.ts" },
    };
    const { refusal, also } = refused(session, call);
    const matched = "paths: docs/a.md, docs/b.md";
    const hint = `${ASKED} apply_patch again as it is.`;
    expect(refusal).toMatchObject({
      tool_name: "apply_patch",
      hint,
      rule: "plan-mode/outside-scope",
      matched,
      message: `apply_patch was not run: the approved plan does not declare it (${matched}). ${hint}`,
    });
    expect(also).toMatchObject({
      slice: "planMode",
      command: {
        type: "ask-call",
        callId: "c1",
        call: { gate: "scope", tool: "apply_patch", argsDigest: digestOf(call.args), folder: "/w", matched },
        amend: { paths: ["docs/a.md", "docs/b.md"] },
      },
    });
    expect(Object.keys(Object(also?.command["amend"]))).toEqual(["paths"]); // the order is JSON: no part is undefined
  });

  it("[BY-02] names every part that is missing", () => {
    const other = (tool: string, args: JsonObject) => refused(scoped(), { tool, args }).refusal.matched;
    expect(other("exec", { command: "npm publish" })).toBe("commands: npm publish");
    expect(other("web_fetch", { url: "https://other.org:8443/x" })).toBe("hosts: other.org:8443");
    expect(other("web_fetch", { url: "http://other.org/x" })).toBe("hosts: other.org");
    expect(other("mcp__tracker__close", {})).toBe("tools: mcp__tracker__close");
  });

  it("[BY-02, I17] lets a call pass that a person said yes to once, and opens its own path for it", () => {
    const session = scoped();
    answered(session, write("docs/a.md"), "Allow once");
    const grant = { slice: "planMode", id: session.state().grant?.id };
    expect(judged(session, write("docs/a.md"))).toMatchObject({
      verdict: "allow",
      grant,
      confine: [{ paths: ["src/", "docs/a.md"], network: false }],
    });
    expect(judged(session, write("docs/b.md")).verdict).toBe("block");
  });

  it("[BY-02, I17] opens no path for a command that a person said yes to once", () => {
    const session = scoped();
    answered(session, exec("npm publish"), "Allow once");
    expect(judged(session, exec("npm publish"))).toEqual({
      verdict: "allow",
      under: { scope: `${pendingApprovalId(session)}/0//` },
      grant: { slice: "planMode", id: session.state().grant?.id },
      confine: [{ paths: ["src/"], network: false }],
    });
  });

  it("[BY-02, I10] spends no yes on what the plan declares by now", () => {
    const session = scoped();
    answered(session, write("docs/a.md"), "Allow once");
    const grant = { slice: "planMode", id: session.state().grant?.id };
    expect(judged(session, write("docs/a.md"))).toMatchObject({ grant });
    answered(session, { tool: "edit", args: { path: "docs/a.md" } }, "Amend the plan");
    expect(session.state().grant?.id).toBe(grant.id);
    expect(judged(session, write("docs/a.md"))).not.toHaveProperty("grant");
  });

  it("[BY-02] asks nobody where something waits already, and says so", () => {
    const session = scoped();
    session.must(PlanModeCommand.parse(refused(session, write("docs/a.md")).also?.command), agent);
    const { refusal, ...others } = refused(session, write("docs/b.md"));
    expect(others).not.toHaveProperty("also");
    expect(refusal.hint).toBe("A question waits for a person already: stop here and wait for its answer.");
  });

  it.each([
    [write("docs/a*.md"), "A plan cannot declare a file whose name holds * or ?: leave it, and say so in your answer."],
    [write(`docs/${"a".repeat(2_000)}`), "It is too long for a plan to declare: do it in smaller parts."],
    [write("docs/a\u200b.md"), expect.stringContaining("hidden or control character")],
    [
      { tool: "apply_patch", args: { patch: "*** Add File: docs/a.md\n*** Add File: docs/b?.md" } },
      "A plan cannot declare a file whose name holds * or ?: leave it, and say so in your answer.",
    ],
    // declared, a space at either end is nothing: it would be another file or folder
    [
      write(" docs"),
      "A plan cannot declare a file whose name begins or ends with a space: leave it, and say so in your answer.",
    ],
    [
      write("docs/a.md "),
      "A plan cannot declare a file whose name begins or ends with a space: leave it, and say so in your answer.",
    ],
    [
      { tool: "web_fetch", args: { url: "https://*/" } },
      "A plan cannot declare a host whose name holds *: leave it, and say so in your answer.",
    ],
    [
      { tool: "web_fetch", args: { url: "https://*.org:8443/x" } },
      "A plan cannot declare a host whose name holds *: leave it, and say so in your answer.",
    ],
    [exec("git push <words>"), "A plan cannot declare a command that ends with <words>: write the words out."],
    [
      { tool: "mcp__tracker__*", args: {} },
      "A plan cannot declare a tool whose name holds *: leave it, and say so in your answer.",
    ],
  ])("[BY-02] asks nobody about what a plan cannot declare: %#", (call, hint) => {
    const { refusal, also } = refused(scoped(), call);
    expect([refusal.hint, also]).toEqual([hint, undefined]);
    expect(refusal.matched.length).toBeLessThanOrEqual(1_000);
  });

  it.each<[Call, string]>([
    [write("../out"), "a path inside the workspace: ../out"],
    [write(`../${"x".repeat(400)}`), `a path inside the workspace: ../${"x".repeat(197)}`],
    [{ tool: "edit", args: {} }, "a path inside the workspace: undefined"],
    [{ tool: "edit", args: { path: 7 } }, "a path inside the workspace: 7"],
    [{ tool: "apply_patch", args: { patch: "no targets" } }, "a path"],
    [{ tool: "apply_patch", args: {} }, "patch"],
    [exec(" "), "command"],
    [{ tool: "exec", args: { command: 7 } }, "command"],
    [exec("make", { cwd: ".." }), "cwd"],
    [exec("make", { cwd: 7 }), "cwd"],
    [{ tool: "web_fetch", args: { url: "not an address" } }, "url"],
    [{ tool: "web_fetch", args: { url: "file:///etc/passwd" } }, "url"],
    [{ tool: "web_fetch", args: {} }, "url"],
    [{ tool: "web_fetch", args: { url: ["https://example.org/"] } }, "url"],
  ])("[BY-02, GA-08] has unreadable arguments corrected and asks nobody: %j", (call, what) => {
    const { refusal, also } = refused(scoped(), call);
    const hint = "Correct the arguments and call it again.";
    expect(also).toBeUndefined();
    expect(refusal).toMatchObject({
      hint,
      rule: "plan-mode/scope-unreadable",
      matched: what,
      message: `${call.tool} was not run: the plan is limited to what it declares, and from the arguments it cannot be told what this would change (${what}). ${hint}`,
    });
  });

  it("[BY-02, AE-04] holds an agent outside where a link would lead its hands elsewhere", () => {
    const workspace = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint-scope-")));
    onTestFinished(() => rmSync(workspace, { recursive: true, force: true }));
    mkdirSync(join(workspace, "src"));
    symlinkSync(tmpdir(), join(workspace, "src", "link"));
    const { session, ...asked } = question(scoped(), { ...write("src/link/new/a.ts"), isOutside: true });
    const at = (call: Call, root = workspace) => {
      const judgedAt = { ...question(scoped(), call), session: { ...session, workspace: root } };
      return scopePolicy.evaluate(judgedAt);
    };
    expect(scopePolicy.evaluate({ ...asked, session: { ...session, workspace } })).toMatchObject({
      verdict: "block",
      refusal: { matched: "a path without links", rule: "plan-mode/scope-unreadable" },
    });
    expect(at({ ...write("src/new/a.ts"), isOutside: true })).toMatchObject(ALLOW);
    expect(at({ ...exec("npm test"), isOutside: true })).toMatchObject(ALLOW);
    expect(at(write("src/link/new/a.ts"))).toMatchObject(ALLOW); // a tool of ours is confined when it acts
    // where nothing of the path is there yet, no link can lead it elsewhere
    mkdirSync(join(workspace, "empty"));
    for (const root of [join(workspace, "empty"), join(workspace, "missing")])
      expect(at({ ...write("src/new/a.ts"), isOutside: true }, root)).toMatchObject(ALLOW);
    const patch = "*** Update File: src/a.ts\n*** Add File: src/link/b.ts";
    expect(at({ tool: "apply_patch", args: { patch }, isOutside: true })).toMatchObject({ verdict: "block" });
  });
});

describe("the mark of a command that proves something", () => {
  const proof = { by: "command", command: "npm test", exitCode: 0, criterion: "tests pass" } as const;
  const file = { by: "file", path: "a.md", criterion: "is there" } as const;
  const steps: PlanStep[] = [
    { step: "Write it down", status: "pending" },
    { step: "Move it", status: "pending", acceptanceCriteria: ["is there", "tests pass"], proof: [file, proof] },
  ];
  const marked = (session: PlanSession, call: Call) => proofMarkPolicy.evaluate(question(session, call));

  it("[BY-04] stands on exactly that command, while the plan is carried out", () => {
    const session = carriedOut(steps, {});
    const mark = { verdict: "allow", under: { proof: "npm test" } };
    expect(marked(session, exec("npm test"))).toEqual(mark);
    expect(marked(session, exec(" npm test ", { cwd: "." }))).toEqual(mark);
    for (const call of [
      exec("npm test -- x"),
      exec("npm test", { cwd: "sub" }),
      exec("npm test", { background: true }),
      { ...exec("npm test"), effect: "read" as const },
      { ...exec("npm test"), tool: "write" },
      { tool: "exec", args: {} },
    ])
      expect(marked(session, call)).toEqual(ALLOW);
  });

  it("[BY-04] stands on nothing where no plan with a proof is carried out", () => {
    const unproven = carriedOut([{ step: "Move it", status: "pending" }], {});
    for (const session of [unproven, inPhase("off"), inPhase("exploring"), inPhase("pending")])
      expect(marked(session, exec("npm test"))).toEqual(ALLOW);
    const { session, ...asked } = question(unproven, exec("npm test"));
    expect(proofMarkPolicy.evaluate({ ...asked, session: { ...session, slices: {} } })).toEqual(ALLOW);
    expect(() => proofMarkPolicy.evaluate({ ...asked, session: { ...session, slices: { planMode: {} } } })).toThrow(
      ZodError,
    );
  });
});
