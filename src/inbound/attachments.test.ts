import { afterEach, describe, expect, it } from "vitest";
import { present, type ServedGateway, serveGateway } from "../../test/kit/served-gateway.ts";
import { MessageId, SessionId } from "../protocol/ids.ts";
import { ATTACHMENT_BYTES_MAX } from "../protocol/attachment.ts";
import { messageWith } from "./attachments.ts";

let gateway: ServedGateway | undefined;
afterEach(() => gateway?.close());

const PNG = Buffer.concat([Buffer.from([0x89]), Buffer.from("PNG\r\n\u001a\n", "latin1"), Buffer.alloc(8)]);
const base64 = (content: Buffer | string): string => Buffer.from(content).toString("base64");
const messageId = MessageId.parse("msg_1");
const message = (text: string, ...files: [string, Buffer | string][]) =>
  messageWith({ messageId, text, sent: files.map(([name, content]) => ({ name, bytes: base64(content) })) });

describe("attachments", () => {
  it("[UI-01] a text file becomes part of the words, in a fence that it cannot end", () => {
    expect(message("look", ["a.md", "one\n````\ntwo\n"])).toEqual({
      type: "message.send",
      messageId,
      text: 'look\n\nAttached file "a.md":\n`````\none\n````\ntwo\n`````',
    });
  });

  it("[UI-01] what is no text and no image is refused by name, and so is too much", () => {
    const refused = { refused: { code: "INVALID_REQUEST", details: { path: "attachments" } } };
    expect(message("look", ["a.png", Buffer.from([0xff, 0xfe, 0])])).toMatchObject(refused);
    expect(message("look", ["a.bin", "a\u0000b"])).toMatchObject(refused);
    const half = Buffer.alloc(ATTACHMENT_BYTES_MAX / 2 + 1, "a");
    expect(message("look", ["a.txt", half], ["b.txt", half])).toMatchObject(refused);
    expect(message("look", ["a.txt", Buffer.alloc(70_000, "a")])).toMatchObject(refused);
  });

  it("[UI-01] an image is kept beside the session, named in its words, and opens from this session only", async () => {
    gateway = await serveGateway();
    const alice = await gateway.client();
    const open = async () => (await alice.must("sessions.create", {})).session.id;
    const [sessionId, other] = [await open(), await open()];
    const attachments = [{ name: "screen.png", bytes: base64(PNG) }];
    expect(await alice.must("chat.send", { sessionId, text: "", attachments })).toMatchObject({ kind: "message" });
    const [queued] = present(await gateway.engine.session(SessionId.parse(sessionId))).inbox;
    const ref = present(queued?.attachments?.[0]);
    expect(queued).toMatchObject({
      text: "(see the attached)",
      attachments: [{ name: "screen.png", size: PNG.length }],
    });
    expect((await alice.must("chat.attachment", { sessionId, id: ref.id })).attachment).toEqual({
      ...ref,
      mediaType: "image/png",
      bytes: base64(PNG),
    });
    expect(await alice.request("chat.attachment", { sessionId: other, id: ref.id })).toMatchObject({ ok: false });
  });

  it("[GW-02] nothing at all is no message, and a command takes no files", async () => {
    gateway = await serveGateway();
    const alice = await gateway.client();
    const sessionId = (await alice.must("sessions.create", {})).session.id;
    expect(await alice.request("chat.send", { sessionId, text: " " })).toMatchObject({ ok: false });
    const attachments = [{ name: "a.txt", bytes: base64("hello") }];
    expect(await alice.must("chat.send", { sessionId, text: "/plan off", attachments })).toMatchObject({
      kind: "message",
    });
  });
});
