/** What root may still do in a view, asked of the kernel itself, with each sandbox that works here. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { runEnclosed } from "../../test/kit/run-enclosed.ts";
import { keptCapabilities } from "./capabilities.ts";
import { probedSandbox, type Sandbox } from "./sandbox.ts";
import type { View } from "./view.ts";

const kinds: (readonly [string, Sandbox])[] = [];
for (const builder of ["bubblewrap", "perl", "util-linux"] as const) {
  const sandbox = probedSandbox({ builders: [builder] });
  if ((await sandbox.kind()) === builder) kinds.push([builder, sandbox]);
  else process.stdout.write(`capabilities with ${builder}: skipped, it does not work here\n`);
}

const isRoot = process.getuid?.() === 0;
const RESTS = ["read-only", "writable"] as const;

/** In the order of the kernel: chown, dac_override, fowner, fsetid, kill, setgid, setuid, net_bind_service, setfcap. */
const ORDINARY_WORK = [0, 1, 3, 4, 5, 6, 7, 10, 31];

/** The numbers in a set as `/proc/self/status` prints it. */
const numbersIn = (set: string): number[] =>
  Array.from({ length: 64 }, (_none, number) => number).filter(
    (number) => ((BigInt(`0x${set}`) >> BigInt(number)) & 1n) === 1n,
  );

const setsIn = (status: string): Record<string, number[]> =>
  Object.fromEntries(
    [...status.matchAll(/^Cap(\w+):\s*([0-9a-f]+)$/gm)].map(([, name = "", set = "0"]) => [name, numbersIn(set)]),
  );

it("[GW-04] root keeps what installing and ordinary work need, and nothing that sees or steers what is not its own", () => {
  expect(keptCapabilities("writable", { isRoot: true })).toEqual(ORDINARY_WORK);
  expect(keptCapabilities("read-only", { isRoot: true })).toEqual([0, 1, 3]);
  for (const rest of RESTS) expect(keptCapabilities(rest, { isRoot: false })).toEqual([]);
});

describe.each(kinds)("in a view by %s", (kind, sandbox) => {
  async function said(view: Partial<View>, argv: readonly string[]): Promise<string> {
    const whole: View = { rest: "writable", network: true, places: [], ...view };
    const enclosed = await sandbox.enclose(whole, { cwd: "/", argv });
    return enclosed === undefined ? "no sandbox" : (await runEnclosed(enclosed)).trim();
  }

  it.each(RESTS)("[GW-04] that is %s no set of capabilities holds more than that", async (rest) => {
    const status = await said({ rest }, ["/bin/cat", "/proc/self/status"]);
    const sets = setsIn(status);
    const allowed = keptCapabilities(rest, { isRoot });
    expect(Object.keys(sets).toSorted()).toEqual(["Amb", "Bnd", "Eff", "Inh", "Prm"]);
    const beyond = Object.entries(sets).flatMap(([name, numbers]) =>
      numbers.filter((number) => !allowed.includes(number)).map((number) => `${name} ${number}`),
    );
    // bubblewrap leaves the bounds as they are: without new privileges they give nothing; an ordinary user's are its own namespace's
    expect(beyond.filter((one) => !one.startsWith("Bnd") || (isRoot && kind !== "bubblewrap"))).toEqual([]);
    expect([sets["Prm"], sets["Eff"]]).toEqual([allowed, allowed]);
    expect(status).toContain("NoNewPrivs:\t1");
  });

  it.runIf(isRoot)("[GW-04] an ordinary user's program has none", () => {
    const source = JSON.stringify(new URL("./sandbox.ts", import.meta.url).href);
    const script = `const { probedSandbox } = await import(${source});
      const view = { rest: "writable", network: true, places: [] };
      const argv = ["/bin/cat", "/proc/self/status"];
      const { file, args, filter } = await probedSandbox({ builders: [${JSON.stringify(kind)}] }).enclose(view, { cwd: "/", argv });
      const { spawnEnclosed } = await import(${source.replace("sandbox.ts", "spawn-enclosed.ts")});
      spawnEnclosed({ file, args, ...(filter === undefined ? {} : { filter }) }, { env: { PATH: "/usr/sbin:/usr/bin:/bin" }, stdio: ["ignore", "pipe", "ignore"] }).stdout.pipe(process.stdout);`;
    const node = [process.execPath, "--no-warnings", "--input-type=module", "-e", script];
    const user = ["--reuid=1000", "--regid=1000", "--clear-groups"];
    const printed = spawnSync("setpriv", [...user, ...node], { encoding: "utf8", env: {}, cwd: "/" }).stdout;
    const { Prm, Eff, Inh, Amb } = setsIn(printed);
    expect({ Prm, Eff, Inh, Amb }).toEqual({ Prm: [], Eff: [], Inh: [], Amb: [] });
  });
});
