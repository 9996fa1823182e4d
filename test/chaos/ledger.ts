/**
 * What the people in a kill test remember: each request with its key, and what came back. Acknowledged means that it
 * must be found again; unanswered means that asking again with the same key must settle it.
 */
import type { MethodName, ParamsOf } from "../../src/all-methods.ts";
import type { Answer, WireClient } from "../kit/wire-client.ts";

type Keyed = "sessions.create" | "sessions.patch" | "chat.send";

type Request<Name extends Keyed = Keyed> = { method: Name; params: ParamsOf<Name> };
/** `sentAt` and `answeredAt` are moments of the ledger's own count, which sees everybody. */
export type Entry = Request & { answer: Answer<MethodName> | undefined; sentAt: number; answeredAt: number };

export type Ledger = {
  /** Sends a request and writes down what came back. */
  send<Name extends Keyed>(client: WireClient, request: Request<Name>): Promise<Answer<Name> | undefined>;
  /** The next moment in the order in which things happen here. */
  moment(): number;
  /** Requests since the last call of `settle`. */
  readonly recent: readonly Entry[];
  readonly acknowledged: number;
  readonly unanswered: number;
  /** Resolves when so many more requests were sent or answered: the measure of how long a gateway has worked. */
  steps(more: number): Promise<void>;
  /** Asks everything recent again with the same key: what was acknowledged must be answered the same. */
  settle(client: WireClient): Promise<string[]>;
};

export function createLedger(onSettled: (entry: Entry) => void): Ledger {
  let recent: Entry[] = [];
  let acknowledged = 0;
  let unanswered = 0;
  let made = 0;
  let moments = 0;
  const moment = (): number => (moments += 1);
  const waiting = new Set<{ until: number; resolve: () => void }>();

  function step(): void {
    made += 1;
    for (const waiter of waiting) {
      if (made < waiter.until) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
  }

  return {
    moment,
    get recent() {
      return recent;
    },
    get acknowledged() {
      return acknowledged;
    },
    get unanswered() {
      return unanswered;
    },
    async send(client, request) {
      const entry = sentNow(request, moment());
      recent.push(entry);
      const asked = client.request(request.method, request.params);
      step();
      const answer = await asked;
      entry.answer = answer;
      entry.answeredAt = moment();
      step();
      if (answer !== undefined && !isTransient(answer)) {
        acknowledged += 1;
        onSettled(entry);
      }
      return answer;
    },
    steps(more) {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (more <= 0) resolve();
      else waiting.add({ until: made + more, resolve });
      return promise;
    },
    async settle(client) {
      const faults: string[] = [];
      const asked = recent;
      recent = [];
      for (const entry of asked) {
        const again = await client.request(entry.method, entry.params);
        if (again === undefined) throw new Error("the gateway went away while acknowledgements were checked");
        if (entry.answer === undefined || isTransient(entry.answer)) {
          unanswered += 1;
          onSettled({ ...entry, answer: again, answeredAt: moment() });
        } else if (essence(entry.answer) !== essence(again)) {
          faults.push(`${entry.method} was answered ${essence(entry.answer)} and now ${essence(again)}`);
        }
      }
      return faults;
    },
  };
}

const sentNow = (request: Request, sentAt: number): Entry => ({
  ...request,
  answer: undefined,
  sentAt,
  answeredAt: Infinity,
});

/** Not an answer to the request but to the moment: it may be asked again. */
const isTransient = (answer: Answer<MethodName>): boolean => !answer.ok && answer.error.retry === true;

/** What an answer says about the request itself; the session shown with it is that of the moment. */
function essence(answer: Answer<MethodName>): string {
  if (!answer.ok) return `no: ${answer.error.code}`;
  const payload = answer.payload as { session?: { id?: string }; reply?: unknown; messageId?: string };
  return `yes: ${JSON.stringify([payload.session?.id, payload.reply, payload.messageId])}`;
}
