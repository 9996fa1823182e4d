/** People at work: each owns a few sessions, writes, renames, decides, and now and then clicks twice. */
import { setTimeout as sleep } from "node:timers/promises";
import type { SessionView } from "../../src/protocol/methods.ts";
import { PlanModeState } from "../../src/plan-mode/protocol/state.ts";
import type { Random } from "../kit/random.ts";
import type { WireClient } from "../kit/wire-client.ts";
import type { Knowledge } from "./knowledge.ts";
import { PLAN } from "./machine-moves.ts";

const SESSIONS_EACH = 2;
const TWICE = 0.2;
const PAUSE_MS_MAX = 4;

export type Person = {
  name: string;
  own: string[];
  /** Stops once what was asked is answered, so that nothing of theirs is under way any more. */
  dismissed?: boolean;
};

/** Works until dismissed or until the connection ends. Every request has a key, so that it can be asked again after a crash. */
export async function work(person: Person, client: WireClient, world: { knowledge: Knowledge; random: Random }) {
  const { knowledge, random } = world;
  let gone = false;
  void client.closed.then(() => (gone = true));
  const key = (): string => `${person.name}-${random.below(2 ** 31)}-${random.below(2 ** 31)}`;

  async function create(): Promise<void> {
    const request = { method: "sessions.create", params: { idempotencyKey: key(), title: "born" } } as const;
    const answer = await knowledge.ledger.send(client, request);
    if (answer?.ok === true) person.own.push(answer.payload.session.id);
  }

  async function decide(sessionId: string, approvalId: string): Promise<void> {
    const verdict = random.pick(["approve", "approve", "edit", "reject"]);
    const feedback = verdict === "reject" ? { feedback: `no ${random.below(1_000)}` } : {};
    const planApproval = { action: verdict, approvalId, ...feedback };
    knowledge.deciding(sessionId);
    await patch(sessionId, { planApproval });
  }

  async function patch(sessionId: string, change: object): Promise<void> {
    const params = { sessionId, idempotencyKey: key(), ...change } as never;
    const sends = random.next() < TWICE ? 2 : 1; // the second overtakes nobody: same key, same answer
    const request = { method: "sessions.patch", params } as const;
    await Promise.all(Array.from({ length: sends }, () => knowledge.ledger.send(client, request)));
  }

  async function visit(sessionId: string): Promise<void> {
    const began = knowledge.ledger.moment();
    const answer = await client.request("sessions.get", { sessionId });
    const look = { began, ended: knowledge.ledger.moment() };
    if (answer?.ok !== true) return;
    const { session } = answer.payload;
    const pending = pendingApproval(session);
    if (pending !== undefined) {
      knowledge.sawPending(sessionId, pending, look);
      if (random.next() < 0.7) return decide(sessionId, pending);
    }
    if (session.turn.status === "idle" && random.next() < 0.6) {
      const params = { sessionId: session.id, idempotencyKey: key(), text: `please ${random.below(1_000)}` };
      await knowledge.ledger.send(client, { method: "chat.send", params });
    } else await patch(sessionId, { title: `title ${random.below(1_000_000)}` });
  }

  while (!gone && person.dismissed !== true) {
    const sessionId = person.own[random.below(person.own.length)];
    if (sessionId === undefined || person.own.length < SESSIONS_EACH) await create();
    else await visit(sessionId);
    await sleep(random.below(PAUSE_MS_MAX));
  }
}

export function pendingApproval(session: SessionView): string | undefined {
  const { now } = PlanModeState.parse(session.slices[PLAN]);
  return now.phase === "pending" ? now.submission.approvalId : undefined;
}
