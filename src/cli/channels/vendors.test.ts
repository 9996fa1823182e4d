import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { SPOILED, spoil } from "../../../test/kit/channels/spoiled-answers.ts";
import { VENDOR_WORLDS } from "../../../test/kit/channels/vendor-worlds.ts";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { KINDS } from "../../channels/kinds.ts";
import type { ChannelSettings } from "../../channels/protocol/settings.ts";
import { runProgram } from "../program.ts";

async function run(home: string, ...argv: string[]) {
  const said = { stdout: "", stderr: "" };
  const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
  const { stdin, stdout } = process;
  const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: home };
  const around = { stdin, terminal: stdout, cwd: home, env, stdout: stream("stdout"), stderr: stream("stderr") };
  return { code: await runProgram([...argv, "--json"], around), ...said };
}

const isText = (entry: [string, unknown]): entry is [string, string] =>
  typeof entry[1] === "string" && entry[0] !== "kind";

/** What is given on the command line, and the first secret that the kind asks for. */
async function answersFor(settings: ChannelSettings) {
  const { questions } = await KINDS[settings.kind].about();
  const found = questions.find(({ secretName }) => secretName !== undefined);
  const { setting = "", secretName = "" } = found ?? {};
  const given = Object.fromEntries(Object.entries(settings).filter(isText));
  const set = (change: Record<string, string> = {}) =>
    Object.entries({ ...given, ...change }).map(([name, value]) => `${name}=${value}`);
  return { setting, secretName, secret: given[setting], set };
}

it("[CH-08] each vendor with buttons is added when it says that it works; secrets are kept apart, and nothing is written otherwise", async () => {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  const file = (name: string): unknown => parse(readFileSync(join(home, name), "utf8"));
  await run(home, "config", "set", "gateway.pageAddress", "https://gateway.example");
  for (const [kind, start] of Object.entries(VENDOR_WORLDS)) {
    const { settings, vendor } = await start();
    onTestFinished(() => vendor.close());
    const { setting, secretName, secret, set } = await answersFor(settings);
    const bad = await run(home, "channels", "add", kind, "--set", ...set({ [setting]: "wrong" }));
    expect([kind, bad.code, bad.stderr]).toEqual([kind, 1, expect.stringContaining("Nothing was written.")]);
    spoil(settings, SPOILED.page); // something in between answers in the vendor's place
    const odd = await run(home, "channels", "add", kind, "--set", ...set());
    spoil(settings, undefined);
    expect([kind, odd.code, odd.stderr]).toEqual([
      kind,
      1,
      expect.stringMatching(/"message":"[A-Z][^"]{9,}Nothing was written\./),
    ]);
    expect([kind, odd.stderr]).toEqual([kind, expect.not.stringMatching(/invalid_type|ZodError|doctype|\n\s+at /)]);
    expect((file("config.yaml") as { channels?: object }).channels ?? {}).not.toHaveProperty([kind]);
    const good = await run(home, "channels", "add", kind, "--set", ...set());
    expect([kind, good.code, good.stderr]).toEqual([kind, 0, good.stderr]);
    expect(file("config.yaml")).toMatchObject({ channels: { [kind]: { kind, [setting]: `\${${secretName}}` } } });
    expect(file("secrets.yaml")).toMatchObject({ [secretName]: secret });
  }
  const checked = await run(home, "channels", "check");
  const accounts = Object.keys(VENDOR_WORLDS).map((name) => ({ name, ok: true }));
  expect(JSON.parse(checked.stdout)).toMatchObject({ accounts });
});
