/**
 * Faults as data: what is replaced in which file, and the test that must fail then. `npm run test:long -- planted` plants
 * each in a copy of the source and looks whether its test notices. A fault that no test notices is a hole in the tests.
 */
import { BELOW_FAULTS } from "./below-faults.ts";
import { type PlantedFault, SIMULATION } from "./planted-fault.ts";

/** Where a promise could be lost: what was acknowledged is there afterwards. */
const DURABILITY: readonly PlantedFault[] = [
  {
    name: "the log is not synced",
    file: "src/store/sqlite/database-file.ts",
    find: "PRAGMA synchronous = FULL",
    replace: "PRAGMA synchronous = OFF",
    test: { file: "src/store/sqlite/durability.test.ts", title: "synced at each commit" },
  },
  {
    name: "a power cut with a log that is not synced",
    file: "src/store/sqlite/database-file.ts",
    find: "PRAGMA synchronous = FULL",
    replace: "PRAGMA synchronous = OFF",
    test: { file: "test/chaos/power-loss.test.ts", title: "keeps every acknowledged commit", isLong: true },
  },
  {
    name: "a backup is not synced before it gets its name",
    file: "src/store/sqlite/copy-database.ts",
    find: "    sync(partial);\n",
    replace: "",
    test: { file: "src/store/sqlite/durability.test.ts", title: "syncs a backup before it gets its name" },
  },
  {
    name: "the sync of a backup does nothing",
    file: "src/store/sqlite/sync-path.ts",
    find: "    fsyncSync(file);\n",
    replace: "",
    test: { file: "src/store/sqlite/durability.test.ts", title: "asks the disk itself to sync" },
  },
  {
    name: "the name of SQLite's log is left to SQLite, which hides that its folder could not be synced",
    file: "src/store/sqlite/connection.ts",
    find: "  sync(folder); // SQLite",
    replace: "  // SQLite",
    test: { file: "src/store/sqlite/durability.test.ts", title: "opens nothing in a folder that cannot be synced" },
  },
  {
    name: "the index of plans leaves a row id that no later write can read",
    file: "src/store/sqlite/search/search-statements.ts",
    find: "  for (const statement of [forget, index]) statement.setReadBigInts(true);\n",
    replace: "",
    test: { file: "src/store/sqlite/sqlite-store.test.ts", title: "what is written after them is written" },
  },
  {
    name: "a read that failed is answered with an empty list",
    file: "src/store/sqlite/sqlite-store.ts",
    find: "        if (prepared.size >= STATEMENTS_MAX) prepared.clear();\n        statement = db.prepare(text);\n",
    replace:
      "        if (prepared.size >= STATEMENTS_MAX) prepared.clear();\n        try { statement = db.prepare(text); statement.all(...values); } catch { return [] as never; }\n",
    test: { file: "src/store/sqlite/durability.test.ts", title: "lets a read that failed fail" },
  },
  {
    name: "a failed sync does not end the process",
    file: "src/store/sqlite/failure.ts",
    find: '    case IOERR:\n    case CORRUPT:\n    case NOTADB:\n      return "fatal";',
    replace: '    case IOERR:\n    case CORRUPT:\n    case NOTADB:\n      return "busy";',
    test: { file: "src/store/sqlite/failure.test.ts", title: "a failed fsync" },
  },
  {
    name: "a transaction that failed is not rolled back",
    file: "src/store/sqlite/connection.ts",
    find: '        if (db.isTransaction) db.exec("ROLLBACK");\n        ledger.rewind();\n        throw error;',
    replace: '        if (db.isTransaction) db.exec("COMMIT");\n        throw error;',
    test: { file: "src/store/sqlite/sqlite-store.test.ts", title: "throws at whoever asked for the impossible" },
  },
  {
    name: "two gateways share one state folder",
    file: "src/store/sqlite/claim-folder.ts",
    find: 'lock.exec("BEGIN EXCLUSIVE");',
    replace: 'lock.exec("BEGIN");',
    test: { file: "src/store/sqlite/exclusive.test.ts", title: "lets one gateway at a time use a state folder" },
  },
  {
    name: "the reply of PostgreSQL is lost and the key is not read back",
    file: "src/store/postgres/postgres-store.ts",
    find: "  return (await earlierAnswer(parts, commit).catch(() => undefined)) ?? result;",
    replace: "  return result;",
    test: { file: "src/store/postgres/lost-reply.test.ts", title: "is read back by its key" },
  },
  {
    name: "PostgreSQL takes a commit that was decided by another time",
    file: "src/store/postgres/commit-statement.ts",
    find: 'isTimed ? `AND ${onTime(atMs)}` : ""',
    replace: '""',
    test: {
      file: "src/store/postgres/server-time.test.ts",
      title: "refuses a commit that was decided by another time",
    },
  },
  {
    name: "PostgreSQL does not look at the version",
    file: "src/store/postgres/commit-statement.ts",
    find: 'WHERE id = ${id} AND version = ${version()} ${unused} RETURNING version`;\n    return { name: "ses", form: "update", text };',
    replace:
      'WHERE id = ${id} AND (true OR version = ${version()}) ${unused} RETURNING version`;\n    return { name: "ses", form: "update", text };',
    test: {
      file: "src/store/postgres/postgres-store.test.ts",
      title: "lets two gateways write to one state, of which one wins",
    },
  },
  {
    name: "a group of commits on PostgreSQL does not look at the version",
    file: "src/store/postgres/group-statement.ts",
    find: "used IS NULL AND coalesce(stored, 0) = version",
    replace: "used IS NULL",
    test: { file: "src/store/postgres/postgres-store.test.ts", title: "writes nothing of one that lost beside others" },
  },
  {
    name: "a group of commits on PostgreSQL holds one that was decided by another time",
    file: "src/store/postgres/group-statement.ts",
    find: 'isTimed ? `AND ${onTime("at_ms")}` : ""',
    replace: '""',
    test: { file: "src/store/postgres/server-time.test.ts", title: "refuses it in a group too" },
  },
  {
    name: "the reply to a group of commits is lost and their keys are not read back",
    file: "src/store/postgres/group-commit.ts",
    find: "  if (error instanceof ConnectionError) return parts.readBack(one.given, error);\n",
    replace: "",
    test: { file: "src/store/postgres/lost-reply.test.ts", title: "is read back by its key in a group too" },
  },
  {
    name: "a read is repeated over a connection that ended with the first one",
    file: "src/store/postgres/connections.ts",
    find: "      if (!answered) checkOut.suspectAll();\n",
    replace: "",
    test: {
      file: "src/store/postgres/connections.test.ts",
      title: "hide from whoever reads that all of them were ended",
    },
  },
  {
    name: "one commit that cannot be written fails its group",
    file: "src/store/postgres/group-commit.ts",
    find: 'return result?.status === "failed" ? result : parts.alone(one);',
    replace: "return result ?? Promise.reject(error);",
    test: { file: "src/store/postgres/group-commit.test.ts", title: "are written without the one that cannot be" },
  },
  {
    name: "a group of commits waits for a session that somebody holds",
    file: "src/store/postgres/group-statement.ts",
    find: " SKIP LOCKED",
    replace: "",
    test: {
      file: "src/store/postgres/group-commit.test.ts",
      title: "do not wait for one whose session somebody holds",
    },
  },
];

