/**
 * Requests on their way.
 *
 *   call ──▶ waiting ──sent──▶ under way ──answer──▶ settled
 *               ▲                  │
 *               └──connection lost─┘   if it reads, or carries a key; otherwise it fails: nobody knows whether it was done
 */
import type { ResponseFrame } from "../protocol/frames.ts";
import type { MethodName, ParamsOf } from "../all-methods.ts";
import { BUNDLED_KEYED, BUNDLED_ONCE_ONLY } from "./bundled-methods.ts";
import { HoldpointError } from "./holdpoint-error.ts";

const UNDER_WAY_MAX = 1_000;
const WAITING_MAX = 10_000;
export const ANSWER_MS_MAX = 60_000;

/** Methods whose requests carry a key: sent again under the same key, they are done once. */
type KeyedMethod = {
  [Name in MethodName]: "idempotencyKey" extends NamedKeys<ParamsOf<Name>> ? Name : never;
}[MethodName];
/** Of each shape of a union; a method that takes nothing has no names, though its type has every string for a key. */
type NamedKeys<Params> = Params extends unknown ? (string extends keyof Params ? never : keyof Params) : never;

/** A method that is missing here does not compile. */
export const KEYED_METHODS: Readonly<Record<KeyedMethod, true>> = {
  "sessions.create": true,
  "sessions.patch": true,
  "sessions.reset": true,
  "sessions.delete": true,
  "chat.send": true,
  "chat.abort": true,
  "commands.run": true,
  "sessions.action": true,
  ...BUNDLED_KEYED,
};

/** Changes that carry no key: after a lost connection a person has to look before repeating them. */
const ONCE_ONLY: ReadonlySet<string> = new Set<MethodName>([
  "config.set",
  "config.unset",
  "tokens.create",
  "tokens.revoke",
  "backup.create",
  ...BUNDLED_ONCE_ONLY,
]);

type Call = {
  id: string;
  method: string;
  params: object;
  resolve(payload: unknown): void;
  reject(error: HoldpointError): void;
  timer: ReturnType<typeof setTimeout>;
};

export type Calls = {
  /** Resolves with the answer's payload. */
  add(method: string, params: object, timeoutMs: number): Promise<unknown>;
  settle(frame: ResponseFrame): void;
  /** From now on requests go out here. */
  sendVia(send: (text: string) => void): void;
  connectionLost(): void;
  /** Every call, open or to come, fails with this. */
  end(error: HoldpointError): void;
};

export function createCalls(): Calls {
  const waiting = new Map<string, Call>(); // in the order of the calls
  const underWay = new Map<string, Call>();
  let send: ((text: string) => void) | undefined;
  let lastId = 0;
  let ended: HoldpointError | undefined;

  function flush(): void {
    for (const call of waiting.values()) {
      if (send === undefined || underWay.size >= UNDER_WAY_MAX) return;
      waiting.delete(call.id);
      underWay.set(call.id, call);
      send(JSON.stringify({ type: "req", id: call.id, method: call.method, params: call.params }, wholeCharacters));
    }
  }

  function take(id: string): Call | undefined {
    const call = underWay.get(id) ?? waiting.get(id);
    underWay.delete(id);
    waiting.delete(id);
    clearTimeout(call?.timer);
    return call;
  }

  return {
    add(method, params, timeoutMs) {
      if (ended !== undefined) return Promise.reject(ended);
      if (waiting.size >= WAITING_MAX) return Promise.reject(new HoldpointError(TOO_MANY));
      lastId += 1;
      const id = String(lastId);
      return new Promise((resolve, reject) => {
        const timer = setTimeout(() => take(id)?.reject(new HoldpointError(timedOut(method))), timeoutMs);
        waiting.set(id, { id, method, params: withKey(method, params), resolve, reject, timer });
        flush();
      });
    },
    settle(frame) {
      const call = underWay.get(frame.id ?? "");
      if (call === undefined) return; // it timed out here, or the frame that it answers was none
      if (!frame.ok && frame.error.code === "DRAINING" && mayRepeat(call.method)) {
        underWay.delete(call.id);
        waiting.set(call.id, call); // the next gateway answers it
        send = undefined;
        return;
      }
      take(call.id);
      if (frame.ok) call.resolve(frame.payload);
      else call.reject(new HoldpointError(frame.error));
      flush();
    },
    sendVia(road) {
      send = road;
      flush();
    },
    connectionLost() {
      send = undefined;
      const lost = [...underWay.values()];
      const later = [...waiting.values()];
      waiting.clear();
      for (const call of lost) {
        if (mayRepeat(call.method)) waiting.set(call.id, call);
        else take(call.id)?.reject(new HoldpointError(connectionLost(call.method)));
      }
      underWay.clear();
      for (const call of later) waiting.set(call.id, call);
    },
    end(error) {
      ended = error;
      send = undefined;
      for (const id of [...underWay.keys(), ...waiting.keys()]) take(id)?.reject(error);
    },
  };
}

const mayRepeat = (method: string): boolean => !ONCE_ONLY.has(method);

/** A key of the caller's own stays: it may outlive this process. */
const withKey = (method: string, params: object): object =>
  Object.hasOwn(KEYED_METHODS, method) ? { idempotencyKey: crypto.randomUUID(), ...params } : params;

const TOO_MANY = {
  code: "QUEUE_FULL",
  message: `${WAITING_MAX} requests wait already. Wait for some.`,
  retry: true,
} as const;

const timedOut = (method: string) => ({ code: "TIMED_OUT", message: `${method} was not answered in time.` }) as const;

const connectionLost = (method: string) =>
  ({
    code: "CONNECTION_LOST",
    message: `The connection broke while ${method} was under way. Look whether it was done before you repeat it.`,
  }) as const;

/** A gateway takes no half of a character, and could not say whose request it was that held one. */
const wholeCharacters = (_name: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed() : value;
