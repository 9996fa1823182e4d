import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { ALLOWED, judged } from "../../test/kit/judged-by-filter.ts";
import { runEnclosed } from "../../test/kit/run-enclosed.ts";
import { probedSandbox, type Sandbox } from "./sandbox.ts";
import { socketFilter, socketFilterFor } from "./socket-filter.ts";
import type { View } from "./view.ts";

const [X64, I386, ARM64, ARM] = [0xc000_003e, 0x4000_0003, 0xc000_00b7, 0x4000_0028];

describe("the filter of system calls for what only reads", () => {
  const UNIX = 1;
  const INET = 2;
  const UNSUPPORTED = "errno 97";
  const UNKNOWN = "errno 38";

  it.each([
    ["x64", X64, { socket: 41, pair: 53 }],
    ["x64", I386, { socket: 359, pair: 360 }],
    ["arm64", ARM64, { socket: 198, pair: 199 }],
    ["arm64", ARM, { socket: 281, pair: 288 }],
  ] as const)(
    "[GA-13] makes sockets of networks alone on %s (%i), and pairs that are born connected",
    (machine, arch, { socket, pair }) => {
      const filter = socketFilterFor(machine) ?? new Uint8Array();
      const call = (number: number, ...args: number[]): string => judged(filter, { arch, call: number, args });
      expect([1, 2, 3, 5].map((type) => call(socket, UNIX, type))).toEqual(
        Array.from({ length: 4 }, () => UNSUPPORTED),
      );
      const [VSOCK, ALG, BLUETOOTH, PACKET] = [40, 38, 31, 17];
      expect([VSOCK, ALG, BLUETOOTH, PACKET].map((family) => call(socket, family, 1))).toEqual(
        Array.from({ length: 4 }, () => UNSUPPORTED),
      );
      expect([call(socket, INET, 1), call(socket, 10, 2), call(socket, 16, 3)]).toEqual([ALLOWED, ALLOWED, ALLOWED]);
      const CLOEXEC = 0o2000000;
      expect([1, 5, 1 | CLOEXEC].map((type) => call(pair, UNIX, type))).toEqual([ALLOWED, ALLOWED, ALLOWED]);
      expect([2, 3, 2 | CLOEXEC, 10].map((type) => call(pair, UNIX, type))).toEqual(
        Array.from({ length: 4 }, () => UNSUPPORTED),
      );
      expect([call(425), call(0), call(59)]).toEqual([UNKNOWN, ALLOWED, ALLOWED]);
    },
  );

  it("[GA-13] has no way around by other numbers of the same calls, and none to the kernel's keys", () => {
    const filter = socketFilterFor("x64") ?? new Uint8Array();
    expect(judged(filter, { arch: X64, call: 0x4000_0000 + 41, args: [UNIX, 1] })).toBe(UNKNOWN);
    expect(judged(filter, { arch: I386, call: 102, args: [1] })).toBe(UNKNOWN); // socketcall
    expect(judged(filter, { arch: ARM64, call: 198, args: [UNIX, 1] })).toBe(UNKNOWN);
    expect([248, 249, 250].map((call) => judged(filter, { arch: X64, call }))).toEqual([
      "errno 1",
      "errno 1",
      "errno 1",
    ]);
    expect(socketFilterFor("riscv64")).toBeUndefined();
  });
});

const kinds: (readonly [string, Sandbox])[] = [];
for (const builder of ["bubblewrap", "perl"] as const) {
  const sandbox = probedSandbox({ builders: [builder] });
  if ((await sandbox.kind()) === builder && socketFilter() !== undefined) kinds.push([builder, sandbox]);
  else process.stdout.write(`the filter of system calls with ${builder}: skipped, it does not work here\n`);
}

describe.each(kinds)("in a view by %s", (_kind, sandbox) => {
  async function said(view: Partial<View>, script: string): Promise<string> {
    const argv = [process.execPath, "-e", script];
    const whole: View = { rest: "read-only", network: true, places: [], ...view };
    const enclosed = await sandbox.enclose(whole, { cwd: "/", argv });
    return enclosed === undefined ? "no sandbox" : (await runEnclosed(enclosed)).trim();
  }
  const connecting = (name: string): string =>
    `require("net").connect(${JSON.stringify(name)}).on("error", (e) => console.log(e.code)).on("connect", function () { console.log("connected"); this.destroy(); })`;

  it("[GA-13] what only reads reaches no service, however it is named; what was approved reaches what it is shown", async () => {
    const folder = realpathSync(mkdtempSync("/var/tmp/hp-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const names = [join(folder, "s"), `\0holdpoint-test-${process.pid}`];
    for (const name of names) {
      const server = createServer((caller) => caller.destroy());
      await new Promise((listening) => server.listen(name, () => listening(undefined)));
      onTestFinished(() => void server.close());
      expect([await said({}, connecting(name)), await said({ rest: "writable" }, connecting(name))]).toEqual([
        "EAFNOSUPPORT",
        "connected",
      ]);
    }
  });

  it("[GA-13] what only reads still talks to its children", async () => {
    const script = `const child = require("child_process").spawn("/bin/sh", ["-c", "echo hello"]);
      child.stdout.on("data", (d) => process.stdout.write(String(d)))`;
    expect(await said({}, script)).toBe("hello");
  });
});