/** Where something could happen twice, or not at all. */
const ONCE: readonly PlantedFault[] = [
  {
    name: "the idempotency record is not written",
    file: "src/engine/to-commit.ts",
    find: "  if (by.idempotency === undefined) return {};\n",
    replace: "  if (by.idempotency !== undefined) return {};\n  if (by.idempotency === undefined) return {};\n",
    test: { file: "src/engine/engine.test.ts", title: "the same key and request have one effect" },
  },
  {
    name: "SQLite takes a key that was used for another request",
    file: "src/store/sqlite/ledger.ts",
    find: '    if (row["request_digest"] !== idempotency.requestDigest) return { status: "key-reused" };\n',
    replace: "",
    test: { file: "src/store/sqlite/sqlite-store.test.ts", title: "I13" },
  },
  {
    name: "a replayed answer shows the session as it was before",
    file: "src/engine/engine.ts",
    find: "        cache.forget(sessionId); // the store may have taken this very commit and lost the reply: what was loaded is older\n        return { ...RecordedAnswer.parse(result.result), session: (await cache.load(sessionId))?.session };",
    replace: "        return { ...RecordedAnswer.parse(result.result), session: stored?.session };",
    test: { file: "src/engine/engine.test.ts", title: "answers with the session when the store lost its own reply" },
  },
  {
    name: "whoever lost a race does not load the session again",
    file: "src/engine/engine.ts",
    find: '      case "conflict":\n        cache.forget(sessionId);\n        return "conflict";',
    replace: '      case "conflict":\n        return "conflict";',
    test: { file: "src/engine/engine.test.ts", title: "decides anew on the newer state" },
  },
  {
    name: "a node keeps sessions in memory that others change",
    file: "src/engine/session-cache.ts",
    find: "      else if (!shared) put(id, { session, version });",
    replace: "      else put(id, { session, version });",
    test: SIMULATION,
  },
  {
    name: "an outbox row is removed before its work is performed",
    file: "src/engine/outbox.ts",
    find: '      if ((await run(pending)) === "later")',
    replace: '      await store.effectDone(pending.id);\n      if ((await run(pending)) === "later")',
    test: SIMULATION,
  },
  {
    name: "work that failed is not tried again",
    file: "src/engine/outbox.ts",
    find: "      resting.retry(pending.id, () => begin(pending));\n",
    replace: "",
    test: { file: "src/engine/outbox.test.ts", title: "tries again what failed" },
  },
  {
    name: "work that another node left behind is not looked for",
    file: "src/engine/commit-work.ts",
    find: "    ...(shared ? [every({ clock }, SHARED_LOOK_EVERY_MS, wake)] : []),\n",
    replace: "",
    test: SIMULATION,
  },
  {
    name: "a timer fires early",
    file: "src/engine/timers.ts",
    find: "store.dueTimers({ atMs: clock.now(), limit: PAGE })",
    replace: "store.dueTimers({ atMs: clock.now() + 5_000, limit: PAGE })",
    test: SIMULATION,
  },
  {
    name: "a timer that could not fire is forgotten",
    file: "src/engine/timers.ts",
    find: "        if (!(await fireAll(due))) return retry();",
    replace: "        if (!(await fireAll(due))) return;",
    test: { file: "src/engine/timers.test.ts", title: "tries again what could not be saved" },
  },
  {
    name: "an order is performed again although its key is done",
    file: "src/store/order-lane.ts",
    find: '  if (isRepeated) return { answer: { status: "repeated" } };\n',
    replace: "",
    test: { file: "src/engine/effect-router.test.ts", title: "with the same key in one session are performed once" },
  },
  {
    name: "two nodes perform one order",
    file: "src/store/order-lane.ts",
    find: "  if (lane !== undefined && !sole && isHeldByAnother(lane, claim))\n",
    replace: "  if (lane !== undefined && !sole && isHeldByAnother(lane, claim) && sole)\n",
    test: { file: "src/engine/effect-router.test.ts", title: "perform an order on one of them" },
  },
  {
    name: "commands of one session do not wait for each other",
    file: "src/lane/lane.ts",
    find: "    const mine = before.then(work, work);",
    replace: "    const mine = work();\n    void before;",
    test: { file: "src/lane/lane.test.ts", title: "in order of arrival, one at a time" },
  },
  {
    name: "a decision about a plan that was replaced reaches the agent",
    file: "src/plan-mode/machine/plan/effects.ts",
    find: '    supersedes === undefined ? [] : [{ kind: "cancel-injections", cycleId, approvalId: supersedes }];',
    replace: "    supersedes === undefined ? [] : [];",
    test: SIMULATION,
  },
];

