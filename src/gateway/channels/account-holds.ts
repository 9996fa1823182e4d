/**
 * Which gateway serves an account of a channel. Of several on one store one at a time holds it: by a note with a term, which
 * goes by the store's clock and is renewed. Where no other gateway shares the store it is held from the start.
 *
 *   look ──nobody's, given back, run out──▶ held ──renew, at a third of its term──▶ held
 *    ▲└─another's: look again                └── somebody else's note, term run out ─▶ lost
 *    └────────────────────────────────────────────────────────────────────────────────┘
 */
import { z } from "zod";
import type { Clock } from "../../engine/clock.ts";
import type { AccountHold } from "../../plugins/api/channel.ts";
import type { Store } from "../../store/store.ts";

/** As long as the lease of a turn: a holder that died is followed within 15 s, and a store that is away for a moment is survived. */
export const HOLD_MS = 12_000;
/** How often one that is another's is looked at: it may be given back before its term ends. */
const LOOK_MS = 2_000;
/** Two gateways know the store's time almost, not exactly. */
const MARGIN_MS = 500;
/** Looks that follow each other at once where somebody else wrote in between. */
const RACES_MAX = 5;
const KEY = "holder";

const Holder = z.object({ node: z.string(), name: z.string(), untilMs: z.number() });
type Holder = z.infer<typeof Holder>;

export type HoldParts = {
  store: Pick<Store, "channelNote" | "saveChannelNote">;
  clock: Clock;
  /** `id`: unique to this process; `name`: what people are told. */
  node: { id: string; name: string };
  /** Other gateways may work on the same store. */
  shared: boolean;
  report(error: unknown): void;
};

export type Account = { surface: string; account: string };

const ALONE: AccountHold = {
  isHere: () => true,
  holder: () => undefined,
  onChange: () => undefined,
  release: async () => undefined,
};

export const createAccountHolds =
  (parts: HoldParts) =>
  async (account: Account): Promise<AccountHold> => {
    if (!parts.shared) return ALONE;
    const hold = createHold(account, parts);
    await hold.look();
    return hold;
  };

/** `note`: as it is stored, to be replaced by nobody who read something else. */
type Found = { note: string | undefined; holder: Holder | undefined };

function createHold(account: Account, parts: HoldParts): AccountHold & { look(): Promise<void> } {
  const { clock, node, report } = parts;
  const listeners = new Set<() => void>();
  const term = createTerm(clock, changed);
  let holder: Holder | undefined;
  let wasHere = false;
  let wasDenied = false;
  let callOff: (() => void) | undefined;
  let looking: Promise<void> = Promise.resolve();
  let isReleased = false;

  function changed(): void {
    const isHere = term.isRunning();
    if (isHere === wasHere && !(isHere && wasDenied)) return;
    wasHere = isHere;
    wasDenied = false;
    for (const listener of listeners) listener();
  }

  async function lookOnce(): Promise<void> {
    try {
      const found = await claimed(account, parts);
      holder = found;
      term.set(found?.node === node.id ? found.untilMs : undefined);
    } catch (error) {
      report(error); // the term runs on; at its end it is lost
    }
    changed();
  }

  async function look(): Promise<void> {
    await lookOnce();
    if (isReleased) return;
    const nowMs = clock.now();
    const waitMs = holder?.node === node.id ? HOLD_MS / 3 : LOOK_MS;
    callOff = clock.wakeAt(nowMs + waitMs, () => void (looking = look()));
  }

  return {
    look: () => (looking = look()),
    isHere() {
      const isHere = !isReleased && term.isRunning();
      if (!isHere) wasDenied = true; // whoever asked waits to be called
      return isHere;
    },
    holder: () => holder?.name,
    onChange: (listener) => void listeners.add(listener),
    async release() {
      if (isReleased) return;
      isReleased = true;
      listeners.clear();
      callOff?.();
      await looking;
      callOff?.();
      term.set(undefined);
      await givenBack(account, parts).catch(report);
    },
  };
}

/** Until when it is certainly held. Called at its end, whatever a renewal still waits for. */
function createTerm(clock: Clock, ended: () => void) {
  let untilMs: number | undefined;
  let callOff: (() => void) | undefined;
  return {
    isRunning: () => untilMs !== undefined && clock.now() < untilMs && clock.isInDoubt?.() !== true,
    set(toMs: number | undefined): void {
      callOff?.();
      untilMs = toMs;
      callOff = toMs === undefined ? undefined : clock.wakeAt(toMs, ended);
    },
  };
}

async function noted({ surface, account }: Account, { store }: HoldParts): Promise<Found> {
  const note = await store.channelNote({ surface, account, key: KEY });
  return { note: note?.value, holder: holderIn(note?.value) };
}

function holderIn(note: string | undefined): Holder | undefined {
  try {
    return Holder.safeParse(JSON.parse(note ?? "null")).data;
  } catch {
    return undefined;
  }
}

/** Who holds it after this: we, where it is ours already or free; undefined where that did not become clear. */
async function claimed(account: Account, parts: HoldParts): Promise<Holder | undefined> {
  const { store, clock, node } = parts;
  for (let races = 0; races < RACES_MAX; races += 1) {
    const { note, holder } = await noted(account, parts);
    const nowMs = clock.now();
    if (holder !== undefined && holder.node !== node.id && holder.untilMs + MARGIN_MS > nowMs) return holder;
    const ours = { node: node.id, name: node.name, untilMs: nowMs + HOLD_MS };
    const change = { ...account, key: KEY, value: JSON.stringify(ours), untilMs: null, expected: note ?? null };
    const saved = await store.saveChannelNote(change);
    if (saved.status === "committed") return ours;
    if (saved.status === "failed") throw new Error(`who serves an account was not stored: ${saved.failure.message}`);
  }
  return undefined;
}

async function givenBack(account: Account, parts: HoldParts): Promise<void> {
  const { note, holder } = await noted(account, parts);
  if (note === undefined || holder?.node !== parts.node.id) return;
  await parts.store.saveChannelNote({ ...account, key: KEY, value: null, untilMs: null, expected: note });
}
