import { expect, it } from "vitest";
import { mailFrom, startFakeMail } from "../../../test/kit/channels/fake-mail.ts";
import { channelContract } from "../channel-contract.ts";
import { running } from "../contract/fake-vendor.ts";
import { approval, cardItem, TOKENS } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { emailAbout } from "./about.ts";
import { mailEvent } from "./mail-event.ts";

channelContract(emailAbout, () => startFakeMail());

const parts = { eventId: "mail:7:1", me: "hold@gateway.example", trusted: ["mx.gateway.example"] };
const results = (text: string): string => `Authentication-Results: ${text}`;
const parsed = (headers: string[], text = "/plan status") => mailEvent(Buffer.from(mailFrom(text, { headers })), parts);

it("[CH-12] who wrote a mail is sure only where our own server, in the topmost header, says that DMARC passed for that domain", async () => {
  const pass = "mx.gateway.example; spf=pass; dmarc=pass (p=reject) header.from=people.example";
  expect(await parsed([results(pass)])).toMatchObject({ person: { id: "p501@people.example", assured: true } });
  const unsure = [
    [],
    [results("mx.other.example; dmarc=pass header.from=people.example")],
    [results("mx.other.example; none"), results(pass)], // what stands below may be the sender's own
    [results("mx.gateway.example; dmarc=fail header.from=people.example")],
    [results("mx.gateway.example; dmarc=pass header.from=evil.example")],
    [results("mx.gateway.example; spf=pass (dmarc=pass header.from=people.example)")],
    [results('mx.gateway.example; spf=pass reason="; dmarc=pass header.from=people.example"')],
    [results("mx.gateway.example; dmarc=fail header.from=people.example; dmarc=pass header.from=people.example")],
    [results("mx.gateway.example; dmarc=passable header.from=people.example")],
  ];
  for (const headers of unsure) expect([headers, (await parsed(headers))?.person.assured]).toEqual([headers, false]);
});

it("[CH-09] answers of machines, lists and our own mail are nothing; what is quoted is not said", async () => {
  for (const header of [
    "Auto-Submitted: auto-replied",
    "Precedence: bulk",
    "List-Id: <x.example>",
    "From: b@evil.example",
  ])
    expect([header, await parsed([header])]).toEqual([header, undefined]);
  const quoting = "/plan status\r\n\r\nOn Monday, Holdpoint wrote:\r\n> /plan accept 1a2b3c";
  expect(await parsed([], quoting)).toMatchObject({ text: "/plan status" });
});

it("[CH-12] a link in a mail decides nothing when it is opened, only when its button is pressed; a changed or old one is nothing", async () => {
  const world = await startFakeMail();
  const { vendor, events, deliver, answers, clock } = await running(world);
  answers(() => ({ kind: "refused", refusal: { code: "APPROVAL_STALE", message: "It is <over>." } }));
  const here = vendor.conversation({ person: "501" });
  await deliver(here, [cardItem(approval())]);
  const url = vendor.messages(here)[0]?.buttons[0]?.data ?? "";
  expect(await world.open(url, "GET")).toMatchObject({
    status: 200,
    body: expect.stringContaining('<form method="post">'),
  });
  expect(events).toEqual([]);
  const other = Buffer.from(JSON.stringify({ to: "x@evil.example" })).toString("base64url");
  for (const bad of [
    url.replace(/p=[^&]+/, `p=${other}`),
    `${url}x`,
    url.replace(/&s=.*/, ""),
    url.replace("/do?", "/did?"),
  ])
    expect(await world.open(bad, "POST")).toMatchObject({ status: 404 });
  expect(await world.open(url, "POST")).toMatchObject({
    status: 200,
    body: expect.stringContaining("It is &lt;over&gt;."),
  });
  expect(events).toMatchObject([
    { kind: "click", token: TOKENS[0], person: { id: here, assured: true }, direct: true },
  ]);
  clock.advance(8 * 86_400_000);
  expect(await world.open(url, "POST")).toMatchObject({ status: 404 });
});

it("[CH-08] channels add asks both servers", async () => {
  const { settings, vendor } = await startFakeMail();
  const { email } = await import("./email.ts");
  const check = async (change: object) =>
    (
      await email.open({
        settings: ChannelSettings.parse({ ...settings, ...change }),
        webhookUrl: undefined,
        now: () => 0,
      })
    ).check(AbortSignal.timeout(5_000));
  expect(await check({})).toEqual({ ok: true, me: "hold@gateway.example" });
  expect(await check({ password: "wrong" })).toMatchObject({ ok: false });
  expect(await check({ imapPort: 1 })).toMatchObject({ ok: false, fix: expect.stringContaining("imap") });
  expect(await check({ smtpPort: 1 })).toMatchObject({ ok: false, fix: expect.stringContaining("smtp") });
  await vendor.close();
});
