/** A program that is near its starter shares its session, but neither its group nor its terminal. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { probedSandbox } from "./sandbox.ts";
import { spawnEnclosed } from "./spawn-enclosed.ts";

const BUILDER = "perl"; // the others give every program a session of its own
const SCRIPT = "/usr/bin/script";
const sandbox = probedSandbox({ builders: [BUILDER] });
const isThere = (await sandbox.kind()) === BUILDER;
const VIEW = { rest: "read-only", network: false, places: [] } as const;
/** The first process of its namespace says the numbers of its group and its session; one from outside is 0. */
const SAYS = {
  cwd: "/",
  argv: ["/bin/sh", "-c", 'read -r _ _ _ _ group session _ < /proc/1/stat; echo "$group $session"'],
};
const [OWN_GROUP, OWN_SESSION] = ["1 0", "1 1"];

async function enclosed(isNear: boolean) {
  const made = await sandbox.enclose(VIEW, { ...SAYS, isNear });
  if (made === undefined) throw new Error("it was not built");
  return made;
}

/** `detached`: its session has no terminal, wherever the tests run. */
async function said(isNear: boolean): Promise<string> {
  const child = spawnEnclosed(await enclosed(isNear), { env: {}, stdio: ["ignore", "pipe", "ignore"], detached: true });
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((closed) => void child.once("close", closed));
  return text.trim();
}

describe.runIf(isThere)("a program in a view", () => {
  it("[GA-13] has a group and a session of its own", async () => {
    expect(await said(false)).toBe(OWN_SESSION);
  });

  it("[GA-13][CM-06] that is near its starter stays in its session, in a group of its own", async () => {
    expect(await said(true)).toBe(OWN_GROUP);
  });

  it.runIf(existsSync(SCRIPT))("[GA-13][CM-06] that is near a starter with a terminal is kept from it", async () => {
    const { file, args } = await enclosed(true);
    const words = [file, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
    const { stdout } = spawnSync(SCRIPT, ["-qec", words, "/dev/null"], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    expect(stdout.trim()).toBe(OWN_SESSION);
  });
});
