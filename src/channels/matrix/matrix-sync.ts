/**
 * Asks the server what happened since the last time. The place is noted when everything before it is stored, so after a crash
 * the same comes again. Where a room had more than the server shows at once, the gap is read before anything behind it.
 */
import { z } from "zod";
import type { VendorIo } from "../port.ts";
import { backoffMs, pause } from "../wire/pause.ts";
import type { CallMatrix } from "./matrix-api.ts";
import { RoomEvent } from "./matrix-event.ts";
import { roomPath } from "./matrix-rooms.ts";

const WAIT_MS = 30_000;
const ANSWER_MS_MAX = 60_000;
const EVENTS_MAX = 50;
const GAP_PAGES_MAX = 20;

const TYPES = ["m.room.message", "m.reaction", "m.room.member", "m.room.encryption", "m.room.encrypted"];
const FILTER = JSON.stringify({
  presence: { types: [] },
  account_data: { types: [] },
  room: {
    account_data: { types: [] },
    ephemeral: { types: [] },
    state: { types: [], lazy_load_members: true },
    timeline: { types: TYPES, limit: EVENTS_MAX },
  },
});

const Invited = z.object({
  invite_state: z.object({
    events: z.array(z.object({ type: z.string(), state_key: z.string().default(""), content: z.looseObject({}) })),
  }),
});
export type Invited = z.infer<typeof Invited>;

const Synced = z.object({
  next_batch: z.string(),
  rooms: z
    .object({
      join: z
        .record(
          z.string(),
          z.object({
            timeline: z
              .object({
                events: z.array(z.unknown()),
                limited: z.boolean().default(false),
                prev_batch: z.string().optional(),
              })
              .optional(),
          }),
        )
        .default({}),
      invite: z.record(z.string(), Invited).default({}),
    })
    .default({ join: {}, invite: {} }),
});
type Synced = z.infer<typeof Synced>;
const Page = z.object({ chunk: z.array(z.unknown()), end: z.string().optional() });

export type Syncing = {
  call: CallMatrix;
  io: Pick<VendorIo, "cursor" | "report">;
  take(roomId: string, event: RoomEvent): Promise<void>;
  invited(roomId: string, invite: Invited): Promise<void>;
  signal: AbortSignal;
};

/** Resolves when the server has answered once; `ended` when it was called off. */
export async function matrixSync(syncing: Syncing): Promise<{ ended: Promise<void> }> {
  const { io, invited } = syncing;
  const noted = await io.cursor.get();
  if (noted !== undefined) return { ended: goOn(noted, syncing) };
  const { next_batch: since, rooms } = await ask(undefined, syncing); // what was before us is not for us
  for (const [roomId, invite] of Object.entries(rooms.invite)) await invited(roomId, invite);
  await io.cursor.set(since);
  return { ended: goOn(since, syncing) };
}

function ask(since: string | undefined, { call, signal }: Syncing): Promise<Synced> {
  const query = new URLSearchParams({ filter: FILTER, timeout: String(since === undefined ? 0 : WAIT_MS) });
  if (since !== undefined) query.set("since", since);
  const limit = AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS_MAX)]);
  return call({ path: `/client/v3/sync?${query.toString()}`, method: "GET", signal: limit }, Synced);
}

async function goOn(first: string, syncing: Syncing): Promise<void> {
  const { io, signal } = syncing;
  let since = first;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const synced = await ask(since, syncing);
      await takeAll(synced, since, syncing);
      since = synced.next_batch;
      await io.cursor.set(since);
      if (failures > 0) io.report(undefined);
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      io.report(error instanceof Error ? error.message : String(error));
      await pause(backoffMs(failures), signal);
    }
  }
}

async function takeAll({ rooms }: Synced, since: string, syncing: Syncing): Promise<void> {
  const { take, invited, signal } = syncing;
  for (const [roomId, invite] of Object.entries(rooms.invite)) await invited(roomId, invite);
  for (const [roomId, { timeline }] of Object.entries(rooms.join)) {
    if (timeline === undefined) continue;
    const { events, limited, prev_batch: from } = timeline;
    const gap = limited && from !== undefined ? await missed({ roomId, from, to: since }, syncing) : [];
    for (const event of [...gap, ...events]) {
      const { data } = RoomEvent.safeParse(event);
      if (signal.aborted) throw new Error("called off");
      if (data !== undefined) await take(roomId, data);
    }
  }
}

type Gap = { roomId: string; from: string; to: string };

/** Backwards, page by page; handed on in the order in which it happened. */
async function missed({ roomId, from, to }: Gap, { call, signal }: Syncing): Promise<unknown[]> {
  const found: unknown[] = [];
  let at: string | undefined = from;
  for (let page = 0; page < GAP_PAGES_MAX && at !== undefined; page += 1) {
    const query: string = new URLSearchParams({ dir: "b", from: at, to, limit: "100" }).toString();
    const { chunk, end }: z.infer<typeof Page> = await call(
      { path: `${roomPath(roomId)}/messages?${query}`, method: "GET", signal },
      Page,
    );
    found.push(...chunk);
    at = chunk.length === 0 ? undefined : end;
  }
  return found.toReversed();
}
