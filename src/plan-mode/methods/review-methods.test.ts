/** Review over the wire: notes, comparisons, documents, links and readers, and who may do what. */
import { afterEach, describe, expect, it } from "vitest";
import { present, type ServedGateway, serveGateway, type ServedOptions } from "../../../test/kit/served-gateway.ts";
import type { WireClient } from "../../../test/kit/wire-client.ts";
import { planDigest } from "../tools/plan-digest.ts";
import { ApprovalRules } from "../protocol/approvals.ts";
import type { Scope } from "../../protocol/actor.ts";
import { OperatorId, type PlanId, type SessionId, ShareId } from "../../protocol/ids.ts";
import { logIn } from "../../../test/kit/browser-login.ts";
import { newLink } from "./plan-links.ts";
import { Json } from "../../protocol/json.ts";
import { ALL_METHODS, type MethodName } from "../../all-methods.ts";
import { PlanModeState } from "../protocol/state.ts";
import type { PlanBody, PlanStep } from "../protocol/plan.ts";
import { openMemoryStore } from "../../store/memory/memory-store.ts";
import type { NoteTarget } from "../protocol/review.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

const serve = async (options: ServedOptions = {}): Promise<WireClient> => {
  gateway = await serveGateway(options);
  return gateway.client();
};
const code = async (client: WireClient, method: MethodName, params: object): Promise<string> => {
  const answer = await client.request(method, params);
  if (answer === undefined) return "no answer";
  return answer.ok ? "ok" : answer.error.code;
};

const body: PlanBody = {
  title: "Paint the <shed>\u202e",
  summary: "We paint it green.",
  plan: [
    { step: "Buy paint", status: "pending", acceptanceCriteria: ["it is green"] },
    { step: "Paint the shed", status: "pending" },
  ],
};
const revised: PlanBody = {
  ...body,
  plan: [
    { step: "Buy green paint", status: "pending", acceptanceCriteria: ["it is green"] },
    { step: "Paint the shed", status: "pending" },
  ],
};

async function submit(sessionId: SessionId, given: PlanBody = body, addresses: string[] = []) {
  const command = { type: "submit", body: Json.parse(given), digest: planDigest(given), addresses };
  const by = { actor: { kind: "agent" as const, sessionId } };
  const outcome = await gateway.engine.dispatch(sessionId, { type: "slice.apply", slice: "planMode", command }, by);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
  const { now } = PlanModeState.parse(outcome.session?.slices["planMode"]);
  if (now.phase !== "pending") throw new Error(`no plan waits: ${now.phase}`);
  return now.submission;
}

/** The agent reports progress. */
async function update(sessionId: SessionId, plan: PlanStep[]): Promise<void> {
  const command = { type: "update", patch: { plan: Json.parse(plan), merge: true } };
  const by = { actor: { kind: "agent" as const, sessionId } };
  const outcome = await gateway.engine.dispatch(sessionId, { type: "slice.apply", slice: "planMode", command }, by);
  if (!outcome.ok) throw new Error(outcome.refusal.message);
}

async function waiting(client: WireClient) {
  const { session } = await client.must("sessions.create", {});
  return { sessionId: session.id, ...(await submit(session.id)) };
}
type Waiting = Awaited<ReturnType<typeof waiting>>;

const note = ({ sessionId, approvalId }: Waiting, anchor: NoteTarget, text: string) =>
  ({ sessionId, planNote: { action: "add", approvalId, anchor, text } }) as const;
const stateOf = async (client: WireClient, sessionId: SessionId) =>
  PlanModeState.parse((await client.must("sessions.get", { sessionId })).session.slices["planMode"]);

/** Rejected with notes, revised by the agent, which names the first of them. */
async function secondRevision(client: WireClient) {
  const first = await waiting(client);
  const { sessionId, approvalId } = first;
  await client.must("sessions.patch", note(first, { on: "step", step: 1 }, "Which colour?"));
  await client.must("sessions.patch", note(first, { on: "section", section: "summary" }, "Why?"));
  await client.must("sessions.patch", { sessionId, planApproval: { action: "reject", approvalId, feedback: "" } });
  const second = await submit(sessionId, revised, ["n1"]);
  return { sessionId, first, second };
}

