/**
 * One recorded conversation, as lines of JSON: what a client of the recorded version sent, what it was answered, and
 * which durable events it saw. The lines are data: a replay sends exactly these requests to the gateway of today.
 */
import { WebSocket } from "ws";
import { z } from "zod";
import { Json, JsonObject } from "../../src/protocol/json.ts";
import type { Masks } from "./masked.ts";

const EVENT_MS_MAX = 20_000;

const Response = z.union([
  z.strictObject({ ok: z.literal(true), payload: Json }),
  z.strictObject({ ok: z.literal(false), error: JsonObject }),
]);
export type Response = z.infer<typeof Response>;
const SeenEvent = z.strictObject({ event: z.string(), payload: Json });
export type SeenEvent = z.infer<typeof SeenEvent>;

export const Line = z.union([
  z.strictObject({ as: z.string(), method: z.string(), params: Json, response: Response }),
  /** The durable events that this person saw since the last such line, up to and with the last one named. */
  z.strictObject({ as: z.string(), events: z.array(SeenEvent) }),
]);
export type Line = z.infer<typeof Line>;

export type RawClient = {
  ask(method: string, params: Json): Promise<Response>;
  /** Durable events in order, up to and with the next one for which `isLast` holds. */
  eventsUntil(isLast: (event: SeenEvent) => boolean): Promise<SeenEvent[]>;
  close(): void;
};

const Frame = z.looseObject({ type: z.string(), id: z.string().nullable().optional() });

/** Frames by hand: nothing of the typed client of today stands between the record and the gateway. */
async function openRaw(url: string): Promise<RawClient> {
  const socket = new WebSocket(`${url.replace(/^http/, "ws")}/ws`);
  const waiting = new Map<string, (response: Response) => void>();
  const events: SeenEvent[] = [];
  let arrived = Promise.withResolvers<undefined>();
  let count = 0;
  socket.on("message", (data: Buffer) => {
    const frame = Frame.parse(JSON.parse(data.toString("utf8")));
    if (frame.type === "event") {
      if (frame["cursor"] === undefined) return; // pieces of an answer come as they come
      events.push({ event: String(frame["event"]), payload: Json.parse(frame["payload"]) });
      arrived.resolve(undefined);
      arrived = Promise.withResolvers();
      return;
    }
    const { type: _type, id, ...response } = frame;
    waiting.get(String(id))?.(Response.parse(response));
  });
  await new Promise((resolve, reject) => {
    socket.once("open", resolve);
    socket.once("error", reject);
  });
  return {
    ask: (method, params) =>
      new Promise((resolve) => {
        const id = String((count += 1));
        waiting.set(id, resolve);
        socket.send(JSON.stringify({ type: "req", id, method, params }));
      }),
    async eventsUntil(isLast) {
      const found: SeenEvent[] = [];
      const tooLong = setTimeout(
        () => arrived.reject(new Error(`never came; seen: ${found.map(({ event }) => event).join(", ")}`)),
        EVENT_MS_MAX,
      );
      try {
        for (;;) {
          const next = events.shift();
          if (next === undefined) await arrived.promise;
          else if (found.push(next) > 0 && isLast(next)) return found;
        }
      } finally {
        clearTimeout(tooLong);
      }
    },
    close: () => socket.close(),
  };
}

export type People = { person(name: string): Promise<RawClient>; close(): void };

export function createPeople(url: string): People {
  const open = new Map<string, Promise<RawClient>>();
  return {
    person(name) {
      const known = open.get(name) ?? openRaw(url);
      open.set(name, known);
      return known;
    },
    close: () => void Promise.all([...open.values()].map(async (client) => (await client).close())),
  };
}

/** Sends the recorded requests; answers with what came this time, in the form of the record. */
export async function replay(
  lines: readonly Line[],
  { people, masks }: { people: People; masks: Masks },
): Promise<Line[]> {
  const answered: Line[] = [];
  for (const line of lines) {
    const client = await people.person(line.as);
    if ("method" in line) {
      const response = await client.ask(line.method, masks.unmask(line.params));
      answered.push({ ...line, response: Response.parse(masks.mask(Json.parse(response))) });
      continue;
    }
    const known = new Set(line.events.map(({ event }) => event));
    const last = line.events.at(-1)?.event;
    const times = line.events.filter(({ event }) => event === last).length;
    let left = times;
    const seen = await client.eventsUntil(({ event }) => event === last && --left === 0);
    const events = seen.map((event) => SeenEvent.parse(masks.mask(Json.parse(event))));
    // an event that this client has never heard of is nothing to it
    answered.push({ as: line.as, events: events.filter(({ event }) => known.has(event)) });
  }
  return answered;
}
