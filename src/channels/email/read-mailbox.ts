/**
 * New mail by IMAP, pushed by IDLE. How far it was read is noted by UID after each mail is stored, so a mail that could not be
 * stored is read again, also after a restart.
 *
 *   connect ─▶ open ─▶ read what is new ─▶ IDLE ─▶ (told of new mail) ─▶ read …   closed ─▶ connect again, later each time
 */
import { ImapFlow } from "imapflow";
import type { VendorIo } from "../port.ts";
import type { EmailSettings } from "../protocol/vendors/email-settings.ts";
import { backoffMs, pause } from "../wire/pause.ts";

export type Reading = {
  settings: EmailSettings;
  io: Pick<VendorIo, "cursor" | "report">;
  /** Resolves when it is stored. */
  take(source: Buffer, eventId: string): Promise<void>;
  signal: AbortSignal;
};

export function imapClient({
  imapHost = "",
  imapPort,
  imapSecurity,
  address,
  user = address,
  password = "",
}: EmailSettings): ImapFlow {
  const client = new ImapFlow({
    host: imapHost,
    port: imapPort,
    secure: imapSecurity === "tls",
    ...(imapSecurity === "none" ? { doSTARTTLS: false } : {}),
    auth: { user, pass: password },
    logger: false,
    disableAutoIdle: true,
  });
  client.on("error", () => undefined); // it ends the connection too, and that is looked at
  return client;
}

/** Resolves when the first connection stands; `ended` when it was called off. */
export async function readMailbox(reading: Reading): Promise<{ ended: Promise<void> }> {
  const first = await connected(reading);
  return { ended: goOn(first, reading) };
}

type Open = { client: ImapFlow; validity: string; closed: Promise<void> };

async function connected({ settings, io, signal }: Reading): Promise<Open> {
  const client = imapClient(settings);
  const closed = new Promise<void>((resolve) => client.once("close", () => resolve()));
  signal.addEventListener("abort", () => client.close(), { once: true });
  await client.connect();
  const { uidValidity, uidNext } = await client.mailboxOpen(settings.mailbox);
  const validity = String(uidValidity);
  const [known] = ((await io.cursor.get()) ?? "").split(":");
  // mail from before the first start is none of ours, and after a rebuilt mailbox the old numbers mean nothing
  if (known !== validity) await io.cursor.set(`${validity}:${uidNext - 1}`);
  return { client, validity, closed };
}

async function goOn(first: Open, reading: Reading): Promise<void> {
  const { io, signal } = reading;
  let open: Open | undefined = first;
  let failures = 0;
  while (!signal.aborted) {
    try {
      open ??= await connected(reading);
      await follow(open, reading, () => {
        if (failures > 0) io.report(undefined);
        failures = 0;
      });
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      io.report(error instanceof Error ? error.message : String(error));
    }
    open?.client.close();
    open = undefined;
    await pause(backoffMs(Math.max(failures, 1)), signal);
  }
}

/** Until the connection is lost. What could not be stored throws, and the whole of it begins anew. */
async function follow({ client, validity, closed }: Open, reading: Reading, well: () => void): Promise<void> {
  let news = Promise.withResolvers<void>();
  client.on("exists", () => news.resolve());
  while (client.usable && !reading.signal.aborted) {
    news = Promise.withResolvers<void>();
    await takeNew(client, validity, reading);
    well();
    void client.idle().catch(() => undefined);
    await Promise.race([news.promise, closed]);
  }
}

async function takeNew(client: ImapFlow, validity: string, { io, take, signal }: Reading): Promise<void> {
  const [, noted = "0"] = ((await io.cursor.get()) ?? "").split(":");
  const last = Number(noted);
  const found: { uid: number; source: Buffer }[] = [];
  for await (const { uid, source } of client.fetch(`${last + 1}:*`, { uid: true, source: true }, { uid: true }))
    if (uid > last && source !== undefined) found.push({ uid, source }); // "*" is the last one, whatever its number
  for (const { uid, source } of found.toSorted((one, other) => one.uid - other.uid)) {
    if (signal.aborted) return;
    await take(source, `mail:${validity}:${uid}`);
    await io.cursor.set(`${validity}:${uid}`);
  }
}
