/*
 * The life of a plan and of the turn that makes it, with several nodes on one store, people, a timer, crashes and pauses.
 * Checked by Spin (`npm run test:long -- model`). Names are those of the code:
 *   phase     src/plan-mode/protocol/state.ts (PlanPhase)      turn      src/protocol/session.ts (Turn)
 *   call      an open call of the turn (OpenCall, CallStatus)  envelope  an injection of kind plan_decision
 *
 * A commit is decided on what was read and is taken only if nobody committed in between (`seen`). Each `#ifdef` is a
 * mutant: one line of the design left out. Spin must find every one of them, or the model proves nothing.
 */
#ifndef NODES
#define NODES 2
#endif
#define PEOPLE 2
#define REVISIONS 2
#define EPOCHS 3
#define PERSON(n) (NODES + n)
#define TIMER (NODES + PEOPLE)
#define PROCS (NODES + PEOPLE + 1)
#define NOBODY 255

mtype:phase = { exploring, pending, rejected, timed_out, executing };
mtype:turn = { idle, requested, running };
mtype:call = { none, open, claimed, closed };
mtype:envelope = { unwritten, queued, applied, cancelled };
mtype:verdict = { undecided, was_rejected, was_approved, was_timed_out };

/* The session as it is stored. */
mtype:phase phase = exploring;
mtype:turn turn = requested;
mtype:call call = none;
byte approvalId = 0;             /* of the last submission; 0: none */
byte epoch = 0;
byte holder = NOBODY;
byte callApproval = 0;           /* the approval that the claim names */
bool outboxRow = true;           /* somebody will run the turn */
mtype:envelope envelope[REVISIONS + 1] = unwritten;
mtype:verdict verdict[REVISIONS + 1] = undecided;

/* The store's clock: whether the lease of the present holder still runs. Time may pass at any moment. */
bool leaseHolds = false;

/* What a process read, and whether that is still what is stored. */
mtype:phase read[PROCS] = exploring;
bool seen[PROCS] = false;

/* What happens outside and cannot be taken back: one change per revision. */
byte started[REVISIONS + 1] = 0;
byte lastApplied = 0;

/* After each commit: who read before must read again, and this must hold. */
inline committed() {
  d_step {
    for (other : 0 .. PROCS - 1) {
      seen[other] = false;
#ifndef NO_VERSION
      read[other] = exploring
#endif
    }
    other = 0;
    assert(turn == idle || outboxRow);                                                       /* I21: somebody will run it */
    assert(phase != executing || verdict[approvalId] == was_approved);                       /* I01, I04 */
    assert(approvalId == 0 || verdict[approvalId] == undecided || envelope[approvalId] != unwritten) /* I10 */
  }
}

#ifdef NO_VERSION
#define CURRENT(p) true
#else
#define CURRENT(p) seen[p]
#endif

inline decideOn(a, outcome) {
  assert(verdict[a] == undecided || (verdict[a] == was_rejected && outcome == was_approved)); /* I02 */
  assert(a == approvalId);                                                                   /* I03 */
  verdict[a] = outcome;
#ifndef ENVELOPE_APART
  envelope[a] = queued;                                                                      /* I08, I10 */
#endif
}

inline requestTurn() {
  if
  :: turn == idle -> turn = requested; outboxRow = true
  :: else -> skip
  fi
}

/* A turn that starts takes what is queued, in the same commit. */
inline drain() {
  d_step { for (item : 1 .. REVISIONS) {
    if
    :: envelope[item] == queued ->
      assert(item == approvalId);                                                            /* I12: not of a replaced plan */
      assert(item >= lastApplied);                                                           /* I12: in order */
      envelope[item] = applied;
      lastApplied = item
    :: else -> skip
    fi
  }
  item = 0 }
}

#ifdef NO_GUARD
#define GUARDED true
#else
#define GUARDED (read[id] == executing)
#endif
#ifdef NO_LEASE
#define TAKEABLE true
#else
#define TAKEABLE (!leaseHolds)
#endif
#ifdef NO_FENCE
#define FENCED true
#else
#define FENCED (leaseHolds && epoch == claimEpoch) /* the lease of the claim, by the store's clock */
#endif
#ifdef NO_EPOCH
#define MINE (turn == running)
#else
#define MINE (turn == running && epoch == mine)
#endif

