import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ImapFlow } from "imapflow";
import { expect, it, onTestFinished } from "vitest";
import {
  debianPrograms,
  freePort,
  startProgram,
  type Unpacked,
  whyNotOverlaid,
} from "../../../test/kit/channels/debian-programs.ts";
import { mailFrom, startFakeMail } from "../../../test/kit/channels/fake-mail.ts";
import type { VendorEvent, VendorIo } from "../port.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { email } from "./email.ts";

const PASSWORD = "testpass";

/** Started under the paths that it was compiled for, which only it sees. */
async function dovecotIn({ root, folder }: Unpacked) {
  const port = await freePort();
  const [file, mail, state] = [join(folder, "dovecot.conf"), join(folder, "mail"), join(folder, "run")];
  await mkdir(mail);
  await Promise.all([chmod(folder, 0o755), chmod(mail, 0o777)]);
  await writeFile(
    file,
    `base_dir = ${state}
state_dir = ${state}
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
default_internal_user = nobody
default_internal_group = nogroup
default_login_user = nobody
first_valid_uid = 1
first_valid_gid = 1
log_path = /dev/stderr
mail_location = maildir:${mail}/%u
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=nobody gid=nogroup home=${mail}/%u
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`,
  );
  async function start() {
    const args = [
      "--mount",
      "sh",
      "-c",
      `mount -t overlay overlay -o "lowerdir=$0/usr:/usr" /usr && exec dovecot -F -c "$1"`,
    ];
    const server = startProgram({ command: "unshare", args: [...args, root, file], cwd: folder });
    onTestFinished(server.stop);
    await expect.poll(server.log).toContain("starting up for imap");
    return server;
  }
  return { port, start };
}

/** Another program on the same mailbox: what delivers mail to it. */
async function append(port: number, ...texts: string[]): Promise<void> {
  const auth = { user: "testuser", pass: PASSWORD };
  const client = new ImapFlow({ host: "127.0.0.1", port, secure: false, doSTARTTLS: false, auth, logger: false });
  await client.connect();
  for (const text of texts) await client.append("INBOX", mailFrom(text));
  await client.logout();
}

it("[CH-08, CH-11] against dovecot: mail is pushed, what was not stored comes again, and neither a restart of the server nor ours loses or repeats one", async ({
  skip,
}) => {
  const unpacked = await debianPrograms(["dovecot-core", "dovecot-imapd", "liblua5.4-0", "libexttextcat-2.0-0"]);
  if (typeof unpacked === "string") return skip(unpacked);
  onTestFinished(unpacked.remove);
  const why = await whyNotOverlaid(unpacked);
  if (why !== undefined) return skip(why);
  const dovecot = await dovecotIn(unpacked);
  const first = await dovecot.start();
  await append(dovecot.port, "from before");

  const provider = await startFakeMail({ imapPort: dovecot.port, user: "testuser", password: PASSWORD });
  onTestFinished(() => provider.vendor.close());
  const settings = ChannelSettings.parse(provider.settings);
  const [events, reports]: [VendorEvent[], (string | undefined)[]] = [[], []];
  let [cursor, refusals]: [string | undefined, number] = [undefined, 0];
  const io: Pick<VendorIo, "deliver" | "cursor" | "report"> = {
    async deliver(event) {
      refusals -= 1;
      if (refusals >= 0) throw new Error("the disk is full");
      events.push(event);
    },
    cursor: { get: async () => cursor, set: async (to) => void (cursor = to) },
    report: (problem) => void reports.push(problem),
  };
  const open = () => email.open({ settings, webhookUrl: undefined, now: Date.now });
  const texts = () => events.map((event) => (event.kind === "message" ? event.text : event.kind));

  const account = await open();
  await account.start(io);
  onTestFinished(account.stop);
  await append(dovecot.port, "one");
  await expect.poll(texts).toEqual(["one"]);
  refusals = 1;
  await append(dovecot.port, "two", "three");
  await expect.poll(texts, { timeout: 30_000 }).toEqual(["one", "two", "three"]);
  expect(reports).toEqual(["the disk is full", undefined]);

  await first.stop();
  await dovecot.start();
  await append(dovecot.port, "four");
  await expect.poll(texts, { timeout: 60_000 }).toEqual(["one", "two", "three", "four"]);

  await account.stop();
  await append(dovecot.port, "five");
  const successor = await open();
  await successor.start(io);
  onTestFinished(successor.stop);
  await expect.poll(texts).toEqual(["one", "two", "three", "four", "five"]);
  expect(new Set(events.map(({ eventId }) => eventId)).size).toBe(5);

  expect(await successor.check(AbortSignal.timeout(10_000))).toMatchObject({ ok: true });
});