/** Where a node could act that may not, or a call pass that must not. */
const GATES: readonly PlantedFault[] = [
  {
    name: "the epoch is not checked",
    file: "src/core/decide-turn.ts",
    find: "  if (session.epoch !== command.epoch)\n",
    replace: "  if (session.epoch < 0)\n",
    test: { file: "src/core/turn.test.ts", title: "refuses a stale turn" },
  },
  {
    name: "several nodes: the epoch is not checked",
    file: "src/core/decide-turn.ts",
    find: "  if (session.epoch !== command.epoch)\n",
    replace: "  if (session.epoch < 0)\n",
    test: SIMULATION,
  },
  {
    name: "a lease that still holds is taken over",
    file: "src/core/decide-turn.ts",
    find: "turn.node !== node && turn.leaseUntilMs > context.nowMs",
    replace: "turn.node !== node && turn.leaseUntilMs < 0",
    test: SIMULATION,
  },
  {
    name: "a call that was claimed is left open when its turn is taken over",
    file: "src/core/decide-turn.ts",
    find: '  const orphans = turn.status === "running" ? turn.calls.filter((call) => call.claimed) : [];',
    replace: '  const orphans = turn.status === "running" ? turn.calls.filter(() => false) : [];',
    test: { file: "src/core/turn.test.ts", title: "the claimed call is unknown" },
  },
  {
    name: "a claimed call can be claimed again",
    file: "src/core/calls/decide-call.ts",
    find: "  if (call.claimed)\n",
    replace: '  if (call.claimed && call.callId === "")\n',
    test: { file: "src/core/turn.test.ts", title: "claims a mutating call once" },
  },
  {
    name: "the guards are not asked at the claim",
    file: "src/core/calls/decide-call.ts",
    find: "  if (!verdict.allowed) {",
    replace: '  if (!verdict.allowed && verdict.by === "") {',
    test: { file: "src/core/turn.test.ts", title: "only while the slices' guards say yes" },
  },
  {
    name: "a permit can be spent twice",
    file: "src/tools/permit.ts",
    find: "  unspent.delete(permit);\n",
    replace: "",
    test: { file: "src/tools/registry.test.ts", title: "permit" },
  },
  {
    name: "a policy that fails lets the call pass",
    file: "src/tools/judge.ts",
    find: '    parts.report(error);\n    return unclear("failed");',
    replace: "    parts.report(error);\n    return {};",
    test: { file: "src/tools/judge.test.ts", title: "hold it for a policy that fails" },
  },
  {
    name: "the digest that was shown is not compared",
    file: "src/plan-mode/machine/signature/decide.ts",
    find: "  if (asked.digest === undefined || asked.digest === submission.digest)\n",
    replace: '  if (asked.digest === undefined || submission.digest !== "")\n',
    test: SIMULATION,
  },
  {
    name: "a plan of which only a part was offered can be approved",
    file: "src/plan-mode/machine/signature/offered.ts",
    find: '  offered === "part" ?',
    replace: '  offered === "part" && digest === "" ?',
    test: SIMULATION,
  },
  {
    name: "a plan can be approved after its deadline",
    file: "src/plan-mode/machine/signature/decide.ts",
    find: "  return nowMs < deadlineAtMs\n",
    replace: "  return nowMs < deadlineAtMs || deadlineAtMs > 0\n",
    test: { file: "src/plan-mode/machine/lifecycle.test.ts", title: "refuses an approval at the deadline" },
  },
  {
    name: "a clock that is set back revives what has expired",
    file: "src/core/step.ts",
    find: "  if (session === undefined || session.updatedAtMs <= context.nowMs) return context;",
    replace: "  if (session === undefined || session.updatedAtMs > 0) return context;",
    test: { file: "src/core/step.test.ts", title: "lets time stand still when the clock steps back" },
  },
  {
    name: "an agent may decide",
    file: "src/plan-mode/machine/actors.ts",
    find: '      return actor.kind === "operator" && hasScope(actor.scopes, "operator.approvals");',
    replace: '      return actor.kind !== "operator" || hasScope(actor.scopes, "operator.approvals");',
    test: SIMULATION,
  },
  {
    name: "a plan that was replaced can still be decided on",
    file: "src/plan-mode/machine/signature/decide.ts",
    find: "  if (submission?.approvalId === approvalId) return { submission };",
    replace: "  if (submission !== undefined) return { submission };",
    test: SIMULATION,
  },
  {
    name: "the audit chain is not compared with the row before",
    file: "src/store/audit/audit-chain.ts",
    find: '  if (row.prevHash !== last.hash) return "broken";\n',
    replace: "",
    test: { file: "src/store/audit/audit-verify.test.ts", title: "finds a row in the middle that was replaced" },
  },
  {
    name: "a node goes by its own clock",
    file: "src/store/store-time.ts",
    find: "    const ms = local.monotonicMs() + offsetMs;",
    replace: "    const ms = local.wallMs();",
    test: SIMULATION,
  },
];

