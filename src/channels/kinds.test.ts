import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { KIND_NAMES, KINDS, loadKind, MissingPackage } from "./kinds.ts";
import { ChannelSettings, type ChannelKind } from "./protocol/settings.ts";

/** Prints every package that loading the plugin loads. */
const LOADED = `
  import { registerHooks } from "node:module";
  const loaded = new Set();
  registerHooks({ resolve(specifier, context, next) {
    if (!/^(?:[./]|node:|file:)/.test(specifier)) loaded.add(specifier);
    return next(specifier, context);
  } });
  await import(process.argv[1]);
  process.stdout.write(JSON.stringify([...loaded]));
`;

it("[CH-08] 19: a channel that nobody configured loads no package of its vendor", async () => {
  const plugin = new URL("./plugin.ts", import.meta.url).href;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", LOADED, plugin]);
  expect(JSON.parse(stdout)).toEqual(["zod"]);
});

it("[CH-08] 19: a missing package is named with the command that installs it", async () => {
  const missing = Object.assign(new Error("Cannot find package 'grammy' imported from x"), {
    code: "ERR_MODULE_NOT_FOUND",
  });
  const load = async (): Promise<never> => Promise.reject(missing);
  const failure = await loadKind({ ...KINDS.telegram, load }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MissingPackage);
  expect(failure).toMatchObject({
    message: expect.stringContaining("grammy"),
    fix: "npm install --save-exact grammy@1.46.0",
  });
  await expect(loadKind({ ...KINDS.telegram, load: async () => Promise.reject(new Error("a bug")) })).rejects.toThrow(
    "a bug",
  );
});

it("[CH-08] the versions that are named are those that are tested", async () => {
  const { dependencies, devDependencies } = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  const here = { ...devDependencies, ...dependencies };
  for (const name of KIND_NAMES) {
    const { packages, kind } = await KINDS[name as ChannelKind].about();
    expect(kind).toBe(name);
    for (const { name: wanted, version } of packages) expect([wanted, here[wanted]]).toEqual([wanted, version]);
  }
  expect(KIND_NAMES).toEqual(ChannelSettings.options.map(({ shape }) => shape.kind.value));
});

it("[CH-08] channels add asks for every setting that has no default, and for nothing that is no setting", async () => {
  for (const { shape } of ChannelSettings.options) {
    const { questions } = await KINDS[shape.kind.value].about();
    const asked = questions.map(({ setting }) => setting);
    const needed = Object.entries(shape).flatMap(([name, setting]) =>
      name === "kind" || setting.safeParse(undefined).success ? [] : [name],
    );
    expect([shape.kind.value, needed.filter((name) => !asked.includes(name))]).toEqual([shape.kind.value, []]);
    expect(Object.keys(shape)).toEqual(expect.arrayContaining(asked));
  }
});

/** Loads every kind, as `channels add` does. */
const ALL = `
  const { KINDS } = await import(process.argv[1]);
  for (const kind of Object.values(KINDS)) await kind.load();
`;

it("[CH-08] whoever adds a channel reads nothing of what its packages say to themselves", async () => {
  const kinds = new URL("./kinds.ts", import.meta.url).href;
  const said = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", ALL, kinds]);
  expect(said).toMatchObject({ stdout: "", stderr: "" });
});