proctype node(byte id) {
  byte mine = 0;                 /* the epoch of the lease that it believes to hold; 0: none */
  byte other, item;
  bool hasClaimed = false;       /* it got the answer to its claim, and has not started the call */
  byte claimedFor = 0;
  byte claimEpoch = 0;

  do
  /* turn.start */
  :: atomic { turn == requested && outboxRow && epoch < EPOCHS ->
       turn = running; epoch++; mine = epoch; holder = id; leaseHolds = true;
#ifdef OUTBOX_FIRST
       outboxRow = false;
#endif
       drain(); committed() }

  /* turn.start of a turn whose holder is gone: turn.taken-over */
  :: atomic { turn == running && mine != epoch && outboxRow && TAKEABLE && epoch < EPOCHS ->
       assert(!leaseHolds);                                                                  /* I14: nobody else's lease */
       epoch++; mine = epoch; holder = id; leaseHolds = true;
#ifndef ORPHAN_LEFT
       if
       :: call == claimed -> call = closed                                                   /* unknown, never started again */
       :: else -> skip
       fi;
#else
       if
       :: call == claimed -> call = open
       :: else -> skip
       fi;
#endif
       committed() }

  /* turn.renew */
  :: atomic { MINE && mine != 0 && !leaseHolds && epoch == mine -> leaseHolds = true; committed() }

  /* exit_plan_mode: plan.submitted */
  :: atomic { mine != 0 && MINE && (phase == exploring || phase == rejected || phase == timed_out) && approvalId < REVISIONS && call != claimed && call != open ->
#ifndef NO_EPOCH
       assert(epoch == mine);                                                                /* I14 */
#else
       assert(holder == id);
#endif
#ifndef NO_CANCEL
       if
       :: approvalId > 0 && envelope[approvalId] == queued -> envelope[approvalId] = cancelled
       :: else -> skip
       fi;
#endif
       approvalId++; phase = pending; call = none; committed() }

  /* turn.say with a mutating call */
  :: atomic { mine != 0 && MINE && phase == executing && (call == none) && started[approvalId] == 0 ->
       call = open; committed() }

  /* call.claim: judged on what was read, committed only if it is still so */
  :: atomic { mine != 0 && MINE && call == open -> read[id] = phase; seen[id] = true }
  :: atomic { mine != 0 && GUARDED && call == open && CURRENT(id) && MINE ->
       assert(phase == executing);                                                           /* I01 */
       assert(holder == id);                                                                 /* I14 */
       call = claimed; callApproval = approvalId; hasClaimed = true; claimedFor = approvalId; claimEpoch = mine; read[id] = exploring;
       committed() }

  /* the call starts, outside; a pause may lie between the claim and this */
  :: atomic { hasClaimed && FENCED ->
       assert(started[claimedFor] == 0);                                                     /* I15 */
       assert(call == claimed);                                                              /* I15: not after it was closed */
       assert(verdict[claimedFor] == was_approved);                                          /* I01 */
       started[claimedFor]++; hasClaimed = false; claimedFor = 0; claimEpoch = 0 }
  :: atomic { hasClaimed && epoch != claimEpoch -> hasClaimed = false; claimedFor = 0; claimEpoch = 0 }

  /* call.finish, turn.finish */
  :: atomic { mine != 0 && MINE && call == claimed && !hasClaimed && started[callApproval] > 0 ->
       assert(holder == id); call = closed; committed() }
  :: atomic { mine != 0 && MINE && call != claimed && !hasClaimed ->
       assert(holder == id);                                                                 /* I14 */
       turn = idle; outboxRow = false; holder = NOBODY; leaseHolds = false; mine = 0; committed() }

  /* crash: memory is gone, the store is not */
  :: atomic { mine != 0 -> mine = 0; hasClaimed = false; claimedFor = 0; claimEpoch = 0; read[id] = exploring; seen[id] = false }
  :: atomic { turn == idle && approvalId == REVISIONS -> break }
  :: atomic { epoch == EPOCHS && mine != epoch -> break }
  od
}

#ifdef LATE_APPROVAL
#define DECIDABLE (read[id] == pending || read[id] == rejected || read[id] == timed_out)
#else
#define DECIDABLE (read[id] == pending || read[id] == rejected)
#endif
#ifdef STALE_DECISION
#define NAMED true
#else
#define NAMED (shown == approvalId)
#endif

/* A person may look at one plan and decide on another that came meanwhile. */
proctype person(byte id) {
  byte shown = 0;
  byte other;
  do
  :: atomic { approvalId > 0 -> shown = approvalId }
  :: atomic { shown > 0 -> read[id] = phase; seen[id] = true }
  :: atomic { shown > 0 && CURRENT(id) && DECIDABLE && NAMED ->
       decideOn(shown, was_approved); phase = executing; requestTurn(); read[id] = exploring; committed() }
  :: atomic { shown > 0 && CURRENT(id) && read[id] == pending && shown == approvalId ->
       decideOn(shown, was_rejected); phase = rejected; requestTurn(); read[id] = exploring; committed() }
  /* enter_plan_mode, by a person, while the plan is carried out: its approval counts no more */
  :: atomic { phase == executing && approvalId < REVISIONS -> phase = exploring; committed() }
#ifdef ENVELOPE_APART
  :: atomic { shown > 0 && verdict[shown] != undecided && envelope[shown] == unwritten -> envelope[shown] = queued; committed() }
#endif
  :: atomic { approvalId == REVISIONS && phase == executing -> break }
  :: epoch == EPOCHS -> break
  od
}

/* The deadline: only time makes this happen. */
proctype timer() {
  byte other;
  do
  :: atomic { phase == pending -> decideOn(approvalId, was_timed_out); phase = timed_out; committed() }
  :: atomic { leaseHolds -> leaseHolds = false }                                             /* time passes */
  :: atomic { approvalId == REVISIONS && phase != pending && turn == idle -> break }
  :: epoch == EPOCHS -> break
  od
}

init {
  atomic {
    byte n;
    for (n : 0 .. NODES - 1) { run node(n) }
    for (n : 0 .. PEOPLE - 1) { run person(PERSON(n)) }
    run timer()
  }
}