/** Where a yes that waits to be used could count for something else. */
const GRANTS: readonly PlantedFault[] = [
  {
    name: "a yes counts in another folder, environment or agent",
    file: "src/plan-mode/gates/asking.ts",
    find: "grant.call.within === withinOf(question).within ?",
    replace: 'grant.call.tool !== "" ?',
    test: { file: "src/plan-mode/gates/permission-gate.test.ts", title: "and agent, and nothing else" },
  },
  {
    name: "a yes counts after the mode changed",
    file: "src/plan-mode/machine/grant/grant.ts",
    find: "MODE_CHANGES.has(event.type) ? withoutGrant(state) : state",
    replace: 'event.type === "plan.entered" ? withoutGrant(state) : state',
    test: { file: "src/plan-mode/gates/permission-gate.test.ts", title: "took it back" },
  },
  {
    name: "another folder under the same name is the same",
    file: "src/tools/surroundings.ts",
    find: "`${found.dev}:${found.ino}`",
    replace: '"some"',
    test: { file: "src/tools/surroundings.test.ts", title: "in another folder, environment or agent" },
  },
];

/** Where a scope, a proof or the record of changes could be got around. */
const PLANS: readonly PlantedFault[] = [
  {
    name: "a proof counts in whatever folder its command ran",
    file: "src/plan-mode/machine/evidence/capture.ts",
    find: 'return cwd === undefined || cwd === "." || cwd === "./" ? command.trim() : undefined;',
    replace: "return command.trim();",
    test: { file: "src/plan-mode/machine/evidence/evidence.test.ts", title: "the command in another folder" },
  },
  {
    name: "a step closes while a change is under way",
    file: "src/plan-mode/machine/plan/update.ts",
    find: "    refuseUnderWay(now, steps, context);",
    replace: "    undefined;",
    test: { file: "src/plan-mode/machine/evidence/evidence.test.ts", title: "waits for changes that are under way" },
  },
  {
    name: "the author of an edition accepts the rest of it",
    file: "src/plan-mode/machine/stage/decide.ts",
    find: "refuseAuthor(now.submission, context) ?? refuseUnlock(context)",
    replace: "refuseUnlock(context)",
    test: { file: "src/plan-mode/machine/stage/stage.test.ts", title: "nor does the author accept the rest" },
  },
  {
    name: "half a record stays behind on a full disk",
    file: "src/changes/snapshots/content-pack.ts",
    find: "      ftruncateSync(fd, end); // what a full disk",
    replace: "      // what a full disk",
    test: { file: "src/changes/snapshots/hostile-calls.test.ts", title: "full for a while: contents" },
  },
];

export const PLANTED_FAULTS: readonly PlantedFault[] = [
  ...DURABILITY,
  ...ONCE,
  ...GATES,
  ...GRANTS,
  ...BELOW_FAULTS,
  ...PLANS,
];
