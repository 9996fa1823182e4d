/** What an approved command cannot listen to or look into, tried with each sandbox that works here. */
import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { ALLOWED, judged } from "../../test/kit/judged-by-filter.ts";
import { machineTrials } from "../../test/kit/machine-trials.ts";
import { olderSocket } from "../../test/kit/older-call.ts";
import { runEnclosed } from "../../test/kit/run-enclosed.ts";
import { probedSandbox, type Sandbox } from "./sandbox.ts";
import { inWords } from "./spawn-enclosed.ts";
import { workFilter } from "./work-filter.ts";

const [X64, I386, ARM64, ARM] = [0xc000_003e, 0x4000_0003, 0xc000_00b7, 0x4000_0028];
const [DENIED, UNKNOWN, UNSUPPORTED] = ["errno 1", "errno 38", "errno 93"];
const [UNIX, INET, INET6, NETLINK, PACKET, XDP] = [1, 2, 10, 16, 17, 44];
const [STREAM, DATAGRAM, RAW, OLD_PACKET, CLOEXEC] = [1, 2, 3, 10, 0o2000000];

describe("the filter of system calls for what was approved", () => {
  it.each([
    ["x64", X64, { socket: 41, bpf: 321, sampling: 298 }],
    ["x64", I386, { socket: 359, bpf: 357, sampling: 336 }],
    ["arm64", ARM64, { socket: 198, bpf: 280, sampling: 241 }],
    ["arm64", ARM, { socket: 281, bpf: 386, sampling: 364 }],
  ] as const)("[GW-04] listens on no frames and looks into no other process on %s (%i)", (machine, arch, calls) => {
    const filter = workFilter(machine) ?? new Uint8Array();
    const call = (number: number, ...args: number[]): string => judged(filter, { arch, call: number, args });
    const frames = [[PACKET, RAW], [PACKET, DATAGRAM], [XDP, RAW], [INET, RAW], [INET6, RAW | CLOEXEC], [INET, OLD_PACKET]]; // prettier-ignore
    expect(frames.map((pair) => call(calls.socket, ...pair))).toEqual(frames.map(() => DENIED));
    const ordinary = [[UNIX, STREAM], [INET, STREAM], [INET6, DATAGRAM | CLOEXEC], [NETLINK, RAW, 0]]; // prettier-ignore
    expect(ordinary.map((words) => call(calls.socket, ...words))).toEqual(ordinary.map(() => ALLOWED));
    expect(call(calls.socket, NETLINK, RAW, 9)).toBe(UNSUPPORTED);
    expect([call(calls.bpf), call(425)]).toEqual([DENIED, UNKNOWN]);
    const [every, own, group] = [0xffff_ffff, 0, 4];
    expect([call(calls.sampling, 0, every), call(calls.sampling, 0, 5, 0, 0, group)]).toEqual([DENIED, DENIED]);
    expect([call(calls.sampling, 0, own, 0, 0, 8), call(0), call(59)]).toEqual([ALLOWED, ALLOWED, ALLOWED]);
  });

  it("[GW-04] has no way around by other numbers of the same calls", () => {
    const filter = workFilter("x64") ?? new Uint8Array();
    expect(judged(filter, { arch: X64, call: 0x4000_0000 + 41, args: [PACKET, RAW] })).toBe(UNKNOWN);
    expect(judged(filter, { arch: ARM64, call: 198, args: [PACKET, RAW] })).toBe(UNKNOWN);
    expect(workFilter("riscv64")).toBeUndefined();
  });

  it.each([
    ["x64", I386],
    ["arm64", ARM],
  ] as const)("[GW-04] makes no socket by a call whose arguments cannot be read on %s (%i)", (machine, arch) => {
    const filter = workFilter(machine) ?? new Uint8Array();
    const [CREATE, CONNECT, PAIR] = [1, 3, 8];
    const call = (what: number): string => judged(filter, { arch, call: 102, args: [what, 0x1000] });
    expect([call(CREATE), call(CONNECT), call(PAIR)]).toEqual([UNKNOWN, ALLOWED, ALLOWED]);
  });

  it("[GW-04] knows that call by its number on no other machine", () => {
    expect(judged(workFilter("x64") ?? new Uint8Array(), { arch: X64, call: 102, args: [1] })).toBe(ALLOWED); // getuid
    expect(judged(workFilter("arm64") ?? new Uint8Array(), { arch: ARM64, call: 102, args: [1] })).toBe(ALLOWED); // getitimer
  });
});

