/**
 * How somebody unknown becomes somebody: they ask in a direct conversation and get a code; an operator who knows them
 * approves that code and says who they are. Codes live an hour, in the store, and one person has one.
 *
 *   /pair ─▶ code, noted ─▶ pair.approve {code, operator} ─▶ account of the surface ─▶ pair.revoke
 */
import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Clock } from "../../engine/clock.ts";
import type { ChannelNote, Place, SurfacePerson } from "../../store/deliveries.ts";
import { PAGE_MAX, type Store } from "../../store/store.ts";
import { localized } from "../../channels/texts/localized.ts";

const CODE_CHARS = 8;
const SIGNS = "23456789BCDFGHJKMNPQRSTVWXZ";
const CODE_MS = 3_600_000;
/** Of one account: more are not taken until some were decided or have expired. */
const PENDING_MAX = 50;
const PREFIX = "pair:";

const Asked = z.object({ personId: z.string(), name: z.string(), conversation: z.string(), atMs: z.int() });

export type PairRequest = SurfacePerson & {
  code: string;
  name: string;
  conversation: string;
  atMs: number;
  untilMs: number;
};

export type Pairing = {
  /** What to tell them; undefined where no more are taken. */
  ask(person: { place: Place; personId: string; name: string }): Promise<string | undefined>;
  requests(): Promise<PairRequest[]>;
  /** Takes the request away. */
  forget(request: PairRequest): Promise<void>;
};

export function createPairing({ store, clock }: { store: Store; clock: Clock }): Pairing {
  async function requests(): Promise<PairRequest[]> {
    const notes = await store.channelNotes({ keyPrefix: PREFIX, limit: PAGE_MAX });
    return notes.flatMap(requestIn).filter(({ untilMs }) => untilMs > clock.now());
  }

  async function forget({ surface, account, code }: PairRequest): Promise<void> {
    await store.saveChannelNote({ surface, account, key: `${PREFIX}${code}`, value: null, untilMs: null });
  }

  return {
    requests,
    forget,
    async ask({ place: { surface, account, conversation }, personId, name }) {
      const known = (await requests()).filter((one) => one.surface === surface && one.account === account);
      const own = known.filter((one) => one.personId === personId);
      if (known.length - own.length >= PENDING_MAX) return undefined;
      for (const one of own) await forget(one);
      const code = Array.from({ length: CODE_CHARS }, () => SIGNS[randomInt(SIGNS.length)]).join("");
      const value = JSON.stringify({ personId, name, conversation, atMs: clock.now() });
      const untilMs = clock.now() + CODE_MS;
      const saved = await store.saveChannelNote({ surface, account, key: `${PREFIX}${code}`, value, untilMs });
      if (saved.status !== "committed") return undefined;
      return localized("pairCode", { code, command: `holdpoint pair approve ${code}` }).text;
    },
  };
}

function requestIn({ surface, account, key, value, untilMs }: ChannelNote): PairRequest[] {
  const { data } = Asked.safeParse(JSON.parse(value));
  return data === undefined
    ? []
    : [{ surface, account, code: key.slice(PREFIX.length), ...data, untilMs: untilMs ?? 0 }];
}
