/** A plan that unlocks only what it declares: what may be declared, what that covers, and how people add to it (BY-02). */
import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  otherAgent,
  pendingApprovalId,
  planSession,
  type PlanSession,
  reader,
  sliceEvents,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { GatedCall } from "../../../plugins/sdk.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { OperatorId } from "../../../protocol/ids.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import type { HeldCall } from "../../protocol/state.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { StepScope } from "../../protocol/step/scope.ts";
import { planDigest } from "../../tools/plan-digest.ts";
import { planGate } from "../gate.ts";
import { scopeKey, scopeOf } from "./plan-scope.ts";
import { type Need, scopeMatcher } from "./scope-match.ts";
import { scopeProblem } from "./scope-problem.ts";

const body = (...scopes: StepScope[]): PlanBody => ({
  title: "Move the parser",
  plan: scopes.map((scope, index) => ({ step: `Step ${index + 1}`, status: "pending", scope })),
});

function carriedOut(scope: StepScope, settings: Partial<PlanModeSettings> = {}): PlanSession {
  const session = planSession({ settings: { unlock: "scoped", ...settings } });
  session.must({ type: "enter", reason: "x" }, agent);
  session.must({ type: "submit", body: body(scope), digest: planDigest(body(scope)) }, agent);
  const approvalId = pendingApprovalId(session);
  session.must({ type: "decide", approval: { action: "approve", approvalId } }, alice);
  if (session.state().now.phase === "pending")
    session.must({ type: "decide", approval: { action: "approve", approvalId } }, admin);
  return session;
}

const mallory: Actor = { ...alice, name: "Mallory", id: OperatorId.parse("opr_mallory") } as Actor;

const HELD: HeldCall = {
  gate: "scope",
  tool: "write",
  kind: "file_edit",
  argsDigest: "abc",
  folder: "/w",
  rule: "plan-mode/outside-scope",
  matched: "paths: docs/a.md",
};
const WRITE: GatedCall = { tool: "write", kind: "file_edit", effect: "write", argsDigest: "abc" };
const path = (text: string): Need => ({ part: "paths", path: text });

const ask = (session: PlanSession, amend: StepScope = { paths: ["docs/a.md"] }): string =>
  session.outcome({ type: "ask-call", callId: "c", call: HELD, shown: "path: docs/a.md", amend }, agent);

function answer(session: PlanSession, choice: string, actor: Actor = alice): string {
  const { question } = session.state();
  if (question === null) throw new Error("nothing was asked");
  return session.outcome(
    { type: "decide", approval: { action: "answer", approvalId: question.approvalId, answer: choice } },
    actor,
  );
}

describe("what may be declared", () => {
  it.each([
    ["../secrets", "it leads out of its folder (..)"],
    ["src/../../x", "it leads out of its folder (..)"],
    ["/etc/passwd", "it is not relative to the workspace"],
    ["~/.ssh", "it is not relative to the workspace"],
    ["C:\\x", "it is not relative to the workspace"],
    ["src\\x", "folders are separated by /"],
    [".", "it names the whole workspace; name the folders that the step changes"],
    ["./", "it names the whole workspace; name the folders that the step changes"],
    ["**", "** matches everything below; name the folder instead"],
    ["src/**/*.ts", "** matches everything below; name the folder instead"],
    ["src/*/x.ts", "* and ? may stand in the last part only"],
    ["*", "it matches every file; name the folder instead"],
    ["src/*.*", "it matches every file; name the folder instead"],
    ["a\u202Eb", "it holds a hidden or control character"],
  ])("[BY-02] no path %j", (entry, why) => {
    expect(scopeProblem({ paths: [entry] })).toBe(`scope.paths "${entry}": ${why}`);
  });

  it.each([
    [{ tools: ["exec"] }, "declare scope.commands instead"],
    [{ tools: ["write"] }, "declare scope.paths instead"],
    [{ tools: ["mcp__*"] }, "exact name"],
    [{ hosts: ["https://x.org/"] }, "without https://"],
    [{ commands: ["<words>"] }, "names no command"],
    [{ commands: ["*"] }, "names no command"],
    [{ commands: ["npm test\nrm x"] }, "hidden or control character"],
  ])("[BY-02] nothing that would open more than it says: %j", (scope, why) => {
    expect(scopeProblem(scope)).toContain(why);
  });

  it("[BY-02, PL-17] a plan and a person's edition of it are refused alike, with a code of their own", () => {
    const session = planSession({ settings: { unlock: "scoped" } });
    session.must({ type: "enter", reason: "x" }, agent);
    const bad = body({ paths: ["../x"] });
    expect(session.outcome({ type: "submit", body: bad, digest: planDigest(bad) }, agent)).toBe("PLAN_SCOPE_INVALID");
    const good = body({ paths: ["src/"] });
    session.must({ type: "submit", body: good, digest: planDigest(good) }, agent);
    const approvalId = pendingApprovalId(session);
    const edit = (steps: PlanBody["plan"]) =>
      session.outcome(
        {
          type: "approve-edition",
          approval: { action: "approve_edited", approvalId, digest: planDigest(good), steps },
          base: good,
        },
        alice,
      );
    expect(edit(bad.plan)).toBe("PLAN_SCOPE_INVALID");
    expect(edit(body({ paths: ["docs/"] }).plan)).toBe("plan.submitted plan.approved");
    expect(scopeOf(session.state().now)?.paths).toEqual(["docs/"]); // the narrower scope is what was signed
  });
});

