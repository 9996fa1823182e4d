import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { startFakeTelegram } from "../../../test/kit/channels/fake-telegram.ts";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { runProgram } from "../program.ts";

async function terminal() {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  const telegram = await startFakeTelegram();
  onTestFinished(() => telegram.close());
  async function run(...argv: string[]) {
    const said = { stdout: "", stderr: "" };
    const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
    const { stdin, stdout } = process;
    const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: home };
    const around = { stdin, terminal: stdout, cwd: home, env, stdout: stream("stdout"), stderr: stream("stderr") };
    const code = await runProgram([...argv, "--json"], around); // JSON: whoever runs the tests may sit at a terminal
    return { code, ...said };
  }
  const file = (name: string): unknown => parse(readFileSync(join(home, name), "utf8"));
  return { home, telegram, run, file };
}

it("[CH-08] adds Telegram when Telegram says that it works, keeps its token as a secret, and removes it again", async () => {
  const { home, telegram, run, file } = await terminal();
  const root = `apiRoot=${telegram.apiRoot}`;
  expect(await run("channels", "add", "telegram")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("TELEGRAM_BOT_TOKEN"),
  });
  expect(await run("channels", "add", "telegraph")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("telegram"),
  });
  const wrong = await run("channels", "add", "telegram", "--set", "token=1:wrong", root);
  expect(wrong).toMatchObject({ code: 1, stderr: expect.stringContaining("Nothing was written.") });
  expect(() => file("secrets.yaml")).toThrow("no such file");
  expect(await run("channels", "add", "telegram", "--set", `token=${telegram.token}`, root)).toMatchObject({ code: 0 });
  expect(file("config.yaml")).toMatchObject({
    channels: { telegram: { kind: "telegram", token: "${TELEGRAM_BOT_TOKEN}" } },
  });
  expect(file("secrets.yaml")).toEqual({ TELEGRAM_BOT_TOKEN: telegram.token });
  expect(statSync(join(home, "secrets.yaml")).mode & 0o077).toBe(0);
  expect(await run("channels", "add", "telegram", "--set", root)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("already"),
  });
  const listed = await run("channels");
  expect(JSON.parse(listed.stdout)).toMatchObject({
    accounts: [{ name: "telegram", kind: "telegram", state: "stopped" }],
  });
  const checked = await run("channels", "check");
  expect(JSON.parse(checked.stdout)).toMatchObject({ accounts: [{ ok: true, me: "@hold_bot" }] });
  const shown = await run("config", "get", "channels");
  expect(shown.stdout).not.toContain(telegram.token);
  expect(await run("channels", "remove", "telegram")).toMatchObject({ code: 0 });
  expect(await run("channels", "check", "telegram")).toMatchObject({ code: 2 });
});

it("[CH-09] pairs nobody without a gateway, and takes only scopes and accounts that can be", async () => {
  const { run } = await terminal();
  expect(await run("pair")).toMatchObject({ code: 3 });
  expect(await run("pair", "approve", "K7QMX234", "--scopes", "everything")).toMatchObject({ code: 2 });
  expect(await run("pair", "revoke", "alice")).toMatchObject({ code: 2 });
});
