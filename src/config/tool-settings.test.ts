import { expect, it } from "vitest";
import { expectedAt, isKnown } from "./expectation.ts";
import { parseConfig } from "./parse.ts";
import { isMasked, withoutSecrets } from "./secrets.ts";

const config = (text: string) => parseConfig(text, "config.yaml").config;

it("[GW-06] has defaults for the web, memory and MCP that reach nothing by themselves", () => {
  const { tools, memory, mcp } = config("");
  expect([tools.web, memory, mcp]).toEqual([
    { fetch: { enabled: true, hosts: [], privateHosts: [], ports: [80, 443] } },
    { enabled: true },
    { servers: {} },
  ]);
});

it("[GW-06] shows the settings of MCP servers without what they are handed", () => {
  const shown = withoutSecrets(
    config(
      'mcp: { servers: { a: { command: x, env: { K: "s3cret", R: "${NAME}", T: "a${NAME}s3cret" } }, b: { url: "https://x.test/mcp?token=s3cret", headers: { A: "Bearer ${NAME}", B: "s3cret" } } } }',
    ),
  );
  expect(JSON.stringify(shown)).not.toContain("s3cret");
  expect(shown).toMatchObject({
    mcp: {
      servers: {
        a: { env: { K: "***", R: "${NAME}", T: "***" } },
        b: { url: "https://x.test/mcp?token=***", headers: { A: "Bearer ${NAME}", B: "***" } },
      },
    },
  });
});

it("[GW-06] does not take back what it was shown masked, however deep", () => {
  expect(isMasked({ a: { env: { K: "***" } } })).toBe(true);
  expect(isMasked({ a: { env: { K: "value" } }, list: ["x", null, 1] })).toBe(false);
});

it("[GW-06] knows the settings of a server by any name", () => {
  expect(isKnown(["mcp", "servers", "any", "trusted"])).toBe(true);
  expect(isKnown(["mcp", "servers", "any", "trustd"])).toBe(false);
  expect(expectedAt(["mcp", "servers", "any", "callTimeoutSeconds"])).toBe("a whole number from 1 to 600");
});
