/** The sandboxes that work on this machine, and folders that what only reads can see. */
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { userInfo } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { probedSandbox, type Sandbox } from "../../src/runner/sandbox.ts";

/** `what`: named where one is skipped. */
export async function workingSandboxes(what: string): Promise<[string, Sandbox][]> {
  const kinds: [string, Sandbox][] = [];
  for (const builder of ["bubblewrap", "perl", "util-linux"] as const) {
    const sandbox = probedSandbox({ builders: [builder] });
    if ((await sandbox.kind()) === builder) kinds.push([builder, sandbox]);
    else process.stdout.write(`${what} with ${builder}: skipped, it does not work here\n`);
  }
  return kinds;
}

/** Not below a folder for temporary files, which readers do not see. */
export function folderInHome(name: string): string {
  const made = realpathSync(mkdtempSync(join(userInfo().homedir, `.hp-test-${name}-`)));
  onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 5 }));
  return made;
}
