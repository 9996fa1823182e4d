import { expect, it } from "vitest";
import { fakeClock, quiet } from "../../../test/kit/fake-clock.ts";
import type { ChannelEvent, ChannelOutcome } from "../../plugins/sdk.ts";
import { type Out, SendError, type VendorEvent, type VendorPort } from "../port.ts";
import { telegramAbout } from "../telegram/about.ts";
import { createReceiving } from "./receive-event.ts";

type Answering = (event: ChannelEvent) => ChannelOutcome;
type Message = Extract<VendorEvent, { kind: "message" }>;

/** One account whose vendor refuses what `refusals` holds, one after the other. */
function world(answer: Answering = () => ({ kind: "recorded" }), loadFile?: VendorPort["loadFile"]) {
  const clock = fakeClock();
  const [received, sent, reported]: [ChannelEvent[], Out[], string[]] = [[], [], []];
  const refusals: SendError[] = [];
  const receiving = createReceiving({
    account: "main",
    settings: { groups: { allow: [], mention: true }, pairing: true },
    vendor: {
      async send(_conversation, out) {
        const refusal = refusals.shift();
        if (refusal !== undefined) throw refusal;
        sent.push(out);
        return { messageId: "m1" };
      },
      ...(loadFile === undefined ? {} : { loadFile }),
    },
    capabilities: telegramAbout.capabilities,
    io: {
      mayWrite: async (_account, { id }) => id === "42",
      notes: { get: async () => undefined, set: async () => undefined, add: async () => true },
      async receive(event) {
        received.push(event);
        return answer(event);
      },
    },
    asked: { answered: async () => undefined, ask: async () => undefined },
    clock,
    report: (error) => void reported.push(String(error)),
  });
  let events = 0;
  const write = (text: string, change: Partial<Message> = {}) =>
    receiving.deliver({
      kind: "message",
      eventId: `e${events++}`,
      text,
      addressed: true,
      conversation: "42",
      direct: true,
      person: { id: "42", assured: true, name: "Alice" },
      ...change,
    });
  return { clock, received, sent, reported, refusals, receiving, write };
}

const textsOf = (received: readonly ChannelEvent[]) =>
  received.map((event) => (event.kind === "message" ? event.text : event.kind));

it("[CH-11] nothing of what somebody known wrote while the gateway was away is dropped, however much it is", async () => {
  const { write, received, reported } = world();
  for (let n = 0; n < 100; n++) await write(`message ${n}`);
  expect(received).toHaveLength(100);
  expect(reported).toEqual([]);
});

it("[CH-09] of a stranger who sends more than a person can, the rest is not even looked at, until they rest", async () => {
  const { write, received, reported, clock } = world((event) =>
    event.kind === "message" && event.text === "/pair" ? { kind: "reply", text: "Your code is" } : { kind: "dropped" },
  );
  for (let n = 0; n < 100; n++) await write(n % 2 === 0 ? "let me in" : "/pair");
  expect(received).toHaveLength(30);
  expect(reported).toHaveLength(1);
  clock.advance(10_000);
  await write("hello");
  expect(received).toHaveLength(31);
});

it("[CH-11] half characters and endless names of a vendor do not keep a message back", async () => {
  const { write, received } = world();
  await write("half \ud83e", { person: { id: "42", assured: true, name: `${"n".repeat(255)}🦊` } });
  expect(received).toMatchObject([{ text: "half \ufffd", person: { name: "n".repeat(255) } }]);
});

it("[CH-02, PL-10] what somebody forwards is no command and no code, whoever wrote it", async () => {
  const { write, received } = world();
  await write("/plan accept", { forwarded: true });
  await write("K7QMX", { forwarded: true });
  expect(textsOf(received)).toEqual(["Forwarded message:\n/plan accept", "Forwarded message:\nK7QMX"]);
});