describe("what is covered", () => {
  const scope = scopeMatcher([
    { paths: ["src/", "README.md", "docs/*.md", "app/[id].tsx"], commands: ["npm test", "git add <words>"] },
    { hosts: ["api.example.com", "*.cdn.org", "localhost:3000"], tools: ["message", "mcp__github__*"] },
  ]);
  const host = (name: string, port = 443): Need => ({
    part: "hosts",
    host: name,
    port,
    isUsualPort: port === 443 || port === 80,
  });

  it.each(["src/a.ts", "src/b/c.ts", "src", "README.md", "docs/a.md", "app/[id].tsx"])("[BY-02] %s", (name) => {
    expect(scope.covers(path(name))).toBe(true);
  });
  it.each([
    "srcs/a.ts",
    "README.md.bak",
    "docs/x/a.md",
    "docs/a.mdx",
    "docs/.a.md",
    "doc/a.md",
    "app/i.tsx",
    ".git/config",
  ])("[BY-02] not %s", (name) => {
    expect(scope.covers(path(name))).toBe(false);
  });
  it.each([
    ["npm test", true],
    ["npm test --force", false],
    ["npm  test", false],
    ["git add src/a.ts docs/b.md", true],
    ["git add", false],
    ["git add -A", false],
    ["git add x; rm -r y", false],
    ["git add $(x)", false],
    ["git add 'a b'", false],
    ["git add x\nrm y", false],
  ])("[BY-02] the command %j: %s", (command, isCovered) => {
    expect(scope.covers({ part: "commands", command })).toBe(isCovered);
  });
  it("[BY-02] hosts by name and port, tools by name or server; commands get no network by a named host", () => {
    const hosts = [host("api.example.com"), host("a.cdn.org"), host("localhost", 3_000)];
    expect(hosts.map((one) => scope.covers(one))).toEqual([true, true, true]);
    const others = [host("example.com"), host("cdn.org"), host("api.example.com", 8_443), host("localhost")];
    expect(others.map((one) => scope.covers(one))).toEqual([false, false, false, false]);
    const tools = ["message", "mcp__github__create_issue", "mcp__gitlab__x", "cron"];
    expect(tools.map((tool) => scope.covers({ part: "tools", tool }))).toEqual([true, true, false, false]);
    expect([scope.network, scopeMatcher([{ hosts: ["*"] }]).network]).toEqual([false, true]);
  });
});

describe("the claim", () => {
  it("[BY-02, GA-12] runs only what the gate judged by the scope as it is now", () => {
    const session = carriedOut({ paths: ["src/"] });
    const { now } = session.state();
    const verdict = (under?: GatedCall["under"]) =>
      planGate(session.state(), { ...WRITE, ...(under === undefined ? {} : { under }) }, { nowMs: session.now() });
    expect(verdict({ scope: scopeKey(now) ?? "" })).toMatchObject({ allowed: true });
    const none = { allowed: false, refusal: { rule: "plan-mode/scope-changed" } };
    expect(verdict()).toMatchObject(none);
    ask(session);
    answer(session, "amend");
    expect(verdict({ scope: scopeKey(now) ?? "" })).toMatchObject(none);
  });

  it("[BY-02] a setting that is loosened later does not open a plan that was signed with its limit", () => {
    const session = carriedOut({ paths: ["src/"] });
    session.configure({ unlock: "open" });
    expect(planGate(session.state(), WRITE, { nowMs: session.now() })).toMatchObject({ allowed: false });
  });
});

