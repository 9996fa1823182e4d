import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Client, client, type Element, xml } from "@xmpp/client";
import { expect, it, onTestFinished } from "vitest";
import { debianPrograms, freePort, startProgram, type Unpacked } from "../../../test/kit/channels/debian-programs.ts";
import type { VendorEvent, VendorIo } from "../port.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { xmpp } from "./xmpp.ts";

const PACKAGES = ["prosody", "lua5.4", "lua-expat", "lua-filesystem", "lua-socket", "lua-sec", "lua-bitop"];
const ALICE = "alice@example.org";
const ROOM = "plans@rooms.example.org";

async function startProsody({ root, folder }: Unpacked): Promise<number> {
  const port = await freePort();
  const accounts = join(folder, "data", "example%2eorg", "accounts");
  await mkdir(accounts, { recursive: true });
  for (const name of ["alice", "holdpoint"])
    await writeFile(join(accounts, `${name}.dat`), 'return { ["password"] = "s3cret"; };\n');
  await writeFile(
    join(folder, "prosody.cfg.lua"),
    `daemonize = false
run_as_root = true
data_path = "${join(folder, "data")}"
modules_enabled = { "roster", "saslauth", "disco", "ping", "smacks", "offline" }
modules_disabled = { "s2s", "tls" }
c2s_require_encryption = false
c2s_ports = { ${port} }
c2s_interfaces = { "127.0.0.1" }
authentication = "internal_plain"
storage = "internal"
log = { info = "*console" }
VirtualHost "example.org"
Component "rooms.example.org" "muc"
  muc_room_locking = false
  muc_room_default_public_jids = true
`,
  );
  const source = join(root, "usr/lib/prosody");
  const script = (await readFile(join(root, "usr/bin/prosody"), "utf8"))
    .replace(/^CFG_SOURCEDIR=.*$/m, `CFG_SOURCEDIR='${source}';`)
    .replace(/^CFG_CONFIGDIR=.*$/m, `CFG_CONFIGDIR='${folder}';`)
    .replace(/^CFG_PLUGINDIR=.*$/m, `CFG_PLUGINDIR='${source}/modules/';`)
    .replace(/^CFG_DATADIR=.*$/m, `CFG_DATADIR='${join(folder, "data")}';`);
  await writeFile(join(folder, "prosody.lua"), script);
  const lua = join(root, "usr/share/lua/5.4");
  const libraries = join(root, "usr/lib/x86_64-linux-gnu");
  const prosody = startProgram({
    command: join(root, "usr/bin/lua5.4"),
    args: ["prosody.lua", "--config", join(folder, "prosody.cfg.lua"), "-F"],
    cwd: folder,
    env: {
      LUA_PATH: `${lua}/?.lua;${lua}/?/init.lua;;`,
      LUA_CPATH: `${libraries}/lua/5.4/?.so;;`,
      LD_LIBRARY_PATH: libraries,
    },
  });
  onTestFinished(prosody.stop);
  await expect.poll(prosody.log).toContain("Activated service 'c2s' on [127.0.0.1]");
  return port;
}

/** Somebody with a client of their own. */
async function alice(port: number): Promise<{ person: Client; received: Element[] }> {
  const person = client({
    service: `xmpp://127.0.0.1:${port}`,
    domain: "example.org",
    username: "alice",
    credentials: (authenticate) => authenticate({ username: "alice", password: "s3cret" }, "SCRAM-SHA-1"),
  });
  person.reconnect.stop();
  const received: Element[] = [];
  person.on("error", () => undefined);
  person.on("stanza", (stanza: Element) => void received.push(stanza));
  const online = new Promise((resolve) => person.once("online", resolve));
  await person.connect(person.options.service);
  await person.open({ domain: "example.org" });
  await online;
  await expect.poll(() => person.streamManagement.enabled).toBe(true); // or the library counts what came before
  await person.send(xml("presence", {}));
  const muc = xml("x", { xmlns: "http://jabber.org/protocol/muc" });
  await person.send(xml("presence", { to: `${ROOM}/al` }, muc));
  onTestFinished(async () => void (await person.disconnect()));
  return { person, received };
}

it("[CH-08, CH-11, CH-12] against prosody: both ways, corrected, in a room by real address, resumed by another process", async ({
  skip,
}) => {
  const unpacked = await debianPrograms(PACKAGES);
  if (typeof unpacked === "string") return skip(unpacked);
  onTestFinished(unpacked.remove);
  const port = await startProsody(unpacked);
  const { person, received } = await alice(port);
  const settings = ChannelSettings.parse({
    kind: "xmpp",
    jid: "holdpoint@example.org",
    password: "s3cret",
    service: `xmpp://127.0.0.1:${port}`,
    tls: false,
    groups: { allow: [ROOM] },
  });
  const events: VendorEvent[] = [];
  let [noted, failures]: [string | undefined, number] = [undefined, 1];
  const io: VendorIo = {
    async deliver(event) {
      if (failures-- > 0) throw new Error("the disk is full");
      events.push(event);
    },
    cursor: { get: async () => noted, set: async (value) => void (noted = value) },
    report: () => undefined,
  };
  const say = (to: string, text: string, type = "chat"): Promise<void> =>
    person.send(xml("message", { to, type, id: text }, xml("body", {}, text)));
  const texts = (): (string | undefined)[] =>
    events.map((event) => (event.kind === "message" ? event.text : undefined));

  const first = await xmpp.open({ settings, webhookUrl: undefined, now: Date.now });
  expect(await first.check(AbortSignal.timeout(10_000))).toEqual({ ok: true, me: "holdpoint@example.org" });
  await first.start(io);
  await say("holdpoint@example.org", "hello"); // cannot be stored at first, and comes again
  await expect.poll(texts).toEqual(["hello"]);
  expect(events[0]).toMatchObject({ person: { id: ALICE, assured: true }, direct: true });

  const body = (text: string) => ({ format: "plain" as const, text });
  const sending = (key: string) => ({ key, signal: AbortSignal.timeout(10_000) });
  const { messageId } = await first.send(ALICE, { kind: "text", body: body("a plan 🦊") }, sending("k1"));
  await first.send(ALICE, { kind: "edit", messageId, body: body("decided"), buttons: [] }, sending("k2"));
  const corrected = (): unknown[] =>
    received.map((stanza) => [
      stanza.getChildText("body"),
      stanza.getChild("replace", "urn:xmpp:message-correct:0")?.attrs["id"],
    ]);
  await expect.poll(corrected).toEqual(
    expect.arrayContaining([
      ["a plan 🦊", undefined],
      ["decided", messageId],
    ]),
  );
  const seen = xml("received", { xmlns: "urn:xmpp:receipts", id: messageId });
  await person.send(xml("message", { to: "holdpoint@example.org" }, seen));
  await expect.poll(() => events.at(-1)).toMatchObject({ kind: "receipt", messageId, state: "delivered" });

  await say(ROOM, "holdpoint: please plan", "groupchat");
  await expect
    .poll(() => events.at(-1))
    .toMatchObject({
      text: "please plan",
      group: ROOM,
      person: { id: ALICE, assured: true },
    });
  await first.send(ROOM, { kind: "text", body: body("in the room") }, sending("k3"));
  await expect.poll(corrected).toEqual(expect.arrayContaining([["in the room", undefined]]));

  await first.stop();
  await say("holdpoint@example.org", "meanwhile");
  const second = await xmpp.open({ settings, webhookUrl: undefined, now: Date.now });
  await second.start(io);
  await expect.poll(texts).toContain("meanwhile");
  expect(texts().filter((text) => text === "hello")).toHaveLength(1);
  await second.stop();
});
