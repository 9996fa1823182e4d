/**
 * What the largest plan costs, 500 steps with 200 notes: a durable patch of its session, as the page sends it and with the
 * whole session in the answer, beside one of an empty session and beside raw SQLite that writes as much; the comparison of two revisions beside writing and reading them as JSON, and the check of its scope beside the plan gate's verdict.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { agent, alice, inPhase, pendingApprovalId, planSession, submitted } from "../test/kit/plan-session.ts";
import { type WireClient, wireClient } from "../test/kit/wire-client.ts";
import { comparePlans } from "../src/plan-mode/machine/compare/compare-plans.ts";
import { planGatePolicy } from "../src/plan-mode/gates/plan-gate.ts";
import { scopePolicy } from "../src/plan-mode/gates/scope-gate.ts";
import { type PlanBody, PlanRevision, type PlanStep, STEPS_MAX } from "../src/plan-mode/protocol/plan.ts";
import { type Note, NOTES_MAX } from "../src/plan-mode/protocol/review.ts";
import { digestOf, type PolicyQuestion } from "../src/plugins/sdk.ts";
import { type NoteId, SessionId } from "../src/protocol/ids.ts";
import { against, figure, type Group, median, percentile } from "./figure.ts";
import { withGateway } from "./gateway.ts";
import { LONG_PLAN_PROCESS, submitLongPlan } from "./long-plan.ts";

const PATCHES = 500;
const WARM_UP = 50;
const COMPARISONS = 60;
const CHECKS = 20_000;
const ROUNDS = 7;
const US_PER_MS = 1_000;
/** Of the steps of the second revision: every tenth has other words, and two have changed places. */
const EVERY = 10;
/** More would not fit the one text in which the agent gets them. */
const OPEN_NOTES = 50;

type Report = Parameters<Group>[0];

export const plans: Group = async (report) => {
  await patches(report);
  comparisons(report);
  await scopedChecks(report);
};

async function patches(report: Report): Promise<void> {
  await withGateway(
    async ({ gateway }) => {
      const person = await wireClient(gateway);
      const sessionId = SessionId.parse(await submitLongPlan(person));
      const { session: empty } = await person.must("sessions.create", { title: "Empty" });
      const noteIds = await annotated(person, sessionId);
      const empties = (n: number) => person.must("sessions.patch", { sessionId: empty.id, title: `Empty ${n}` });
      const [bare, large] = await inTurn(empties, (n) =>
        person.must("sessions.patch", { sessionId, planNote: turned(n, noteIds), withoutSession: true }),
      );
      // apart: what the client reads of such an answer is garbage that its other patches would wait for
      const [, whole] = await inTurn(empties, (n) =>
        person.must("sessions.patch", { sessionId, planNote: turned(n, noteIds) }),
      );
      const { session } = await person.must("sessions.get", { sessionId });
      const raw = await rawCommitsMs(JSON.stringify(session.slices));
      person.close();
      const name = `patch of a ${STEPS_MAX}-step plan with ${NOTES_MAX} notes`;
      for (const percent of [50, 99]) {
        const emptyMs = percentile(bare, percent);
        report(against(emptyMs, figure(`${name}, p${percent}`, percentile(large, percent), "ms")));
        report(
          against(
            emptyMs,
            figure(`the same, with the session in its answer, p${percent}`, percentile(whole, percent), "ms"),
          ),
        );
        report(figure(`raw SQLite commit of a row as large, p${percent}`, percentile(raw, percent), "ms"));
      }
    },
    undefined,
    LONG_PLAN_PROCESS,
  );
}

/** Each note is reopened, and resolved by the next patch. */
function turned(n: number, noteIds: readonly NoteId[]) {
  const noteId = noteIds[Math.floor(n / 2) % noteIds.length];
  if (noteId === undefined) throw new Error("there is no note");
  return { action: n % 2 === 0 ? "reopen" : "resolve", noteId } as const;
}

type Patching = (n: number) => Promise<unknown>;

/** One of each after the other, so that both meet the same machine. */
async function inTurn(first: Patching, second: Patching): Promise<[number[], number[]]> {
  const [ones, others]: [number[], number[]] = [[], []];
  for (let n = 0; n < PATCHES + WARM_UP; n++) {
    const oneMs = await timedMs(() => first(n));
    const otherMs = await timedMs(() => second(n));
    if (n < WARM_UP) continue;
    ones.push(oneMs);
    others.push(otherMs);
  }
  return [ones, others];
}

