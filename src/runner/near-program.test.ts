/** A program that is near its starter shares its session, but neither its group nor its terminal. */
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { probedSandbox } from "./sandbox.ts";
import { inWords, spawnEnclosed } from "./spawn-enclosed.ts";

/** What the first process of the namespace then says; bubblewrap makes the group outside of it. */
const NEAR = { perl: "1 0", bubblewrap: "0 0" } as const; // util-linux gives every program a session of its own
type Builder = keyof typeof NEAR;
const SCRIPT = "/usr/bin/script";
const sandboxOf = (builder: Builder) => probedSandbox({ builders: [builder] });
const isThere = { perl: await works("perl"), bubblewrap: await works("bubblewrap") };
const VIEW = { rest: "read-only", network: false, places: [] } as const;
/** The first process of its namespace says the numbers of its group and its session; one from outside is 0. */
const SAYS = {
  cwd: "/",
  argv: ["/bin/sh", "-c", 'read -r _ _ _ _ group session _ < /proc/1/stat; echo "$group $session"'],
};
const OWN_SESSION = "1 1";

async function works(builder: Builder): Promise<boolean> {
  return (await sandboxOf(builder).kind()) === builder;
}

async function enclosed(builder: Builder, isNear: boolean) {
  const made = await sandboxOf(builder).enclose(VIEW, { ...SAYS, isNear });
  if (made === undefined) throw new Error("it was not built");
  return made;
}

/** `detached`: its session has no terminal, wherever the tests run. */
async function said(builder: Builder, isNear: boolean): Promise<string> {
  const options = { env: {}, stdio: ["ignore", "pipe", "ignore"], detached: true } as const;
  const child = spawnEnclosed(await enclosed(builder, isNear), { ...options, stdio: [...options.stdio] });
  let text = "";
  child.stdout?.on("data", (chunk: Buffer) => (text += chunk.toString()));
  await new Promise((closed) => void child.once("close", closed));
  return text.trim();
}

describe.each(["perl", "bubblewrap"] as const)("a program in a view by %s", (builder) => {
  it.runIf(isThere[builder])("[GA-13] has a group and a session of its own", async () => {
    expect(await said(builder, false)).toBe(OWN_SESSION);
  });

  it.runIf(isThere[builder])(
    "[GA-13][CM-06] that is near its starter stays in its session, in a group of its own",
    async () => {
      expect(await said(builder, true)).toBe(NEAR[builder]);
    },
  );

  it.runIf(isThere[builder] && existsSync(SCRIPT))(
    "[GA-13][CM-06] that is near a starter with a terminal is kept from it",
    async () => {
      const { file, args } = inWords(await enclosed(builder, true), "/bin/bash");
      const words = [file, ...args].map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
      const { stdout } = spawnSync(SCRIPT, ["-qec", words, "/dev/null"], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "ignore"],
      });
      expect(stdout.trim()).toBe(OWN_SESSION);
    },
  );
});