const kinds: (readonly [string, Sandbox])[] = [];
for (const builder of ["bubblewrap", "perl", "util-linux"] as const) {
  const sandbox = probedSandbox({ builders: [builder] });
  if ((await sandbox.kind()) === builder) kinds.push([builder, sandbox]);
  else process.stdout.write(`what was approved with ${builder}: skipped, it does not work here\n`);
}

const isRoot = process.getuid?.() === 0;
const hasPerl = spawnSync("perl", ["-e", "1"]).status === 0;
/** Whether the kernel runs 32-bit calls at all. */
const runsOlder =
  hasPerl && Number(spawnSync("perl", ["-e", olderSocket(UNIX, STREAM)], { encoding: "utf8" }).stdout) > 0;
if (!runsOlder) process.stdout.write("sockets of 32-bit programs: skipped, there are no such calls here\n");
const VIEW = { rest: "writable", network: true, places: [] } as const;

describe.runIf(hasPerl && process.arch === "x64").each(kinds)("what was approved in a view by %s", (kind, sandbox) => {
  const perl = ["/usr/bin/perl", "-e", machineTrials("opened")];

  it("[GW-04] listens on no frames of the network and looks into nothing that is not its own", async () => {
    for (const argv of [perl, ["/usr/bin/unshare", "-Ur", ...perl]]) {
      const enclosed = await sandbox.enclose(VIEW, { cwd: "/", argv });
      if (enclosed === undefined) throw new Error("no sandbox");
      expect(await runEnclosed(enclosed)).toMatch(/^(?:done|unshare: unshare failed: Operation not permitted)\n$/);
    }
  });

  it("[GW-04] is held the same when it is started by words alone, with the variables that it was given", async () => {
    const argv = ["/bin/sh", "-c", 'echo "$A $BASH_ENV"; exec "$@"', "sh", ...perl];
    const enclosed = await sandbox.enclose(VIEW, { cwd: "/", argv });
    if (enclosed === undefined) throw new Error("no sandbox");
    const { file, args } = inWords(enclosed, "/bin/bash");
    const { stdout, stderr } = spawnSync(file, args, {
      env: { A: "one", BASH_ENV: "/nowhere" },
      encoding: "utf8",
      input: "",
    });
    expect({ stdout, stderr }).toEqual({ stdout: "one /nowhere\ndone\n", stderr: "" });
  });

  it.runIf(runsOlder && kind !== "util-linux").each(["writable", "read-only"] as const)(
    "[GW-04] makes no socket by the call of 32-bit programs that no filter can read: %s",
    async (rest) => {
      for (const [family, type] of [
        [UNIX, STREAM],
        [INET, DATAGRAM],
        [PACKET, RAW],
      ] as const) {
        // prettier-ignore
        const argv = ["/usr/bin/perl", "-e", olderSocket(family, type)];
        const enclosed = await sandbox.enclose({ ...VIEW, rest }, { cwd: "/", argv });
        if (enclosed === undefined) throw new Error("no sandbox");
        expect(await runEnclosed(enclosed)).toBe("-38\n");
      }
    },
  );

  it.runIf(isRoot && kind !== "util-linux")("[GA-13] of root still becomes another user", async () => {
    const argv = ["/bin/sh", "-c", "su nobody -s /bin/sh -c 'id -un'; chown nobody /proc/self/x 2>&1 | tail -c 26"];
    const enclosed = await sandbox.enclose(VIEW, { cwd: "/", argv });
    if (enclosed === undefined) throw new Error("no sandbox");
    expect(await runEnclosed(enclosed, { env: { PATH: "/usr/bin:/bin" } })).toContain("nobody\n");
  });
});
