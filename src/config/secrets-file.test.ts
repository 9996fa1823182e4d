import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { secretsFile } from "./home.ts";
import { findSecret } from "./secrets-file.ts";

let home = "";
beforeEach(() => void (home = mkdtempSync(join(tmpdir(), "holdpoint-secrets-"))));
afterEach(() => rmSync(home, { recursive: true, force: true }));

function write(text: string, mode = 0o600): void {
  writeFileSync(secretsFile(home), text);
  chmodSync(secretsFile(home), mode);
}

describe("the secrets file", () => {
  it("[RT-01] gives a key by its name, the environment's first", async () => {
    write("ACME_API_KEY: from-file\nOTHER_KEY: other\n");
    expect(await findSecret("ACME_API_KEY", { home, env: {} })).toBe("from-file");
    expect(await findSecret("ACME_API_KEY", { home, env: { ACME_API_KEY: "" } })).toBe("from-file");
    expect(await findSecret("ACME_API_KEY", { home, env: { ACME_API_KEY: "from-env" } })).toBe("from-env");
    expect(await findSecret("MISSING", { home, env: {} })).toBeUndefined();
  });

  it("need not be there", async () => {
    expect(await findSecret("ACME_API_KEY", { home, env: {} })).toBeUndefined();
  });

  it.runIf(process.platform !== "win32")("[GW-07] is not used while others can read it", async () => {
    write("ACME_API_KEY: from-file\n", 0o640);
    await expect(findSecret("ACME_API_KEY", { home, env: {} })).rejects.toThrow(`chmod 600 ${secretsFile(home)}`);
  });

  it.each(["ACME_API_KEY: [s3cret]\n", "acme: s3cret\n", "s3cret\n", "A: 'x\n s3cret: {\n", "A: &a s3cret\nB: *a\n"])(
    "[GW-07] says what is wrong with %j without repeating it",
    async (text) => {
      write(text);
      const error = await findSecret("ACME_API_KEY", { home, env: {} }).catch((reason: unknown) => reason);
      expect(String(error)).toContain("Expected one NAME: value a line");
      expect(String(error)).not.toContain("s3cret");
    },
  );
});
