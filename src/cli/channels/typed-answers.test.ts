import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { startFakeIrc } from "../../../test/kit/channels/fake-irc.ts";
import { startFakeMail } from "../../../test/kit/channels/fake-mail.ts";
import { startFakeTwilio } from "../../../test/kit/channels/fake-twilio.ts";
import { startFakeWebhook } from "../../../test/kit/channels/fake-webhook.ts";
import { startFakeWhatsapp } from "../../../test/kit/channels/fake-whatsapp.ts";
import { startFakeBlueBubbles } from "../../../test/kit/channels/fake-bluebubbles.ts";
import { startFakeSignal } from "../../../test/kit/channels/fake-signal.ts";
import { startFakeTelegram } from "../../../test/kit/channels/fake-telegram.ts";
import { startFakeXmpp } from "../../../test/kit/channels/fake-xmpp.ts";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { runProgram } from "../program.ts";

/** A person who types these lines, one for each question, at a terminal. */
async function person(home: string, argv: readonly string[], keys: readonly string[]) {
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => undefined });
  let shown = "";
  const left = [...keys];
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns: 200 });
  terminal.on("data", (chunk: Buffer) => {
    shown += chunk.toString("utf8");
    if (!stripVTControlCharacters(shown).endsWith(": ")) return;
    const next = left.shift();
    if (next === "end") setImmediate(() => stdin.end());
    else if (next !== undefined) setImmediate(() => stdin.write(next));
  });
  const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: home };
  const streams = { stdout: stream("stdout"), stderr: stream("stderr") };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a terminal in memory, as far as commands use one
  const ends = { stdin, terminal } as unknown as Pick<Parameters<typeof runProgram>[1], "stdin" | "terminal">;
  const code = await runProgram([...argv], { ...ends, cwd: home, env, ...streams });
  return { code, ...said, shown };
}

function emptyHome(): string {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  return home;
}

it("[CH-08] what is typed for Telegram is asked again when it is empty, and its token is not shown", async () => {
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram.close());
  const home = emptyHome();
  const add = ["channels", "add", "telegram", "--set", `apiRoot=${telegram.apiRoot}`];
  const { code, shown, stderr } = await person(home, add, ["\r", `${telegram.token}\r`]);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  expect(shown).not.toContain(telegram.token);
  expect(parse(readFileSync(join(home, "secrets.yaml"), "utf8"))).toEqual({ TELEGRAM_BOT_TOKEN: telegram.token });
});

it.each([
  ["Ctrl+C", "half a tok\u0003"],
  ["Ctrl+D", "\u0004"],
  ["the end of the terminal", "end"],
])("[CH-08] whoever leaves by %s in the middle of it has written nothing, and is told so", async (_how, key) => {
  const home = emptyHome();
  const { code, stderr } = await person(home, ["channels", "add", "telegram"], [key]);
  expect([code, stderr]).toEqual([130, expect.stringContaining("Nothing was written.")]);
  expect(existsSync(join(home, "secrets.yaml"))).toBe(false);
});

it("[CH-08] what is needed and left empty three times is an error that names it", async () => {
  const { code, stderr } = await person(emptyHome(), ["channels", "add", "webhook"], ["\r", "\r", "\r"]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("The address that messages are sent to: it is needed.")]);
});

const WORLDS = {
  webhook: startFakeWebhook,
  sms: startFakeTwilio,
  whatsapp: startFakeWhatsapp,
  signal: startFakeSignal,
  imessage: startFakeBlueBubbles,
  irc: startFakeIrc,
  xmpp: startFakeXmpp,
  email: startFakeMail,
};

it.each(Object.entries(WORLDS))(
  "[CH-08] %s is added from the command line with ids as vendors have them",
  async (kind, start) => {
    const { settings, vendor } = await start();
    onTestFinished(() => vendor.close());
    const home = emptyHome();
    const isPlain = ([name, value]: [string, unknown]): boolean => name !== "kind" && typeof value !== "object";
    const given = Object.entries(settings)
      .filter(isPlain)
      .map(([name, value]) => `${name}=${String(value)}`);
    await person(home, ["config", "set", "gateway.pageAddress", "https://gateway.example"], []);
    const { code, stderr } = await person(home, ["channels", "add", kind, "--set", ...given, "--json"], []);
    expect([kind, code, stderr]).toEqual([kind, 0, stderr]);
    const config = parse(readFileSync(join(home, "config.yaml"), "utf8")) as { channels: Record<string, object> };
    expect(config.channels[kind]).toMatchObject({ kind });
  },
);
