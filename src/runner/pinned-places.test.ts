import { mkdirSync, mkdtempSync, readdirSync, realpathSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { runEnclosed } from "../../test/kit/run-enclosed.ts";
import { probedSandbox, type Sandbox } from "./sandbox.ts";

const kinds: (readonly [string, Sandbox])[] = [];
for (const builder of ["bubblewrap", "perl", "util-linux"] as const) {
  const sandbox = probedSandbox({ builders: [builder] });
  if ((await sandbox.kind()) === builder) kinds.push([builder, sandbox]);
  else process.stdout.write(`pinned places with ${builder}: skipped, it does not work here\n`);
}

function world() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "holdpoint pinned-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const name of ["src", "src/100% gen", "docs"]) mkdirSync(join(root, name));
  const declared = join(root, "src/100% gen");
  const exchange = (): void => {
    renameSync(declared, join(root, "src/real"));
    symlinkSync("../docs", declared);
  };
  return { root, declared, exchange, docs: () => readdirSync(join(root, "docs")) };
}

const SCRIPT = 'echo x > "$1/new"; echo x > docs/new; echo ran';

describe.each(kinds)("a place by %s", (_kind, sandbox) => {
  async function enclosed({ root, declared }: ReturnType<typeof world>) {
    const places = [
      { path: root, as: "readable" },
      { path: declared, as: "writable" },
    ] as const;
    const argv = ["/bin/sh", "-c", SCRIPT, "sh", declared];
    return sandbox.enclose({ rest: "read-only", network: false, places, isPinned: true }, { cwd: root, argv });
  }

  it("[BY-02, GA-13] that another program exchanges for a link after it was judged opens nothing else, and nothing runs", async () => {
    const here = world();
    const ready = await enclosed(here);
    here.exchange();
    if (ready === undefined) throw new Error("no sandbox");
    expect(await runEnclosed(ready)).toContain("was exchanged while the sandbox was built");
    expect(here.docs()).toEqual([]);
    expect(await enclosed(here)).toBeUndefined(); // and one that is exchanged before is no place of the view
  });

  it("[BY-02] that stayed what it was is writable, whatever it is called", async () => {
    const here = world();
    const ready = await enclosed(here);
    if (ready === undefined) throw new Error("no sandbox");
    expect(await runEnclosed(ready)).toContain("ran");
    expect([readdirSync(here.declared), here.docs()]).toEqual([["new"], []]);
  });
});
