import { spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { expect, it } from "vitest";
import { probedSandbox } from "./sandbox.ts";

const kinds: string[] = [];
for (const builder of ["bubblewrap", "perl", "util-linux"] as const) {
  if ((await probedSandbox({ builders: [builder] }).kind()) === builder) kinds.push(builder);
  else process.stdout.write(`inherited descriptors with ${builder}: skipped, it does not work here\n`);
}
const url = (name: string): string => JSON.stringify(new URL(name, import.meta.url).href);
const LEFT_OPEN = 57; // behind a gap: Node marks those at the beginning by itself

it.each(kinds)(
  "[GA-13] a program by %s has no descriptor but its own three, whatever the gateway was started with",
  (kind) => {
    const script = `
    const { closeInherited } = await import(${url("./inherited-descriptors.ts")});
    const { probedSandbox } = await import(${url("./sandbox.ts")});
    const { runEnclosed } = await import(${url("../../test/kit/run-enclosed.ts")});
    const closed = closeInherited();
    const said = [];
    for (const rest of ["read-only", "writable"]) {
      const sandbox = probedSandbox({ builders: [${JSON.stringify(kind)}] });
      const view = { rest, network: false, places: [] };
      said.push(await runEnclosed(await sandbox.enclose(view, { cwd: "/", argv: ["/bin/ls", "/proc/self/fd"] })));
    }
    console.log(JSON.stringify({ closed: closed.includes(${LEFT_OPEN}), said }));`;
    const secret = openSync("/etc/hostname", "r");
    const stdio = [
      "ignore",
      "pipe",
      "inherit",
      ...Array.from({ length: LEFT_OPEN - 3 }, () => "ignore" as const),
      secret,
    ] as const;
    const { stdout } = spawnSync(process.execPath, ["--no-warnings", "--input-type=module", "-e", script], {
      stdio: [...stdio],
      encoding: "utf8",
    });
    closeSync(secret);
    const own = "0\n1\n2\n3\n"; // the last is the folder that ls reads
    expect(JSON.parse(stdout)).toEqual({ closed: true, said: [own, own] });
  },
);
