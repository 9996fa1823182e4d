/** What is known of e-mail without loading a client. */
import type { ChannelAbout } from "../port.ts";

const MIB = 1024 * 1024;

export const emailAbout: ChannelAbout = {
  kind: "email",
  title: "E-mail",
  capabilities: {
    format: "html",
    textMax: 100_000,
    unit: "utf16",
    buttons: { max: 10, labelMax: 80, payloadMax: 1_000 },
    edit: false,
    file: { bytesMax: 10 * MIB, captionMax: 4_096 },
    filesIn: true,
    form: "own",
    toast: { charsMax: 500 },
    thread: false,
    groups: false,
    inbound: ["socket", "webhook"],
    idempotentSend: false,
    replay: "full",
    identity: "weak",
    rate: { perConversation: 1, burst: 20, global: 10 },
  },
  packages: [
    { name: "nodemailer", version: "10.4.0" },
    { name: "imapflow", version: "2.1.2" },
    { name: "mailparser", version: "3.9.31" },
  ],
  questions: [
    { setting: "address", ask: "The address that people write to" },
    { setting: "smtpHost", ask: "The SMTP server" },
    { setting: "imapHost", ask: "The IMAP server", optional: true },
    { setting: "password", ask: "The mailbox's password", secretName: "EMAIL_PASSWORD", optional: true },
    { setting: "linkSecret", ask: "A long random text that signs links", secretName: "EMAIL_LINK_SECRET" },
  ],
  reach: "Nothing for mail itself. People must reach gateway.pageAddress for the links in it.",
  identifiedBy: "the address, once your own mail server says that DMARC passed; a link proves who received it",
  tested: "smtp-server and hoodiecrow-imap from npm, dovecot in npm run test:long; never run against a provider",
};