it("[CH-11] an answer that the vendor does not take now is tried again, and no more when it may have been sent", async () => {
  const { write, sent, refusals, clock, reported, receiving } = world(() => ({
    kind: "reply",
    text: "Nothing waits.",
  }));
  refusals.push(
    new SendError("too many", { retry: "later", afterMs: 3_000 }),
    new SendError("500", { retry: "later" }),
  );
  await write("/plan status");
  await quiet();
  expect(sent).toEqual([]);
  clock.advance(3_000);
  await quiet();
  clock.advance(60_000);
  await receiving.idle();
  expect(sent).toMatchObject([{ kind: "text", body: { text: "Nothing waits." } }]);
  refusals.push(new SendError("lost", { retry: "later", maybeSent: true }));
  await write("/plan status");
  await receiving.idle();
  expect([sent.length, reported]).toEqual([1, ["SendError: lost"]]);
});

it("[CH-11] an account that stops waits for no answer that the vendor does not take", async () => {
  const { write, refusals, receiving } = world(() => ({ kind: "reply", text: "Nothing waits." }));
  refusals.push(new SendError("too many", { retry: "later", afterMs: 3_600_000 }));
  await write("/plan status");
  await quiet();
  await expect(receiving.stop()).resolves.toBeUndefined();
});

const file = (name: string, size?: number) => ({ name, source: name, ...(size === undefined ? {} : { size }) });
const saidIn = (sent: readonly Out[]) => sent.map((out) => (out.kind === "text" ? out.body.text : out.kind));

it("[UI-01, CH-11] files of somebody known are loaded and go with the message, under names that are only names", async () => {
  const { write, received, sent } = world(undefined, async (source) => Buffer.from(`in ${source}`));
  await write("look", { files: [file("../../etc/pass\u202ewd", 10), file("b.txt")] });
  await write("", { files: [{ name: "", bytes: Buffer.from("here") }] });
  const base64 = (text: string) => Buffer.from(text).toString("base64");
  expect(received).toMatchObject([
    {
      text: "look",
      attachments: [
        { name: "passwd", bytes: base64("in ../../etc/pass\u202ewd") },
        { name: "b.txt", bytes: base64("in b.txt") },
      ],
    },
    { text: "", attachments: [{ name: "file", bytes: base64("here") }] },
  ]);
  expect(sent).toEqual([]);
});

it("[CH-03] nothing is loaded for a stranger, and nothing is said to one", async () => {
  const loaded: string[] = [];
  const { write, sent, receiving } = world(
    () => ({ kind: "dropped" }),
    async (source) => (loaded.push(source), Buffer.from("")),
  );
  const mallory = { id: "666", assured: true, name: "Mallory" };
  await write("look", { files: [file("a.txt", 1e9)], person: mallory });
  await receiving.idle();
  expect([loaded, sent]).toEqual([[], []]);
});

it("[CH-11] a file that is not taken is said to be so, once, and nothing of its message is passed on", async () => {
  const loads: string[] = [];
  const load: VendorPort["loadFile"] = async (source, { bytesMax }) => {
    loads.push(source);
    if (source === "gone.txt") throw new Error("404");
    return Buffer.alloc(source === "liar.txt" ? bytesMax + 1 : 300 * 1_024);
  };
  const { write, received, sent, receiving, reported } = world(undefined, load);
  await write("", { files: [file("huge.iso", 1e9)] });
  await write("", { files: [file("liar.txt", 5)], eventId: "twice" });
  await write("", { files: [file("liar.txt", 5)], eventId: "twice" });
  await write("", { files: [file("a.txt"), file("b.txt")] });
  await write("", { files: Array.from({ length: 5 }, (_, n) => file(`${n}`)) });
  await write("", { files: [file("gone.txt")] });
  await receiving.idle();
  expect(received).toEqual([]);
  expect(loads).toEqual(["liar.txt", "liar.txt", "a.txt", "b.txt", "gone.txt"]);
  expect(saidIn(sent)).toEqual([
    expect.stringContaining("“huge.iso” is too large"),
    expect.stringContaining("“liar.txt” is too large"),
    expect.stringContaining("“b.txt” is too large"),
    expect.stringContaining("At most 4 files"),
    expect.stringContaining("“gone.txt” could not be loaded"),
  ]);
  expect(reported).toEqual(["Error: 404"]);
});

it("[CH-11] where a channel takes no files, people are told so", async () => {
  const { write, received, sent, receiving } = world();
  await write("look", { files: [file("a.txt")] });
  await receiving.idle();
  expect([received, saidIn(sent)]).toEqual([[], [expect.stringContaining("Files are not taken here.")]]);
});