describe("notes", () => {
  it("[RV-01, GW-02] are written by whoever may approve, and read by whoever may read", async () => {
    const alice = await serve();
    const plan = await waiting(alice);
    const rights: [Scope[], string, string][] = [
      [["operator.read"], "FORBIDDEN", "ok"],
      [["operator.write"], "FORBIDDEN", "ok"],
      [["operator.approvals"], "ok", "ok"],
    ];
    for (const [scopes, writes, reads] of rights) {
      const client = await gateway.client(scopes, scopes.join());
      expect(await code(client, "sessions.patch", note(plan, { on: "plan" }, "x"))).toBe(writes);
      expect(await code(client, "plans.notes", { planId: plan.planId })).toBe(reads);
    }
  });

  it("[RV-01, ST-02, BY-06] are kept with the decisions for every revision, also after the cycle is over", async () => {
    const alice = await serve();
    const { sessionId, first, second } = await secondRevision(alice);
    await alice.must("sessions.patch", { sessionId, planMode: "normal" });
    expect((await stateOf(alice, sessionId)).review).toBeUndefined();
    const old = await alice.must("plans.notes", { planId: first.planId });
    const now = await alice.must("plans.notes", { planId: second.planId });
    expect(ALL_METHODS["plans.notes"].result.parse(now)).toEqual(now);
    expect(old.notes).toMatchObject([{ n: 1, standing: "exact", anchor: { text: "Buy paint" } }, { n: 2 }]);
    expect(now.notes).toMatchObject([
      { n: 1, standing: "exact", anchor: { text: "Buy green paint" }, addressedIn: 2, by: { name: "alice" } },
      { n: 2, standing: "exact" },
    ]);
    expect(now.decisions).toMatchObject([
      {
        decision: "rejected",
        planId: first.planId,
        by: { name: "alice" },
        notes: expect.stringContaining("Which colour?"),
      },
    ]);
  });
});

describe("decisions", () => {
  it("[ST-02, BY-05] in part are kept with their steps, and so is each later one about steps", async () => {
    const alice = await serve();
    const { sessionId, approvalId, planId } = await waiting(alice);
    const decide = (action: "approve" | "release" | "hold" | "skip", steps: number[]) =>
      alice.must("sessions.patch", { sessionId, planApproval: { action, approvalId, steps } });
    await decide("approve", [1]);
    await decide("release", [2]);
    await decide("hold", [2]);
    await decide("skip", [2]);
    const { decisions } = await alice.must("plans.notes", { planId });
    expect(decisions.map(({ decision, steps, by }) => [decision, steps, by.name])).toEqual([
      ["approved", [1], "alice"],
      ["released", [2], "alice"],
      ["held", [2], "alice"],
      ["skipped", [2], "alice"],
    ]);
    await decide("skip", [1]); // the last one: the cycle is over, and this is kept as well
    expect((await alice.must("plans.notes", { planId })).decisions.at(-1)).toMatchObject({
      decision: "skipped",
      steps: [1],
    });
    const { text } = await alice.must("plans.export", { planId, format: "markdown" });
    expect(text).toMatch(
      /approved step 1 by alice \(api\)\n- \S+ accepted step 2 by alice \(api\)\n- \S+ held step 2 by alice \(api\)\n/,
    );
  });
});

