import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { claimFolder } from "./claim-folder.ts";

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "holdpoint-claim-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

it("lets one gateway at a time use a state folder, and names the one that does", () => {
  const folder = temporaryFolder();
  const first = claimFolder(folder, { pid: 4711 });
  expect(claimFolder(folder, { pid: 4712 })).toEqual({ heldByPid: 4711 });
  if ("release" in first) first.release();
  const second = claimFolder(folder, { pid: 4712 });
  expect(second).toEqual({ release: expect.any(Function) });
  if ("release" in second) second.release();
});

it("leaves nothing stale behind when the gateway is killed", async () => {
  const folder = temporaryFolder();
  const source = `import { claimFolder } from ${JSON.stringify(import.meta.resolve("./claim-folder.ts"))};
    globalThis.claim = claimFolder(${JSON.stringify(folder)}, { pid: process.pid }); // kept: a lock that nobody holds on to may be collected
    process.stdout.write("held");
    setInterval(() => undefined, 1000);`;
  const gateway = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(gateway.stdout, "data");
  expect(claimFolder(folder, { pid: 1 })).toEqual({ heldByPid: gateway.pid });
  gateway.kill("SIGKILL");
  await once(gateway, "exit");
  const claim = claimFolder(folder, { pid: 1 });
  expect(claim).toEqual({ release: expect.any(Function) });
  if ("release" in claim) claim.release();
});
