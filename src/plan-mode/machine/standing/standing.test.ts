import { describe, expect, it } from "vitest";
import {
  admin,
  agent,
  alice,
  body,
  otherBody,
  planSession,
  START_MS,
  system,
} from "../../../../test/kit/plan-session.ts";
import type { Actor } from "../../../protocol/actor.ts";
import { Json, JsonObject } from "../../../protocol/json.ts";
import { digestOf } from "../../../plugins/sdk.ts";
import { lateScheduler } from "../../../../test/kit/engine-scheduler.ts";
import type { PlanBody } from "../../protocol/plan.ts";
import type { PlanModeSettings } from "../../protocol/settings.ts";
import type { Charge } from "../../../scheduler/protocol/standing.ts";
import { validSignatures } from "../signature/sign.ts";
import type { SessionKind } from "../../../protocol/session.ts";

const INSIDE: Actor = { kind: "system", reason: "scheduler" };
const DAY = 86_400_000;
const digest = (plan: PlanBody): string => digestOf(Json.parse(plan));

const CHARGE = {
  home: "ses_home",
  jobId: "job_1",
  name: "Tidy",
  jobDigest: "of the job",
  repeats: true,
  proposalOpen: false,
};

type Options = { charge?: Partial<Charge> | null; kind?: SessionKind; settings?: Partial<PlanModeSettings> };

/** The session of a run, with its turn under way. */
function runOf({ charge = {}, kind = "cron", settings = {} }: Options = {}) {
  const world = planSession({ kind, settings, plugins: [lateScheduler().plugin] });
  if (charge !== null) {
    const command = JsonObject.parse({ type: "charge", charge: { ...CHARGE, ...charge } });
    world.run({ type: "slice.apply", slice: "scheduler", command }, INSIDE);
  }
  const submit = (plan: PlanBody = body) => world.apply({ type: "submit", body: plan, digest: digest(plan) }, agent);
  const approve = (more: object = {}, actor: Actor = alice) => {
    const { now } = world.state();
    if (now.phase !== "pending" && now.phase !== "rejected") throw new Error(`the plan is ${now.phase}`);
    const { approvalId } = now.submission;
    const approval = { action: "approve", approvalId, digest: now.submission.digest, ...more } as const;
    return world.apply({ type: "decide", approval }, actor);
  };
  return { world, submit, approve };
}

const code = (done: object) => ("refused" in done ? (done.refused as { code: string }).code : "accepted");
const standing = (plan: PlanBody = body, n = 1): NonNullable<Charge["standing"]> => ({
  plan: {
    planId: "pln_signed",
    approvalId: "apr_signed",
    revision: 2,
    digest: digest(plan),
    title: plan.title,
    unlock: "approved",
    signedBy: [{ kind: "operator", id: "opr_alice", name: "Alice" }],
    signedAtMs: START_MS,
    runs: 3,
    untilMs: START_MS + DAY,
  } as NonNullable<Charge["standing"]>["plan"],
  n,
  body: plan,
});

describe("a held run", () => {
  it("[GA-14, PL-13] submits what it wants to change without entering plan mode first; what is no run of a job does not", () => {
    const { world, submit } = runOf();
    expect(code(world.apply({ type: "enter", reason: "" }, agent))).toBe("PERMISSION_DENIED");
    expect(code(submit())).toBe("accepted");
    expect(world.state().now).toMatchObject({
      phase: "pending",
      cycle: { reason: "unattended", enteredBy: { kind: "policy" } },
    });
    expect(code(runOf({ charge: null }).submit())).toBe("PLAN_NOT_ACTIVE");
    expect(code(runOf({ kind: "chat", charge: null }).submit())).toBe("PLAN_NOT_ACTIVE");
  });

  it("[GA-14, PL-16] is never approved by a rule, and submits nothing while an earlier plan of its job waits", () => {
    const { world, submit } = runOf({ settings: { requireApproval: false } });
    submit();
    expect(world.state().now.phase).toBe("pending");
    expect(code(runOf({ charge: { proposalOpen: true } }).submit())).toBe("APPROVAL_PENDING");
  });
});