describe("comparisons", () => {
  it("[PL-17, RV-02] of a plan with steps that nobody stored yet, and which notes they would answer", async () => {
    const alice = await serve();
    const plan = await waiting(alice);
    await alice.must("sessions.patch", note(plan, { on: "step", step: 1 }, "Which colour?"));
    const { plan: revision } = await alice.must("plans.get", { planId: plan.planId });
    const [first, ...rest] = revision.body.plan;
    const steps = [...rest, { status: "pending" as const, ...first, step: "Buy green paint" }];
    const { diff } = await alice.must("plans.diff", { planId: plan.planId, steps });
    expect(diff?.steps.filter(({ change }) => change === "changed")).toMatchObject([
      { from: 1, to: steps.length, answers: [{ n: 1, declared: false }] },
    ]);
    expect((await alice.must("plans.revisions", { planId: plan.planId })).plans).toHaveLength(1);
  });

  it("[RV-02, ST-02] of any two revisions, by default the last with the one before", async () => {
    const alice = await serve();
    const { sessionId, first, second } = await secondRevision(alice);
    const { diff } = await alice.must("plans.diff", { sessionId });
    expect(diff).toMatchObject({
      from: { planId: first.planId, revision: 1, author: { kind: "agent" } },
      to: { planId: second.planId, revision: 2 },
      steps: [
        { change: "changed", answers: [{ n: 1, declared: true }] },
        { change: "same", answers: [] },
      ],
      sections: [],
    });
    expect(present(diff).raw).toContain("-- Buy paint\n+- Buy green paint");
    const same = [
      { planId: second.planId },
      { sessionId, from: 1, to: 2 },
      { sessionId, from: first.planId, to: second.planId },
    ];
    for (const asked of same) expect((await alice.must("plans.diff", asked)).diff).toEqual(diff);
    const back = await alice.must("plans.diff", { sessionId, from: 2, to: 1 });
    expect(present(back.diff).to.revision).toBe(1);
    expect((await alice.must("plans.diff", { planId: first.planId })).diff).toBeNull();
    expect(await code(alice, "plans.diff", { sessionId, from: 9 })).toBe("PLAN_NOT_FOUND");
    expect(await code(alice, "plans.diff", {})).toBe("PLAN_NOT_FOUND");
  });
});

describe("edit and approve", () => {
  const steps = [{ step: "Buy blue paint", status: "pending" as const }];

  it("[PL-17, PL-10] commits one revision and one decision, and says the same when it is asked again", async () => {
    const alice = await serve();
    const { sessionId, approvalId, digest } = await waiting(alice);
    const planApproval = { action: "approve_edited", approvalId, digest, steps } as const;
    const asked = { sessionId, planApproval, idempotencyKey: "k1" };
    const first = await alice.must("sessions.patch", asked);
    const again = await alice.must("sessions.patch", asked);
    expect(again.reply).toEqual(first.reply);
    expect(first.reply).toMatchObject({ decision: "approved", mode: "executing", revision: 2 });
    const { plans } = await alice.must("plans.list", { sessionId });
    expect(
      plans.map(({ revision, author, body: { plan, summary } }) => ({ revision, author, plan, summary })),
    ).toMatchObject([
      { revision: 2, author: { kind: "operator", name: "alice" }, plan: steps, summary: "We paint it green." },
      { revision: 1 },
    ]);
  });

  it("[PL-17, PL-10] of several at once, one wins", async () => {
    const alice = await serve();
    const { sessionId, approvalId, digest } = await waiting(alice);
    const clients = await Promise.all(["bob", "carol", "dave"].map((name) => gateway.client(undefined, name)));
    const codes = await Promise.all(
      clients.map((client, n) => {
        const mine = [{ step: `Buy paint ${n}`, status: "pending" as const }];
        const planApproval = { action: "approve_edited", approvalId, digest, steps: mine } as const;
        return code(client, "sessions.patch", { sessionId, planApproval });
      }),
    );
    expect(codes.toSorted()).toEqual(["APPROVAL_SUPERSEDED", "APPROVAL_SUPERSEDED", "ok"]);
    expect((await alice.must("plans.list", { sessionId })).plans).toHaveLength(2);
  });
});

