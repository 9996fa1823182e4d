import { expect, it } from "vitest";
import { field } from "../../../test/kit/channels/fake-http.ts";
import {
  GONE_TOPIC,
  startFakeTelegram,
  tooMany,
  type TelegramMessage,
} from "../../../test/kit/channels/fake-telegram.ts";
import { channelContract } from "../channel-contract.ts";
import { running, type SeenMessage, type VendorWorld, type Writing } from "../contract/fake-vendor.ts";
import { textItem } from "../contract/sample-items.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { telegramAbout } from "./about.ts";
import { placeName } from "./place.ts";

const seen = ({ id, plain, text, keyboard, file }: TelegramMessage): SeenMessage => ({
  id: String(id),
  text: file === undefined ? plain : file.caption,
  raw: text,
  buttons: keyboard.map(({ text: label, data }) => ({ label, data })),
  ...(file === undefined ? {} : { file: { name: file.name, text: file.text } }),
});

async function world(
  settings: object = {},
): Promise<VendorWorld & { telegram: Awaited<ReturnType<typeof startFakeTelegram>> }> {
  const telegram = await startFakeTelegram();
  const written: ReturnType<typeof telegram.write>[] = [];
  const from = ({ person = "501", name = "Alice", group, replyTo, thread }: Writing) => ({
    userId: Number(person),
    name,
    ...(group === undefined ? {} : { chatId: group }),
    ...(replyTo === undefined ? {} : { replyTo: Number(replyTo) }),
    ...(thread === undefined ? {} : { topic: Number(thread) }),
  });
  const isSend = (method: string): boolean => method === "sendMessage" || method === "sendDocument";
  const once = (answer: Parameters<typeof telegram.fault>[0], times = 1): void => {
    let left = times;
    const end = telegram.fault((method, params) => {
      const given = answer(method, params);
      if (given !== undefined && --left === 0) end();
      return given;
    });
  };
  return {
    telegram,
    settings: ChannelSettings.parse({
      kind: "telegram",
      token: telegram.token,
      apiRoot: telegram.apiRoot,
      ...settings,
    }),
    vendor: {
      conversation: ({ person = "501", group }) => group ?? person,
      write(text, by = {}) {
        const words = by.mentions === true ? `@hold_bot ${text}` : text;
        const { file } = by;
        written.push(file === undefined ? telegram.write(words, from(by)) : telegram.writeFile(file, words, from(by)));
      },
      press: (message, n, by = {}) =>
        void telegram.pressData(
          message.buttons[n]?.data ?? "",
          { id: Number(message.id), chatId: by.group ?? by.person ?? "501" },
          from(by),
        ),
      sendAgain: (count) =>
        written
          .slice(written.length - count)
          .forEach(({ update_id: _id, ...update }) => telegram.updates.unshift({ update_id: _id, ...update })),
      acknowledged: () => written.filter((one) => !telegram.updates.includes(one)).length,
      messages: (conversation) => telegram.messages.filter((one) => placeName(one) === conversation).map(seen),
      tells: field(settings, "mode") === "webhook" ? undefined : "poll",
      attach: (given) => telegram.attach(given),
      threads: {
        names: ["7", "8"],
        sent: () => telegram.messages.map((one) => ({ text: seen(one).text, thread: one.topic?.toString() })),
      },
      toasts: () => telegram.toasts.map(({ text }) => text),
      limit: (afterMs, times) => once((method) => (isSend(method) ? tooMany(afterMs / 1_000) : undefined), times),
      cut: (when) =>
        once((method, params) =>
          isSend(method) ? (when === "after" ? telegram.takeAndCut(method, params) : "cut") : undefined,
        ),
      refuseFiles: () =>
        void telegram.fault((method) =>
          method === "sendDocument" ? { ok: false, error_code: 400, description: "Bad Request: file" } : undefined,
        ),
      remove: (conversation, id) =>
        void telegram.messages.splice(
          telegram.messages.findIndex((one) => placeName(one) === conversation && String(one.id) === id),
          1,
        ),
      connections: () => telegram.polling(),
      close: () => telegram.close(),
    },
  };
}

const WEBHOOK = { mode: "webhook", webhookSecret: "s3cret" };
channelContract(telegramAbout, (way) => world(way === "webhook" ? WEBHOOK : {}));

it("[CH-02] /plan@otherbot is another bot's, /plan@hold_bot is ours", async () => {
  const { vendor, settings } = await world();
  const { events, answers } = await running({ vendor, settings });
  answers(() => ({ kind: "recorded" }));
  for (const theirs of ["/plan@otherbot accept", "@hold_bot /plan@otherbot accept", " /plan@otherbot accept"])
    vendor.write(theirs);
  vendor.write("/plan@hold_bot status");
  await expect.poll(() => events.length).toBe(1);
  expect(events).toMatchObject([{ text: "/plan@hold_bot status" }]);
});

it("[CH-02, PL-10] a message that is edited into a command is none, and neither is one that is forwarded", async () => {
  const { vendor, settings, telegram } = await world();
  const { events, answers } = await running({ vendor, settings });
  answers(() => ({ kind: "recorded" }));
  const { update_id: _id, message } = telegram.write("hello");
  if (message === undefined) throw new Error("no message");
  telegram.push({ edited_message: { ...message, edit_date: 2, text: "/plan accept" } });
  const origin = { type: "hidden_user", sender_user_name: "Mallory", date: 1 } as const;
  telegram.push({ message: { ...message, text: "/plan accept", forward_origin: origin } });
  await expect.poll(() => events.length).toBe(2);
  expect(events).toMatchObject([{ text: "hello" }, { text: "Forwarded message:\n/plan accept" }]);
});