describe("an amendment", () => {
  it("[BY-02] adds exactly what was asked for, under a digest of its own, and the agent is told", () => {
    const session = carriedOut({ paths: ["src/"] });
    expect(ask(session)).toBe("question.asked");
    const proposed = session.state().question?.amendment;
    expect(proposed).toEqual({ n: 1, add: { paths: ["docs/a.md"] }, digest: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(answer(session, "amend")).toBe("question.answered plan.amended");
    const { now } = session.state();
    expect(now).toMatchObject({ phase: "executing", amendments: [{ ...proposed, by: { name: "Alice" } }] });
    expect(["docs/a.md", "docs/b.md", "src/x"].map((name) => scopeOf(now)?.covers(path(name)))).toEqual([
      true,
      false,
      true,
    ]);
    expect(session.session().injections.map(({ text }) => text)).toContainEqual(
      expect.stringContaining("its scope now also holds paths: docs/a.md"),
    );
    expect(ask(session, { paths: ["docs/a.md"] })).toBe("question.asked");
    expect(session.state().question?.amendment?.digest).not.toBe(proposed?.digest);
  });

  it("[BY-02, PL-19] needs what an approval needs: a listed person, every signature", () => {
    const session = carriedOut({ paths: ["src/"] }, { approvals: { quorum: 2, approvers: ["Alice", "Root"] } });
    ask(session);
    expect(session.state().question?.options.map(({ id }) => id)).toEqual(["amend", "deny"]);
    expect(answer(session, "amend", mallory)).toBe("APPROVER_NOT_LISTED");
    expect(answer(session, "amend")).toBe("loosening.signed");
    expect(session.state().question).not.toBeNull();
    expect(answer(session, "amend")).toBe("APPROVAL_ALREADY_SIGNED");
    expect(answer(session, "amend", admin)).toBe("loosening.signed question.answered plan.amended");
    expect(session.state().loosening).toBeUndefined();
    session.revoked.add("opr_alice");
    const under = { scope: scopeKey(session.state().now) ?? "" };
    expect(
      planGate(session.state(), { ...WRITE, under }, { nowMs: session.now(), revoked: session.revoked }),
    ).toMatchObject({ allowed: false, refusal: { rule: "plan-mode/approver-revoked" } });
  });

  it("[BY-02] nobody but a person amends, and nothing is amended where no limit holds", () => {
    const session = carriedOut({ paths: ["src/"] });
    ask(session);
    for (const actor of [agent, otherAgent, system, reader])
      expect(answer(session, "amend", actor)).toBe("PERMISSION_DENIED");
    const open = carriedOut({ paths: ["src/"] }, { unlock: "open" });
    expect(ask(open)).toBe("PLAN_NOT_ACTIVE");
    expect(planGate(open.state(), WRITE, { nowMs: open.now() })).toMatchObject({ allowed: true });
  });

  it("[BY-02] denied, expired or with a plan that ended it adds nothing", () => {
    const denied = carriedOut({ paths: ["src/"] });
    ask(denied);
    expect(answer(denied, "deny")).toBe("question.answered grant.denied");
    const left = carriedOut({ paths: ["src/"] });
    ask(left);
    expect(sliceEvents(left.must({ type: "leave" }, alice))).toEqual(["question.closed", "plan.left"]);
    for (const session of [denied, left]) expect(session.state().now).not.toHaveProperty("amendments");
  });
});

describe("what the agent reports", () => {
  it("[BY-01, BY-02] widens nothing: signed steps keep what they declare, and new ones declare no scope", () => {
    const session = carriedOut({ paths: ["src/"] });
    const wider: StepScope = { paths: ["docs/"] };
    session.must({ type: "update", patch: { plan: [{ step: "Step 1", status: "in_progress", scope: wider }] } }, agent);
    expect(session.state().now.steps).toEqual([{ step: "Step 1", status: "in_progress", scope: { paths: ["src/"] } }]);
    const added = { step: "More", status: "pending", scope: wider } as const;
    expect(session.outcome({ type: "update", patch: { plan: [added], merge: true } }, agent)).toBe("PLAN_INVALID");
    expect(scopeOf(session.state().now)?.covers(path("docs/a.md"))).toBe(false);
  });

  it("[BY-01] a plan without declarations has the digest that it always had", () => {
    const plain: PlanBody = {
      title: "Rename the parser",
      plan: [
        { step: "Rename the file", status: "pending", acceptanceCriteria: ["imports resolve", "tests pass"] },
        { step: "Tell the team", status: "pending" },
      ],
    };
    expect(planDigest(plain)).toBe("1403685f97a9b35ecd3624e219690fe8eea07cd5069e989d7badd8b4dd820af5");
    expect(planDigest({ ...plain, plan: [{ step: "A", status: "pending", scope: { paths: ["a"] } }] })).not.toBe(
      planDigest({ ...plain, plan: [{ step: "A", status: "pending", scope: { paths: ["b"] } }] }),
    );
  });

  it.each([
    ["an id twice", [{ id: "a" }, { id: "a" }]],
    ["no such step", [{ dependsOn: ["a"] }]],
    [
      "a circle",
      [
        { id: "a", dependsOn: ["b"] },
        { id: "b", dependsOn: ["a"] },
      ],
    ],
    ["a proof of nothing", [{ proof: [{ by: "person" as const, criterion: "x" }] }]],
  ])("[BY-02, BY-04] a plan is refused for %s", (_why, more) => {
    const session = planSession();
    session.must({ type: "enter", reason: "x" }, agent);
    const plan = more.map((one, index) => ({ step: `S${index}`, status: "pending" as const, ...one }));
    const odd: PlanBody = { title: "T", plan };
    expect(session.outcome({ type: "submit", body: odd, digest: planDigest(odd) }, agent)).toBe("PLAN_INVALID");
  });
});
