import { writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { debianPrograms, freePort, startProgram, type Unpacked } from "../../../test/kit/channels/debian-programs.ts";
import type { VendorEvent } from "../port.ts";
import { ChannelSettings } from "../protocol/settings.ts";
import { irc } from "./irc.ts";

type Server = { packages: readonly string[]; start(unpacked: Unpacked, port: number): Promise<void> };

const ngircd: Server = {
  packages: ["ngircd", "libident"],
  async start({ root, folder }, port) {
    const file = join(folder, "ngircd.conf");
    const settings = `[Global]\nName = irc.example.org\nPorts = ${port}\nListen = 127.0.0.1\nServerUID = 0\nServerGID = 0\n`;
    await writeFile(file, `${settings}[Options]\nIdent = no\nDNS = no\nPAM = no\n[Limits]\nMaxNickLength = 20\n`);
    const env = { LD_LIBRARY_PATH: join(root, "usr/lib/x86_64-linux-gnu") };
    const server = startProgram({ command: join(root, "usr/sbin/ngircd"), args: ["-n", "-f", file], cwd: folder, env });
    onTestFinished(server.stop);
    await expect.poll(server.log).toContain("Now listening");
  },
};

/** With message ids and times of the server, which ngircd does not have. */
const inspircd: Server = {
  packages: ["inspircd"],
  async start({ root, folder }, port) {
    const file = join(folder, "inspircd.conf");
    const modules = ["cap", "ircv3", "ircv3_accounttag", "ircv3_ctctags", "ircv3_msgid", "ircv3_servertime"];
    const places = `datadir="${folder}" logdir="${folder}" runtimedir="${folder}" configdir="${folder}"`;
    await writeFile(
      file,
      `<path moduledir="${join(root, "usr/lib/inspircd/modules")}" ${places}>
<server name="irc.example.org" description="A server" network="Example" id="1AB">
<admin name="Admin" nick="admin" email="admin@example.org">
<bind address="127.0.0.1" port="${port}" type="clients">
<connect allow="*" resolvehostnames="no" commandrate="100000" threshold="1000">
<pid file="${join(folder, "inspircd.pid")}">
${modules.map((name) => `<module name="${name}">`).join("\n")}
`,
    );
    const args = ["--nofork", "--runasroot", `--config=${file}`];
    const server = startProgram({ command: join(root, "usr/sbin/inspircd"), args, cwd: folder });
    onTestFinished(server.stop);
    await expect.poll(server.log).toContain("InspIRCd is now running");
  },
};

it.for([
  ["ngircd", ngircd],
  ["inspircd", inspircd],
] as const)(
  "[CH-08, CH-12] against %s: both ways, in a channel, long text in lines; a nick without an account is weak",
  async ([, { packages, start }], { skip }) => {
    const unpacked = await debianPrograms(packages);
    if (typeof unpacked === "string") return skip(unpacked);
    onTestFinished(unpacked.remove);
    const port = await freePort();
    await start(unpacked, port);

    let heard = "";
    const alice = connect(port, "127.0.0.1").setEncoding("utf8");
    onTestFinished(() => void alice.destroy());
    alice.on("data", (chunk: string) => {
      heard += chunk;
      for (const [, word] of chunk.matchAll(/^PING (\S+)/gm)) alice.write(`PONG ${word}\r\n`);
    });
    alice.write("NICK alice\r\nUSER alice 0 * :Alice\r\n");
    await expect.poll(() => heard).toContain(" 001 ");
    alice.write("JOIN #plans\r\n");
    await expect.poll(() => heard).toContain(" 366 ");

    const events: VendorEvent[] = [];
    const account = ChannelSettings.parse({
      kind: "irc",
      host: "127.0.0.1",
      port,
      tls: false,
      nick: "holdpoint",
      groups: { allow: ["#plans"] },
      linesPerSecond: 100,
    });
    const bot = await irc.open({ settings: account, webhookUrl: undefined, now: Date.now });
    await bot.start({
      deliver: async (event) => void events.push(event),
      cursor: { get: async () => undefined, set: async () => undefined },
      report: () => undefined,
    });
    onTestFinished(bot.stop);
    await expect.poll(() => heard).toMatch(/holdpoint\S* JOIN :?#plans/);
    alice.write("PRIVMSG holdpoint :hello 🦊\r\nPRIVMSG #plans :holdpoint: please plan\r\n");
    await expect
      .poll(() => events)
      .toMatchObject([
        { text: "hello 🦊", direct: true, person: { id: "nick:alice", assured: false } },
        { text: "please plan", group: "#plans", person: { id: "nick:alice", assured: false } },
      ]);
    const sending = (key: string) => ({ key, signal: AbortSignal.timeout(10_000) });
    const text = `a plan ${"x".repeat(1_200)} its end`;
    await bot.send("alice", { kind: "text", body: { format: "plain", text } }, sending("k1"));
    await expect.poll(() => heard).toContain("its end");
    expect([...heard.matchAll(/PRIVMSG alice :(.*)\r/g)].map(([, line]) => line).join("")).toBe(text);
    await bot.send("#plans", { kind: "text", body: { format: "plain", text: "one\r\nQUIT :bye" } }, sending("k2"));
    await expect.poll(() => heard).toContain("PRIVMSG #plans :QUIT :bye");
  },
);
