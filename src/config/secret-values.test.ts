import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { secretValues } from "./secret-values.ts";

it("[GW-04] are those of the file, of the environment and of the configuration, as they are now", () => {
  const home = mkdtempSync(join(tmpdir(), "holdpoint-secrets-"));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  const env = { ACME_API_KEY: "from-the-environment", SHORT_TOKEN: "x", PATH: "/usr/bin:/usr/local/bin" };
  let config: unknown = {
    store: { kind: "postgres", url: "postgres://me:pass%20word@host/db" },
    mcp: {
      servers: {
        a: { url: "https://a.example/", headers: { authorization: "Bearer literal-1", "x-api-key": "${ACME}" } },
      },
    },
    plugins: { entries: { p: { config: { clientSecret: "literal-2", name: "harmless" } } } },
  };
  const values = secretValues({ home, env, config: () => config });
  const configured = ["pass%20word", "pass word", "literal-1", "literal-2"];
  expect(values()).toEqual(["from-the-environment", ...configured]);
  writeFileSync(join(home, "secrets.yaml"), "ANTHROPIC_API_KEY: in-the-file\nOTHER: 'another one'\n");
  expect(values()).toEqual(["in-the-file", "another one", "from-the-environment", ...configured]);
  writeFileSync(join(home, "secrets.yaml"), "ANTHROPIC_API_KEY: replaced-by-this\n");
  config = {};
  expect(values()).toEqual(["in-the-file", "another one", "replaced-by-this", "from-the-environment"]);
  writeFileSync(join(home, "secrets.yaml"), "{ broken");
  expect(values()).toContain("replaced-by-this");
});