describe("a quorum", () => {
  it("[PL-18, PL-10] of many signing at once is reached exactly once, by different people", async () => {
    const alice = await serve({ planMode: { approvals: ApprovalRules.parse({ quorum: 3 }) } });
    const { sessionId, approvalId, planId } = await waiting(alice);
    const names = ["ann", "ann", "bob", "bob", "carol", "dave"];
    const clients = await Promise.all(names.map((name) => gateway.client(undefined, name)));
    const planApproval = { action: "approve", approvalId } as const;
    const codes = await Promise.all(
      clients.map((client) => code(client, "sessions.patch", { sessionId, planApproval })),
    );
    expect(codes.filter((one) => one === "ok")).toHaveLength(3);
    const { now } = await stateOf(alice, sessionId);
    const signers = now.phase === "executing" ? (now.signatures ?? []).map(({ by }) => by.name) : [];
    expect([new Set(signers).size, signers.length]).toEqual([3, 3]);
    const { decisions } = await alice.must("plans.notes", { planId });
    expect(decisions.map(({ decision }) => decision)).toEqual(["signed", "signed", "signed", "approved"]);
  });

  it("[PL-18, PL-10, I02] on two nodes over one store is reached once as well", async () => {
    const store = openMemoryStore();
    const planMode = { approvals: ApprovalRules.parse({ quorum: 2 }) };
    const alice = await serve({ store, planMode });
    const other = await serveGateway({ store, planMode });
    const { sessionId, approvalId, planId } = await waiting(alice);
    const people = await Promise.all([
      gateway.client(undefined, "bob"),
      other.client(undefined, "bob"),
      other.client(undefined, "carol"),
      gateway.client(undefined, "dave"),
    ]);
    const planApproval = { action: "approve", approvalId } as const;
    const codes = await Promise.all(
      people.map((client) => code(client, "sessions.patch", { sessionId, planApproval })),
    );
    expect(codes.filter((one) => one === "ok")).toHaveLength(2);
    const { decisions } = await alice.must("plans.notes", { planId });
    expect(decisions.map(({ decision }) => decision)).toEqual(["signed", "signed", "approved"]);
    expect(new Set(decisions.slice(0, 2).map(({ by }) => by.name)).size).toBe(2);
    await other.close();
  });

  it("[PL-18] a rejection beside signatures leaves one outcome", async () => {
    const alice = await serve({ planMode: { approvals: ApprovalRules.parse({ quorum: 2 }) } });
    const { sessionId, approvalId } = await waiting(alice);
    const [bob, carol] = [await gateway.client(undefined, "bob"), await gateway.client(undefined, "carol")];
    await Promise.all([
      code(alice, "sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } }),
      code(bob, "sessions.patch", { sessionId, planApproval: { action: "reject", approvalId, feedback: "no" } }),
      code(carol, "sessions.patch", { sessionId, planApproval: { action: "approve", approvalId } }),
    ]);
    expect(["executing", "rejected"]).toContain((await stateOf(alice, sessionId)).now.phase);
  });
});

describe("reading", () => {
  it("[BY-07] moves the deadline of what waits, for whoever may decide", async () => {
    const alice = await serve();
    const { sessionId, approvalId, deadlineAtMs } = await waiting(alice);
    const told = await alice.must("plans.reading", { sessionId, approvalId });
    expect(told).toEqual({ deadlineAtMs: deadlineAtMs + 60_000, pausedUntilMs: gateway.clock.now() + 60_000 });
    expect((await stateOf(alice, sessionId)).now).toMatchObject({ submission: { deadlineAtMs: told.deadlineAtMs } });
    const reader = await gateway.client(["operator.read"], "bob");
    expect(await code(reader, "plans.reading", { sessionId, approvalId })).toBe("FORBIDDEN");
  });
});

const page = async (path: string, init?: RequestInit) => fetch(`${gateway.url}${path}`, init);

describe("documents and links", () => {
  it("[RV-03] a plan is exported in three forms, with its notes and decisions", async () => {
    const alice = await serve();
    const { second } = await secondRevision(alice);
    const { planId } = second;
    const markdown = await alice.must("plans.export", { planId, format: "markdown" });
    expect(markdown).toMatchObject({
      filename: "plan-paint-the-shed-r2.md",
      mediaType: "text/markdown; charset=utf-8",
    });
    expect(markdown.text).toContain("- [ ] Buy green paint");
    expect(markdown.text).toContain("Which colour?");
    const json = await alice.must("plans.export", { planId, format: "json" });
    expect(JSON.parse(json.text)).toMatchObject({ plan: { planId }, notes: [{ n: 1 }, { n: 2 }], decisions: [{}] });
    const html = await alice.must("plans.export", { planId, format: "html" });
    expect(html.text).toContain("Paint the &lt;shed&gt;‹U+202E›");
  });

  it("[RV-03, CH-01] shows the steps as they stand, while the plan is carried out and when its cycle is over", async () => {
    const alice = await serve();
    const { sessionId, planId, approvalId, digest } = await waiting(alice);
    const { path } = await alice.must("plans.share", { planId });
    const shown = async () => (await alice.must("plans.export", { planId, format: "markdown" })).text;
    expect(await shown()).toContain("Steps (0/2 done)");
    await alice.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId, digest } });
    await update(sessionId, [{ step: "Paint the shed", status: "cancelled" }]);
    expect(await shown()).toContain("Steps (0/2 done, 1 cancelled)");
    expect(await (await page(path)).text()).toContain("Steps (0/2 done, 1 cancelled)");
    const json = JSON.parse((await alice.must("plans.export", { planId, format: "json" })).text);
    expect(json).toMatchObject({ plan: { digest, body: { plan: [{}, { status: "pending" }] } } });
    expect(json.progress).toMatchObject([{ status: "pending" }, { step: "Paint the shed", status: "cancelled" }]);
    await update(sessionId, [
      { step: "Buy paint", status: "completed", verifiedCriteria: ["it is green"] },
      { step: "Clean up", status: "completed" },
    ]);
    expect((await stateOf(alice, sessionId)).now).toMatchObject({ phase: "off", left: "completed" });
    await alice.must("sessions.patch", { sessionId, planMode: "plan" });
    await submit(sessionId);
    expect(await shown()).toContain("Steps (2/3 done, 1 cancelled)");
  });

  it("[RV-03, PL-11] keeps how far a plan came that a person left", async () => {
    const alice = await serve();
    const { sessionId, planId, approvalId, digest } = await waiting(alice);
    await alice.must("sessions.patch", { sessionId, planApproval: { action: "approve", approvalId, digest } });
    await update(sessionId, [{ step: "Paint the shed", status: "cancelled" }]);
    await alice.must("sessions.patch", { sessionId, planMode: "normal" });
    const { text } = await alice.must("plans.export", { planId, format: "html" });
    expect(text).toContain("Steps (0/2 done, 1 cancelled)");
  });

  it("[RV-03] a link shows the plan to whoever has it, and nothing else", async () => {
    const alice = await serve();
    const { planId } = await waiting(alice);
    const { path } = await alice.must("plans.share", { planId, expiresInSeconds: 60 });
    expect(path).toMatch(/^\/share\/[A-Za-z0-9_-]{43}$/);
    const shown = await page(path);
    expect([shown.status, shown.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(shown.headers.get("cache-control")).toBe("no-store");
    expect(shown.headers.get("x-robots-tag")).toContain("noindex");
    expect(shown.headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(shown.headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(await shown.text()).toContain("Buy paint");
    expect((await page(path, { method: "POST" })).status).toBe(405);
    for (const wrong of ["/share/", `${path}x`, path.slice(0, -1), `/share/${"A".repeat(43)}`, `${path}/..`]) {
      expect((await page(wrong)).status).toBe(404);
    }
  });

  it("[RV-03] its secret is nowhere in the store, and it ends by time, by hand and with its session", async () => {
    const alice = await serve();
    const { sessionId, planId } = await waiting(alice);
    const [timed, ended, gone] = [
      await alice.must("plans.share", { planId, expiresInSeconds: 60 }),
      await alice.must("plans.share", { planId }),
      await alice.must("plans.share", { planId }),
    ];
    const { items } = await gateway.inner.artifacts({ kind: "plan-share", cursor: null, limit: 10 });
    const events = await gateway.inner.events({ cursor: 0, sessionId, limit: 100 });
    const secret = timed.path.replace("/share/", "");
    expect(JSON.stringify([items, events, await gateway.inner.auditRows({ afterSeq: 0, limit: 100 })])).not.toContain(
      secret,
    );
    gateway.clock.advance(60_000);
    expect((await page(timed.path)).status).toBe(404);
    await alice.must("plans.unshare", { shareId: ended.shareId });
    expect((await page(ended.path)).status).toBe(404);
    const { shares } = await alice.must("plans.shares", { sessionId });
    expect(shares.map(({ shareId, revoked }) => [shareId, revoked])).toEqual([
      [gone.shareId, false],
      [ended.shareId, true],
      [timed.shareId, false],
    ]);
    expect((await page(gone.path)).status).toBe(200);
    await alice.must("sessions.delete", { sessionId });
    expect((await page(gone.path)).status).toBe(404);
  });

  it("[RV-03, GW-03] ends with the revocation of the browser or the operator that made it, not with a log-out", async () => {
    const alice = await serve();
    const { sessionId, planId } = await waiting(alice);
    const browsers = [await logIn(gateway), await logIn(gateway), await logIn(gateway)];
    const paths = await Promise.all(
      browsers.map(async ({ device }) => {
        const operator = present((await gateway.tokens.list()).find(({ id }) => id === device)?.device).operatorId;
        const { secret, tokenHash, shareId } = newLink();
        const actor = {
          kind: "operator",
          id: operator,
          name: "alice",
          scopes: ["operator.approvals"],
          surface: "page",
        };
        const by = { actor: { ...actor, device: OperatorId.parse(device) } as never };
        const command = { type: "share", planId, shareId, tokenHash, expiresAtMs: gateway.clock.now() + 60_000 };
        await gateway.engine.dispatch(sessionId, { type: "slice.apply", slice: "planMode", command }, by);
        return `/share/${secret}`;
      }),
    );
    const statuses = () => Promise.all(paths.map(async (path) => (await page(path)).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await gateway.tokens.revoke(OperatorId.parse(present(browsers[0]).device), "test");
    await gateway.tokens.leave(OperatorId.parse(present(browsers[1]).device), "test");
    expect(await statuses()).toEqual([404, 200, 200]);
    const { shares } = await alice.must("plans.shares", { sessionId });
    expect(shares.filter(({ revoked }) => revoked)).toHaveLength(1);
    for (const { id, device } of await gateway.tokens.list())
      if (device === null && shares.some(({ by }) => by.id === id)) await gateway.tokens.revoke(id, "test");
    expect(await statuses()).toEqual([404, 404, 404]);
  });

  it("[RV-03, I05] making and ending one is for whoever may approve", async () => {
    const alice = await serve();
    const { planId } = await waiting(alice);
    const { shareId } = await alice.must("plans.share", { planId });
    const reader = await gateway.client(["operator.read", "operator.write"], "bob");
    expect(await code(reader, "plans.share", { planId })).toBe("FORBIDDEN");
    expect(await code(reader, "plans.unshare", { shareId })).toBe("FORBIDDEN");
    expect(await code(alice, "plans.unshare", { shareId: ShareId.parse("shr_none") })).toBe("SHARE_NOT_FOUND");
    const unknown: PlanId = planId;
    expect(await code(alice, "plans.share", { planId: `${unknown}x` })).toBe("PLAN_NOT_FOUND");
  });
});