describe("signing for the job", () => {
  it("[GA-14] ends the cycle, unlocks nothing, and names digest, limits and signers in the audit row", () => {
    const { world, submit, approve } = runOf();
    submit();
    const done = approve({ standing: { runs: 5, days: 2 } });
    if ("refused" in done) throw new Error(done.refused.message);
    expect(world.state().now).toMatchObject({ phase: "off", left: "completed" });
    expect(done.reply).toMatchObject({ decision: "standing", mode: "normal", runs: 5 });
    expect(done.audit).toContainEqual({
      type: "plan.decided",
      detail: expect.objectContaining({
        decision: "standing",
        digest: digest(body),
        runs: 5,
        untilMs: START_MS + 2 * DAY,
        signedBy: [{ kind: "operator", id: "opr_alice" }],
      }),
    });
    const orders = done.outbox.flatMap((work) => (work.kind === "perform" ? [work] : []));
    expect(orders).toMatchObject([
      { order: { do: "stand", home: "ses_home", jobId: "job_1", jobDigest: "of the job" } },
    ]);
    expect(done.outbox.some(({ kind }) => kind === "run-turn")).toBe(false);
  });

  it("[GA-14, PL-10] needs a run of a job that comes again, the digest that was shown, and the right to decide", () => {
    const once = runOf({ charge: { repeats: false } });
    once.submit();
    expect(code(once.approve({ standing: {} }))).toBe("STANDING_NOT_POSSIBLE");
    const { submit, approve } = runOf();
    submit();
    expect(code(approve({ standing: { runs: 1, days: 1 }, digest: undefined }))).toBe("APPROVAL_DIGEST_MISMATCH");
    expect(code(approve({ standing: { runs: 1, days: 1 }, digest: "another" }))).toBe("APPROVAL_DIGEST_MISMATCH");
    expect(code(approve({ standing: { runs: 0, days: 1 } }))).toBe("INVALID_REQUEST");
    expect(code(approve({ standing: { runs: 201, days: 1 } }))).toBe("INVALID_REQUEST");
    expect(code(approve({ standing: { runs: 1, days: 367 } }))).toBe("INVALID_REQUEST");
    for (const actor of [system, INSIDE]) expect(code(approve({ standing: {} }, actor))).toBe("PERMISSION_DENIED");
  });

  it("[BY-05, GA-14] takes the whole plan, because nobody is there to accept further steps", () => {
    const { world, submit, approve } = runOf();
    submit();
    expect(approve({ standing: { runs: 2, days: 1 }, steps: [1] })).toMatchObject({
      refused: {
        code: "STANDING_NOT_POSSIBLE",
        message: "A standing plan is accepted whole: nobody is there to accept further steps.",
      },
    });
    expect(world.state().now.phase).toBe("pending");
    expect(code(approve({ steps: [1] }))).toBe("accepted");
  });

  it("[GA-14, GW-10] needs the passkey wherever anything does, and the passkey signs the limits too", () => {
    const approvals = { quorum: 1, presence: "destructive" } as const;
    const { submit, approve } = runOf({ settings: { approvals } });
    submit();
    const signs = (decision: string) => ({
      refused: { code: "PRESENCE_REQUIRED", details: { presence: { decision } } },
    });
    expect(approve({ standing: { runs: 3, days: 2 } })).toMatchObject(signs("approve_standing_3_2"));
    expect(approve({ action: "edit", standing: { runs: 1, days: 9 } })).toMatchObject(signs("edit_standing_1_9"));
    expect(code(approve())).toBe("accepted");
  });

  it("[GA-14, PL-18] takes the least of all signers' limits; a signer for once makes it once", () => {
    const settings = { approvals: { quorum: 2 } };
    const both = runOf({ settings });
    both.submit();
    both.approve({ action: "edit", standing: { runs: 9, days: 1 } });
    const signed = both.approve({ standing: { runs: 4, days: 30 } }, admin);
    expect(signed).toMatchObject({ reply: { decision: "standing", runs: 4 } });
    expect(both.world.state().now.phase).toBe("off");
    const mixed = runOf({ settings });
    mixed.submit();
    mixed.approve({ standing: { runs: 9, days: 1 } });
    mixed.approve({}, admin);
    expect(mixed.world.state().now).toMatchObject({ phase: "executing", approval: "approved" });
    expect(mixed.world.state().now).not.toHaveProperty("standing");
  });
});

it("[GA-14, GW-10] asks for the passkey that the job's own session asks for, whichever of the two is stricter", () => {
  for (const [own, home] of [
    ["none", "passkey"],
    ["passkey", "destructive"],
    [undefined, "passkey"],
    ["passkey", undefined],
  ] as const) {
    const rules = (presence: typeof own | typeof home) => ({ quorum: 1, ...(presence && { presence }) });
    const { submit, approve } = runOf({ charge: { approvals: rules(home) }, settings: { approvals: rules(own) } });
    submit();
    expect(code(approve())).toBe("PRESENCE_REQUIRED");
  }
});

it("[GA-14, GW-10] does not count a standing signature without a passkey once whatever runs unattended needs one", () => {
  const { world, submit, approve } = runOf({ settings: { approvals: { quorum: 2 } } });
  submit();
  expect(code(approve({ standing: { runs: 2, days: 2 } }))).toBe("accepted");
  world.configure({ approvals: { quorum: 2, presence: "destructive" } });
  const { now } = world.state();
  if (now.phase !== "pending") throw new Error(`the plan is ${now.phase}`);
  expect(validSignatures(world.state(), now.submission, { settings: world.settings() })).toEqual([]);
});

describe("a run under a standing plan", () => {
  it("[GA-14] begins with exactly the text that was signed, and otherwise held", () => {
    const { world } = runOf({ charge: { standing: standing() } });
    expect(world.state().now).toMatchObject({
      phase: "executing",
      approval: "approved",
      decidedBy: { name: "Alice" },
      submission: { digest: digest(body), planId: "pln_signed" },
      standing: { jobId: "job_1", n: 1, untilMs: START_MS + DAY },
    });
    const forged = runOf({ charge: { standing: { ...standing(), body: otherBody } } });
    expect(forged.world.state().now.phase).toBe("off");
  });

  it("[GA-14, AE-01] has the permission that was signed and no other, and loses it when the run is over", () => {
    const given = standing();
    const { world } = runOf({ charge: { standing: { ...given, plan: { ...given.plan, unlock: "edited" } } } });
    expect(world.state().now).toMatchObject({ approval: "edited" });
    world.run({ type: "slice.apply", slice: "scheduler", command: { type: "discharge" } }, INSIDE);
    expect(world.state().now).toMatchObject({ phase: "off" });
  });

  it("[GA-14] of an accepted plan is not ended by the end of the run: a person follows it", () => {
    const { world, submit, approve } = runOf();
    submit();
    approve();
    world.run({ type: "slice.apply", slice: "scheduler", command: { type: "discharge" } }, INSIDE);
    expect(world.state().now.phase).toBe("executing");
  });
});
