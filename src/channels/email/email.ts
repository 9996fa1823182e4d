/** E-mail: SMTP out, IMAP in, signed links in place of buttons. */
import {
  type Checked,
  defineChannel,
  type VendorIo,
  type VendorPort,
  type WebhookAnswer,
  type WebhookRequest,
} from "../port.ts";
import type { EmailSettings } from "../protocol/vendors/email-settings.ts";
import { createHeldAnswers, type HeldAnswers } from "../wire/held-answers.ts";
import { askingPage, LINK_PATH, linkedIn, pressOf, saying } from "./decision-links.ts";
import { mailEvent } from "./mail-event.ts";
import { imapClient, readMailbox } from "./read-mailbox.ts";
import { mailFailure, openTransport, sendMail } from "./send-mail.ts";

/** How long the page of a link waits for the word on what was pressed. */
const HELD_MS = 1_500;

export const email = defineChannel("email", ({ settings, webhookUrl, now }) => createEmail(settings, webhookUrl, now));

function createEmail(settings: EmailSettings, linkBase: string | undefined, now: () => number): VendorPort {
  const transport = openTransport(settings);
  const stopping = new AbortController();
  const held = createHeldAnswers<string>();
  let receiving: VendorIo | undefined;
  let reading: Promise<void> | undefined;

  return {
    connects: settings.imapHost !== undefined,
    check: () => check(settings),
    async start(io) {
      receiving = io;
      if (settings.imapHost === undefined) return;
      const { address: me, trustedServers: trusted } = settings;
      const take = async (source: Buffer, eventId: string): Promise<void> => {
        const event = await mailEvent(source, { eventId, me, trusted });
        if (event !== undefined) await io.deliver(event);
      };
      const { ended } = await readMailbox({ settings, io, take, signal: stopping.signal });
      reading = ended;
    },
    async startHooks(io) {
      receiving = io;
    },
    send: (to, out, { key }) => sendMail({ to, out, key }, { transport, settings, linkBase, nowMs: now() }),
    async toast(handle, text) {
      held.answer(handle, text);
    },
    webhook: (request) => linkOpened(request, { io: receiving, held, secret: settings.linkSecret, nowMs: now() }),
    async stop() {
      stopping.abort();
      receiving = undefined;
      held.close();
      transport.close();
      await reading;
    },
  };
}

type Opened = { io: VendorIo | undefined; held: HeldAnswers<string>; secret: string; nowMs: number };

async function linkOpened(request: WebhookRequest, { io, held, secret, nowMs }: Opened): Promise<WebhookAnswer> {
  const linked = request.path === LINK_PATH ? linkedIn(request, secret, nowMs) : undefined;
  if (linked === undefined) return saying(404, "This link is not valid, or its time is over.");
  if (request.method !== "POST") return askingPage(linked);
  if (io === undefined) return saying(503, "Not now; try again in a minute.");
  const event = pressOf(linked, request.body);
  const word = held.wait(event.eventId, HELD_MS);
  await io.deliver(event);
  return saying(200, (await word) ?? "It was sent.");
}

async function check(settings: EmailSettings): Promise<Checked> {
  const { smtpHost, imapHost } = settings;
  const transport = openTransport(settings);
  try {
    await transport.verify();
  } catch (error) {
    return {
      ok: false,
      problem: `${smtpHost}: ${mailFailure(error).message}`,
      fix: "Look at smtpHost, smtpPort, smtpSecurity and the password.",
    };
  } finally {
    transport.close();
  }
  if (imapHost === undefined) return { ok: true, me: settings.address };
  const client = imapClient(settings);
  try {
    await client.connect();
    await client.mailboxOpen(settings.mailbox, { readOnly: true });
    return { ok: true, me: settings.address };
  } catch (error) {
    const problem = `${imapHost}: ${error instanceof Error ? error.message : String(error)}`;
    return { ok: false, problem, fix: "Look at imapHost, imapPort, imapSecurity, mailbox and the password." };
  } finally {
    client.close();
  }
}