it("[UI-01, CH-11] a document comes with the words below it, and one that is gone is said to be so", async () => {
  const { vendor, settings, telegram } = await world({ groups: { allow: ["-600"] } });
  const { events, answers } = await running({ vendor, settings });
  answers(() => ({ kind: "recorded" }));
  telegram.writeFile({ name: "notes.md", text: "be kind" }, "@hold_bot look", { userId: 501, chatId: "-600" });
  telegram.writeFile({ name: "notes.md", text: "unasked" }, "", { userId: 501, chatId: "-600" });
  telegram.writeFile({ name: "secret.md", text: "x" }, "", { userId: 666 });
  telegram.writeFile({ name: "big.md", text: "x".repeat(600_000) }, "", { userId: 501 });
  await expect.poll(() => telegram.messages.length).toBe(1);
  expect(telegram.messages[0]?.plain).toContain("“big.md” is too large");
  expect(events).toMatchObject([
    { text: "look", attachments: [{ name: "notes.md", bytes: Buffer.from("be kind").toString("base64") }] },
    { text: "", person: { id: "666" } },
  ]);
  expect(events[1]).not.toHaveProperty("attachments");
  expect(telegram.calls.filter(({ method }) => method === "getFile")).toHaveLength(1);
});

it("[CH-06] a topic of a group is a conversation of its own; where it is gone, the group gets the message", async () => {
  const { vendor, settings, telegram } = await world({ groups: { allow: ["-600"] } });
  const { events, answers, deliver } = await running({ vendor, settings });
  answers(() => ({ kind: "recorded" }));
  telegram.write("@hold_bot hello", { chatId: "-600", topic: 7 });
  await expect.poll(() => events).toMatchObject([{ conversation: "-600:topic:7", text: "hello" }]);
  await deliver("-600:topic:7", [textItem("t1", "in the topic")]);
  await deliver(`-600:topic:${GONE_TOPIC}`, [textItem("t2", "in the group")]);
  expect(telegram.messages.map(({ topic, plain }) => [topic, plain])).toEqual([
    [7, "in the topic"],
    [undefined, "in the group"],
  ]);
});

it("[CH-12] an administrator who writes as the group is nobody in particular", async () => {
  const { vendor, settings, telegram } = await world({ groups: { allow: ["-600"] } });
  const { events, answers } = await running({ vendor, settings });
  answers(() => ({ kind: "recorded" }));
  telegram.write("/plan accept", { chatId: "-600", userId: 1_087_968_824 });
  await expect.poll(() => events).toMatchObject([{ person: { assured: false } }]);
});

it("[CH-09, CH-11] 13: a webhook needs its secret, and is answered when its update is stored", async () => {
  const { vendor, settings, telegram } = await world(WEBHOOK);
  const { account, events, answers } = await running({ vendor, settings });
  expect(telegram.webhook()).toEqual({ url: "https://gateway.example/hooks/telegram/main", secret: "s3cret" });
  const update = {
    update_id: 1,
    message: {
      message_id: 1,
      date: 1,
      chat: { id: 501, type: "private" },
      from: { id: 501, is_bot: false, first_name: "A" },
      text: "hi",
    },
  };
  const post = (headers: Record<string, string>, body = JSON.stringify(update)) =>
    account.webhook({ method: "POST", path: "", headers, body: new TextEncoder().encode(body) });
  const name = "x-telegram-bot-api-secret-token";
  for (const headers of [{}, { [name]: "s3creT" }, { [name]: "s3cret " }, { [name]: "" }])
    expect(await post(headers)).toMatchObject({ status: 401 });
  expect(await post({ [name]: "s3cret" }, "{")).toMatchObject({ status: 400 });
  expect(events).toEqual([]);
  answers(() => {
    throw new Error("the disk is full");
  });
  await expect(post({ [name]: "s3cret" })).rejects.toThrow("disk");
  answers(() => ({ kind: "recorded" }));
  expect(await post({ [name]: "s3cret" })).toMatchObject({ status: 200 });
  expect(events).toMatchObject([{ kind: "message", text: "hi", direct: true }]);
});

it("[CH-08] a wrong token is told apart from a server that cannot be reached", async () => {
  const { settings, telegram } = await world();
  const { telegram: module } = await import("./telegram.ts");
  const check = async (change: object) =>
    (
      await module.open({
        settings: ChannelSettings.parse({ ...settings, ...change }),
        webhookUrl: undefined,
        now: () => 0,
      })
    ).check(AbortSignal.timeout(5_000));
  expect(await check({})).toEqual({ ok: true, me: "@hold_bot" });
  expect(await check({ token: "1:wrong" })).toMatchObject({ ok: false, problem: "Telegram does not know this token." });
  await telegram.close();
  expect(await check({})).toMatchObject({ ok: false, problem: "Telegram could not be reached." });
  const vendor = await module.open({ settings, webhookUrl: undefined, now: () => 0 });
  const text = { kind: "text", body: { format: "html", text: "hi" } } as const;
  const sending = { key: "k", signal: AbortSignal.timeout(5_000) };
  // nobody took the connection, so nothing can have been sent
  await expect(vendor.send("501", text, sending)).rejects.toMatchObject({ retry: "later", maybeSent: false });
});
