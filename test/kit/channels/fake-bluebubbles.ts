/** A BlueBubbles server in memory: messages are asked for by their time, and its webhooks are not signed. */
import type { Account } from "../../../src/channels/bridge/account.ts";
import type { SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { fakeFrame } from "./fake-frame.ts";
import { createTroubles, type FakeAnswer, type FakeCall, startFakeHttp, textField } from "./fake-http.ts";

export const BLUE = { password: "blue pass", hook: "s3cret-path" };
const START = Date.UTC(2026, 0, 5, 9);

type State = { messages: (SeenMessage & { chat: string })[]; inbox: { dateCreated: number }[]; numbers: number };

const done = (data: unknown): FakeAnswer => ({ json: { status: 200, message: "Success", data } });

async function taken(call: FakeCall, state: State, refuses: boolean): Promise<FakeAnswer> {
  const isFile = call.path.endsWith("/attachment");
  if (isFile && refuses) return { status: 500, json: { status: 500, message: "Failed to send attachment" } };
  const id = `guid-${++state.numbers}`;
  if (isFile) {
    const form = await call.form();
    const file = form.get("attachment");
    if (!(file instanceof File)) return { status: 400, json: {} };
    const chat = form.get("chatGuid");
    const shown = { id, chat: typeof chat === "string" ? chat : "", text: "", raw: "", buttons: [] };
    state.messages.push({ ...shown, file: { name: file.name, text: await file.text() } });
    return done({ guid: id });
  }
  const text = textField(call.json, "message");
  if (text === "") return { status: 400, json: { status: 400, message: "message is required" } };
  state.messages.push({ id, chat: textField(call.json, "chatGuid"), text, raw: text, buttons: [] });
  return done({ guid: id });
}

const chatOf = ({ person = "501", group }: Writing): string =>
  group === undefined ? `iMessage;-;+1500555${person.padStart(4, "0")}` : `iMessage;+;chat${group}`;

function readUpTo(cursor: string | undefined, { inbox }: State): number {
  const { ms } = JSON.parse(cursor ?? '{"ms":0}') as { ms: number };
  return inbox.filter(({ dateCreated }) => dateCreated <= ms).length;
}

export async function startFakeBlueBubbles(
  settings: object = {},
): Promise<VendorWorld & { receive(message: object): void; state: State }> {
  const state: State = { messages: [], inbox: [], numbers: 0 };
  const troubles = createTroubles((afterMs) => ({
    status: 429,
    headers: { "retry-after": String(afterMs / 1_000) },
    json: {},
  }));
  let webhook: Account["webhook"] | undefined;
  const http = await startFakeHttp({
    answer(call) {
      if (call.query.get("password") !== BLUE.password)
        return { status: 401, json: { status: 401, message: "Unauthorized" } };
      if (call.path === "/api/v1/ping") return done("pong");
      if (call.path === "/api/v1/server/info") return done({ server_version: "1.9.9" });
      if (call.path === "/api/v1/message/query")
        return done(state.inbox.filter(({ dateCreated }) => dateCreated >= Number(textField(call.json, "after"))));
      return troubles.around(() => taken(call, state, troubles.filesRefused()));
    },
  });
  const hint = (): void =>
    void webhook?.({ method: "POST", path: `/${BLUE.hook}`, headers: {}, body: new Uint8Array() }).catch(
      () => undefined,
    );
  function receive(message: object): void {
    const n = ++state.numbers;
    state.inbox.push(Object.assign({ dateCreated: START + n, guid: `in-${n}`, isFromMe: false }, message));
    hint();
  }
  return {
    state,
    receive,
    settings: ChannelSettings.parse({
      kind: "imessage",
      server: http.url,
      password: BLUE.password,
      webhookSecret: BLUE.hook,
      pollSeconds: 3_600, // by itself it is not asked while a test lasts
      ...settings,
    }),
    vendor: {
      attach: (given) => void (webhook = given),
      groupId: (group) => chatOf({ group }),
      conversation: chatOf,
      write(text, by = {}) {
        const { person = "501", mentions, replyTo } = by;
        receive({
          text: mentions === true ? `Holdpoint: ${text}` : text,
          handle: { address: `+1500555${person.padStart(4, "0")}` },
          chats: [{ guid: chatOf(by) }],
          ...(replyTo === undefined ? {} : { threadOriginatorGuid: replyTo }),
          ...(by.file === undefined ? {} : { attachments: [{ guid: "a1", transferName: by.file.name }] }),
        });
      },
      press: () => undefined,
      sendAgain: hint,
      acknowledged: (cursor) => readUpTo(cursor, state),
      messages: (conversation) => state.messages.filter(({ chat }) => chat === conversation),
      tells: "webhookSecret" in settings ? "poll" : undefined, // with a hint it is asked at once
      threads: { none: "a reply names the message that it answers, and stands in the same chat" },
      ...fakeFrame({ http, troubles }),
    },
  };
}