/** What the disk of this machine takes for it, in the same run. */
async function rawCommitsMs(body: string): Promise<number[]> {
  const folder = await mkdtemp(join(tmpdir(), "holdpoint-raw-"));
  const db = new DatabaseSync(join(folder, "raw.db"));
  db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
    CREATE TABLE sessions (id TEXT PRIMARY KEY, version INTEGER, body TEXT) STRICT;`);
  db.prepare("INSERT INTO sessions VALUES ('ses_1', 1, ?)").run(body);
  const update = db.prepare("UPDATE sessions SET version = version + 1, body = ? WHERE id = 'ses_1'");
  const times: number[] = [];
  for (let n = 0; n < PATCHES; n++) {
    const startedAtMs = performance.now();
    update.run(body);
    times.push(performance.now() - startedAtMs);
  }
  db.close();
  await rm(folder, { recursive: true, force: true });
  return times;
}

async function annotated(person: WireClient, sessionId: SessionId): Promise<NoteId[]> {
  const { plans: submittedPlans } = await person.must("plans.list", { sessionId });
  const [plan] = submittedPlans;
  if (plan === undefined) throw new Error("no plan was submitted");
  const { approvalId, planId } = plan;
  const noteIds: NoteId[] = [];
  for (let n = 1; n <= NOTES_MAX; n++) {
    const planNote = { action: "add", approvalId, anchor: { on: "step", step: n }, text: `Look at part ${n} twice.` };
    await person.must("sessions.patch", { sessionId, planNote: planNote as never });
    const noteId = (await person.must("plans.notes", { planId })).notes.at(-1)?.id;
    if (noteId === undefined) throw new Error("the note is not there");
    await person.must("sessions.patch", { sessionId, planNote: { action: "resolve", noteId } }); // so many open ones would not fit a text
    noteIds.push(noteId);
  }
  return noteIds;
}

async function timedMs(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}

const aStep = (n: number): PlanStep => ({
  step: `Step number ${n}: change src/part-${n}.ts so that it uses the new interface of area ${n % 17}`,
  status: "pending",
  acceptanceCriteria: [`the tests of part ${n} pass`, "nothing else imports the old interface"],
  scope: { paths: [`src/part-${n}.ts`, `test/part-${n}/`], commands: [`npm test -- part-${n}`] },
});

const aBody = (plan: PlanStep[]): PlanBody => ({ title: "Move every part to the new interface", plan });

const STEPS = Array.from({ length: STEPS_MAX }, (_, index) => aStep(index + 1));

function changedSteps(): PlanStep[] {
  const changed = STEPS.map((step, n) => (n % EVERY === 0 ? { ...step, step: `${step.step}, and its callers` } : step));
  const [first, ...rest] = changed;
  return first === undefined ? [] : [...rest, first];
}

function aRevision(revision: number, steps: PlanStep[]): PlanRevision {
  const ids = { planId: `pln_${revision}`, sessionId: "ses_1", cycleId: "cyc_1", approvalId: `apr_${revision}` };
  return PlanRevision.parse({ ...ids, revision, digest: "d", submittedAtMs: revision, body: aBody(steps) });
}

/** Notes on the first revision that the second one says to answer. */
function someNotes(): Note[] {
  const session = inPhase("exploring");
  submitted(session, aBody(STEPS));
  const approvalId = pendingApprovalId(session);
  for (let n = 1; n <= NOTES_MAX; n++) {
    const note = {
      action: "add",
      approvalId,
      kind: "change",
      anchor: { on: "step", step: n },
      text: `Part ${n}?`,
    } as const;
    session.must({ type: "note", note }, alice);
    const noteId = session.state().review?.notes.at(-1)?.id;
    if (n > OPEN_NOTES && noteId !== undefined)
      session.must({ type: "note", note: { action: "resolve", noteId } }, alice);
  }
  return session.state().review?.notes ?? [];
}

function comparisons(report: Report): void {
  const [from, to] = [aRevision(1, STEPS), aRevision(2, changedSteps())];
  const notes = someNotes();
  const [copied, compared]: [number[], number[]] = [[], []];
  for (let round = 0; round < COMPARISONS; round++) {
    const startedAtMs = performance.now();
    JSON.parse(JSON.stringify([from, to]));
    const copiedAtMs = performance.now();
    const { steps } = comparePlans(from, to, notes);
    compared.push(performance.now() - copiedAtMs);
    copied.push(copiedAtMs - startedAtMs);
    if (steps.length < STEPS_MAX) throw new Error(`${steps.length} steps were compared`);
  }
  const name = `diff of two ${STEPS_MAX}-step revisions with ${NOTES_MAX} notes`;
  report(against(median(copied), figure(`${name}, median`, median(compared), "ms")));
  report(against(percentile(copied, 99), figure(`${name}, p99`, percentile(compared, 99), "ms")));
}

async function scopedChecks(report: Report): Promise<void> {
  const session = planSession({ settings: { unlock: "scoped" } });
  session.must({ type: "enter", reason: "bench" }, agent);
  submitted(session, aBody(STEPS));
  const approvalId = pendingApprovalId(session);
  session.must({ type: "decide", approval: { action: "approve", approvalId } }, alice);
  const question = (path: string): PolicyQuestion => {
    const args = { path, content: "x" };
    return {
      call: { tool: "write", kind: "file_edit", effect: "write", argsDigest: digestOf(args), callId: "c1", args },
      session: session.session(),
      settings: { planMode: session.settings() },
    };
  };
  const inside = question(`src/part-${STEPS_MAX}.ts`);
  const gateUs = perCallUs(() => planGatePolicy.evaluate(inside));
  for (const [what, asked, verdict] of [
    ["inside", inside, "allow"],
    ["outside", question("src/elsewhere.ts"), "block"],
  ] as const) {
    if ((await scopePolicy.evaluate(asked)).verdict !== verdict)
      throw new Error(`a call ${what} of the scope was not: ${verdict}`);
    const name = `check of a scope of ${STEPS_MAX} steps, a call ${what} of it`;
    report(
      against(
        gateUs,
        figure(
          name,
          perCallUs(() => scopePolicy.evaluate(asked)),
          "µs",
        ),
      ),
    );
  }
}

function perCallUs(work: () => unknown): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const startedAtMs = performance.now();
    for (let n = 0; n < CHECKS; n++) work();
    return ((performance.now() - startedAtMs) * US_PER_MS) / CHECKS;
  });
  return median(rounds);
}
