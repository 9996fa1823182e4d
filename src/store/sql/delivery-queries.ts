/** What SQLite and PostgreSQL share about deliveries: the reads, and rows as columns and JSON text. */
import type { ChannelNote, Delivery, StoredSubscriber, SubscriberChange, SurfaceAccount } from "../deliveries.ts";
import type { DeliveryStore } from "../store.ts";
import { pageLimit } from "../list/page.ts";
import type { DamageLog } from "../damage-log.ts";
import { type Checked, rowChecksum } from "../row-checksum.ts";
import { fromStored } from "../stored-json.ts";
import type { Query } from "./queries.ts";
import { sql } from "./statement.ts";

export type DeliveryReads = Pick<
  DeliveryStore,
  | "subscribers"
  | "subscriber"
  | "openDeliveries"
  | "deliveryOf"
  | "surfaceAccount"
  | "surfaceAccounts"
  | "channelNote"
  | "channelNotes"
>;

type SubscriberColumns = { version: number; doc: string };

const storedSubscriber = ({ version, doc }: SubscriberColumns): StoredSubscriber => ({
  version,
  subscriber: fromStored<StoredSubscriber["subscriber"]>(doc),
});
const storedDelivery = ({ doc }: { doc: string }): Delivery => fromStored<Delivery>(doc);

const ACCOUNT_COLUMNS = sql`surface, account, person_id AS "personId", operator_id AS "operatorId",
  created_at_ms AS "createdAtMs", checksum`;

type AccountColumns = SurfaceAccount & { checksum: number | null };

const accountColumns = ({ surface, account, personId, operatorId, createdAtMs }: SurfaceAccount): Checked[] => [
  surface,
  account,
  personId,
  operatorId,
  createdAtMs,
];

export const accountChecksum = (account: SurfaceAccount): number =>
  rowChecksum("surface_accounts", accountColumns(account));

/** An account whose row is damaged is left out: it is nobody's. */
function accountsIn(rows: AccountColumns[], damage: DamageLog): SurfaceAccount[] {
  return rows.flatMap(({ checksum, ...account }) => {
    const name = `${account.surface} ${account.personId}`;
    const row = { table: "surface_accounts", name, checksum, columns: accountColumns(account) };
    return damage.isSound(row) ? [account] : [];
  });
}

const NOTE_COLUMNS = sql`surface, account, key, value, until_ms AS "untilMs"`;

export function deliveryReads(query: Query, damage: DamageLog): DeliveryReads {
  return {
    async subscribers({ id, limit }) {
      const rows = await query<SubscriberColumns>(
        sql`SELECT version, doc FROM subscribers WHERE id > ${id} ORDER BY id LIMIT ${pageLimit(limit)}`,
      );
      return rows.map(storedSubscriber);
    },
    async subscriber(id) {
      const [row] = await query<SubscriberColumns>(sql`SELECT version, doc FROM subscribers WHERE id = ${id}`);
      return row === undefined ? undefined : storedSubscriber(row);
    },
    async openDeliveries({ subscriberId, limit }) {
      const rows = await query<{ doc: string }>(
        sql`SELECT doc FROM deliveries WHERE subscriber_id = ${subscriberId} AND is_open = 1 ORDER BY key
          LIMIT ${pageLimit(limit)}`,
      );
      return rows.map(storedDelivery);
    },
    async deliveryOf({ subscriberId, messageId }) {
      const [row] = await query<{ doc: string }>(
        sql`SELECT doc FROM deliveries WHERE subscriber_id = ${subscriberId} AND message_id = ${messageId}
          ORDER BY key LIMIT 1`,
      );
      return row === undefined ? undefined : storedDelivery(row);
    },
    async surfaceAccount({ surface, account, personId }) {
      const rows = await query<AccountColumns>(
        sql`SELECT ${ACCOUNT_COLUMNS} FROM surface_accounts
          WHERE surface = ${surface} AND account = ${account} AND person_id = ${personId}`,
      );
      return accountsIn(rows, damage)[0];
    },
    async surfaceAccounts() {
      const rows = await query<AccountColumns>(
        sql`SELECT ${ACCOUNT_COLUMNS} FROM surface_accounts ORDER BY surface, account, person_id`,
      );
      return accountsIn(rows, damage);
    },
    async channelNote({ surface, account, key }) {
      const [row] = await query<ChannelNote>(
        sql`SELECT ${NOTE_COLUMNS} FROM channel_notes
          WHERE surface = ${surface} AND account = ${account} AND key = ${key}`,
      );
      return row;
    },
    channelNotes: ({ keyPrefix, limit }) =>
      query<ChannelNote>(
        sql`SELECT ${NOTE_COLUMNS} FROM channel_notes WHERE key >= ${keyPrefix} AND key < ${`${keyPrefix}\u{10FFFF}`}
          ORDER BY surface, account, key LIMIT ${pageLimit(limit)}`,
      ),
  };
}

export type DeliveryRecord = {
  key: string;
  messageId: string | null;
  isOpen: number;
  atMs: number;
  doc: string;
};
export type SubscriberRecord = { id: string; expectedVersion: number; doc: string; deliveries: DeliveryRecord[] };

export const subscriberRecord = ({ subscriber, expectedVersion, deliveries }: SubscriberChange): SubscriberRecord => ({
  id: subscriber.id,
  expectedVersion,
  doc: JSON.stringify(subscriber),
  deliveries: deliveries.map((delivery) => ({
    key: delivery.key,
    messageId: delivery.messageId,
    isOpen: Number(delivery.open),
    atMs: delivery.atMs,
    doc: JSON.stringify(delivery),
  })),
});
