/** A signal-cli daemon in memory: its JSON-RPC and its stream of events. Nothing that was streamed is kept. */
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { SeenMessage, VendorWorld, Writing } from "../../../src/channels/contract/fake-vendor.ts";
import { ChannelSettings } from "../../../src/channels/protocol/settings.ts";
import { createTroubles, type FakeAnswer, field, textField } from "./fake-http.ts";
import { answeredSpoiled } from "./spoiled-answers.ts";

export const SIGNAL_ACCOUNT = "+15005550006";
const TEXT_MAX = 2_000;
const EDIT_MS_MAX = 2 * 24 * 3_600_000;

type State = { messages: (SeenMessage & { place: string })[]; streams: Set<ServerResponse>; numbers: number };

const rpc = (result: unknown): FakeAnswer => ({ json: { jsonrpc: "2.0", id: 1, result } });
const no = (code: number, message: string, data?: object): FakeAnswer => ({
  json: { jsonrpc: "2.0", id: 1, error: { code, message, ...(data === undefined ? {} : { data }) } },
});

function fileIn(attachment: string): SeenMessage["file"] {
  const [, name = "", base64 = ""] = /^data:[^;]+;filename=([^;]+);base64,(.*)$/s.exec(attachment) ?? [];
  return { name: decodeURIComponent(name), text: Buffer.from(base64, "base64").toString("utf8") };
}

function sent(params: unknown, state: State, refuses: boolean): FakeAnswer {
  const { messages } = state;
  const stamp = ++state.numbers;
  if (textField(params, "account") !== SIGNAL_ACCOUNT) return no(-1, "Specified account does not exist");
  const text = textField(params, "message");
  if (text.length > TEXT_MAX) return no(-1, "message too long");
  const attachment = textField(params, "attachments", 0);
  if (attachment !== "" && refuses) return no(-1, "Failed to upload attachment");
  const group = textField(params, "groupId");
  const place = group === "" ? textField(params, "recipient", 0) : `group.${group}`;
  const edits = textField(params, "editTimestamp");
  if (edits !== "") {
    const found = messages.find((one) => one.id === edits);
    if (found === undefined) return no(-1, "Failed to send message: no such message to edit");
    // the daemon sends it, and no app shows it any more
    if (stamp - Number(edits) < EDIT_MS_MAX) Object.assign(found, { text, raw: text });
    return rpc({ timestamp: stamp, results: [{ type: "SUCCESS" }] });
  }
  const file = attachment === "" ? {} : { file: fileIn(attachment) };
  messages.push({ id: String(stamp), place, text, raw: text, buttons: [], ...file });
  return rpc({ timestamp: stamp, results: [{ type: "SUCCESS" }] });
}

const uuidOf = ({ person = "501" }: Writing): string => `aaaaaaaa-0000-4000-8000-${person.padStart(12, "0")}`;
const groupOf = (name: string): string => Buffer.from(`group ${name}`).toString("base64");

export function envelopeOf(text: string, by: Writing, timestamp: number): object {
  const groupInfo = by.group === undefined ? {} : { groupInfo: { groupId: groupOf(by.group), type: "DELIVER" } };
  const mentions = by.mentions === true ? { mentions: [{ number: SIGNAL_ACCOUNT, start: 0, length: 1 }] } : {};
  const quote = by.replyTo === undefined ? {} : { quote: { id: Number(by.replyTo), authorNumber: SIGNAL_ACCOUNT } };
  const message = by.mentions === true ? `\uFFFC ${text}` : text;
  const files = by.file === undefined ? {} : { attachments: [{ id: "a1", filename: by.file.name }] };
  const dataMessage = { timestamp, message, ...groupInfo, ...mentions, ...quote, ...files };
  return {
    account: SIGNAL_ACCOUNT,
    envelope: { sourceUuid: uuidOf(by), sourceName: by.name ?? "Alice", timestamp, dataMessage },
  };
}

export async function startFakeSignal(): Promise<VendorWorld & { stream(payload: object): void }> {
  const state: State = { messages: [], streams: new Set(), numbers: Date.UTC(2026, 0, 5, 9) };
  const troubles = createTroubles((afterMs) =>
    no(-5, "Failed to send message due to rate limiting", {
      response: { results: [{ type: "RATE_LIMIT_FAILURE", retryAfterSeconds: afterMs / 1_000 }] },
    }),
  );
  const server = createServer((request, response) => {
    if (answeredSpoiled(request, response)) return;
    if (request.url?.startsWith("/api/v1/events") === true) {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
      state.streams.add(response);
      return void response.once("close", () => state.streams.delete(response));
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    return void request.once("end", () => void reply(chunks, response));
  });
  async function reply(chunks: readonly Buffer[], response: ServerResponse): Promise<void> {
    const call: unknown = JSON.parse(Buffer.concat(chunks).toString("utf8"));
    const isSend = textField(call, "method") === "send";
    const params = field(call, "params");
    const take = (): FakeAnswer => sent(params, state, troubles.filesRefused());
    const answer = isSend ? await troubles.around(take) : rpc([{ number: SIGNAL_ACCOUNT }]);
    if (answer === "cut") return void response.destroy();
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(answer.json));
  }
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stream = (payload: object): void => {
    for (const one of state.streams) one.write(`event:receive\ndata:${JSON.stringify(payload)}\n\n`);
  };
  const { port } = server.address() as AddressInfo;
  const written: object[] = [];
  return {
    stream,
    settings: ChannelSettings.parse({ kind: "signal", account: SIGNAL_ACCOUNT, daemon: `http://127.0.0.1:${port}` }),
    vendor: {
      groupId: groupOf,
      conversation: (of) => (of.group === undefined ? uuidOf(of) : `group.${groupOf(of.group)}`),
      write(text, by = {}) {
        written.push(envelopeOf(text, by, ++state.numbers));
        stream(written.at(-1) ?? {});
      },
      press: () => undefined,
      sendAgain: (count) => (count === 0 ? [] : written.slice(-count)).forEach(stream),
      acknowledged: () => 0,
      messages: (conversation) => state.messages.filter(({ place }) => place === conversation),
      tells: "socket",
      pass: (ms) => void (state.numbers += ms),
      threads: { none: "a quote names a message of the same conversation" },
      toasts: () => [],
      limit: troubles.limit,
      cut: troubles.cut,
      refuseFiles: troubles.refuseFiles,
      remove: (_place, id) =>
        void state.messages.splice(
          state.messages.findIndex((one) => one.id === id),
          1,
        ),
      connections: () => state.streams.size,
      async close() {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      },
    },
  };
}
