/** The tokens of browsers: made for an operator, found by the cookie, ended by time, by revocation, or with their operator. */
import type { Clock } from "../../engine/clock.ts";
import type { Scope } from "../../protocol/actor.ts";
import type { OperatorId } from "../../protocol/ids.ts";
import type { Device, OperatorToken, Store } from "../../store/store.ts";
import { hashOf, isEqual } from "./secret-hash.ts";

export type NewDevice = {
  name: string;
  scopes: Scope[];
  operatorId: OperatorId;
  cookieHash: string;
  browserHash: string;
  expiresAtMs: number;
  /** The log-in that made its link. */
  madeBy?: OperatorId | undefined;
};

export type FoundDevice = { token: OperatorToken; device: Device; operator: OperatorToken; ended: boolean };

export type DeviceTokens = {
  /** Logs a browser in. Throws a StoreRefused when it could not be recorded; then it does not exist. */
  createDevice(device: NewDevice): Promise<OperatorToken>;
  /** The log-in that this cookie belongs to, and its operator; `ended` when either is no longer valid. */
  findDevice(cookie: string): Promise<FoundDevice | undefined>;
  /** Whether links that this operator, or this log-in, made still open: neither was revoked. A log-out ends none of them. */
  vouches(id: string): Promise<boolean>;
  /** Moves the end of a log-in that is in use. */
  prolong(token: OperatorToken, device: Device): Promise<void>;
};

/** What `createTokens` provides. */
export type TokenKeeper = {
  store: Store;
  clock: Clock;
  /** Among the tokens that are known here, or those of the store where others make some, too. */
  find<Found>(look: (tokens: OperatorToken[]) => Found | undefined): Promise<Found | undefined>;
  save(token: OperatorToken, fact: { by: string; type: string }): Promise<unknown>;
  fresh(name: string, scopes: readonly Scope[]): Omit<OperatorToken, "tokenHash" | "device">;
  roomForOneMore(): Promise<void>;
  /** Drops the cached tokens. */
  forget(): void;
};

export function deviceTokens({ store, clock, ...keeper }: TokenKeeper): DeviceTokens {
  return {
    async createDevice({ name, scopes, operatorId, cookieHash, browserHash, expiresAtMs, madeBy }) {
      await keeper.roomForOneMore();
      const makers = madeBy === undefined ? {} : { makers: makersOf(madeBy, await store.tokens()) };
      const device = { operatorId, browserHash, seenAtMs: clock.now(), expiresAtMs, ...makers };
      const token = { ...keeper.fresh(name, scopes), tokenHash: cookieHash, device };
      await keeper.save(token, { by: operatorId, type: "device.created" });
      return token;
    },
    async findDevice(cookie) {
      const given = hashOf(cookie);
      return keeper.find((all) => {
        const [token] = all.filter((item) => item.device !== null && isEqual(item.tokenHash, given)); // compares with every token
        const device = token?.device ?? null;
        const operator = all.find((item) => item.device === null && item.id === device?.operatorId);
        if (token === undefined || device === null || operator === undefined) return undefined;
        return { token, device, operator, ended: endOf(token, all) <= clock.now() };
      });
    },
    async vouches(id) {
      const isGood = await keeper.find((all) => {
        const token = all.find((item) => item.id === id);
        return token === undefined ? undefined : endingOf(token, all) !== "revoked";
      });
      return isGood === true;
    },
    async prolong(token, device) {
      const audit = { atMs: clock.now(), actor: device.operatorId, facts: [] };
      await store.saveToken({ ...token, device }, audit); // if the store is full, only the extension is lost
      keeper.forget();
    },
  };
}

const makersOf = (madeBy: OperatorId, all: readonly OperatorToken[]): OperatorId[] => [
  madeBy,
  ...(all.find(({ id }) => id === madeBy)?.device?.makers ?? []),
];

/** Revoking an operator's token revokes that operator's browsers as well, and revoking a browser those that it let in. */
export function revocationOf({ revokedAtMs, device }: OperatorToken, all: readonly OperatorToken[]): number | null {
  if (revokedAtMs !== null || device === null) return revokedAtMs;
  const { operatorId, makers = [] } = device;
  const above = all.filter(({ id, device: made }) => id === operatorId || (makers.includes(id) && made?.left !== true));
  return above.reduce<number | null>((first, { revokedAtMs: atMs }) => earlier(first, atMs), null);
}

/** `left`: by the browser itself, which ends no more than its own log-in. */
export type Ending = "revoked" | "left";

/** How a token or a log-in has ended; undefined where it has not. One that was left can still be revoked. */
export function endingOf(token: OperatorToken, all: readonly OperatorToken[]): Ending | undefined {
  const isLeft = token.device?.left === true;
  if (revocationOf(isLeft ? { ...token, revokedAtMs: null } : token, all) !== null) return "revoked";
  return isLeft ? "left" : undefined;
}

const earlier = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.min(a, b);

export const endOf = (token: OperatorToken, all: readonly OperatorToken[]): number =>
  Math.min(revocationOf(token, all) ?? Infinity, token.device?.expiresAtMs ?? Infinity);
