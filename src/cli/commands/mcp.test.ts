import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { serveMcpOverHttp } from "../../../test/kit/mcp-server.ts";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { runProgram } from "../program.ts";

const SCRIPT = fileURLToPath(new URL("../../../test/kit/mcp-server.ts", import.meta.url));
const COMMAND = ["--", process.execPath, SCRIPT, "stdio"];

function terminal(env: Record<string, string> = {}) {
  const home = join(temporaryFolder(), "home");
  mkdirSync(home);
  async function mcp(...argv: string[]) {
    const said = { stdout: "", stderr: "" };
    const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
    const { stdin, stdout } = process;
    const around = {
      stdin,
      terminal: stdout,
      cwd: home,
      env: { PATH: process.env["PATH"], ...env, HOLDPOINT_HOME: home },
    };
    const code = await runProgram(["mcp", ...argv], { ...around, stdout: stream("stdout"), stderr: stream("stderr") });
    return { code, ...said };
  }
  const config = (): unknown => parse(readFileSync(join(home, "config.yaml"), "utf8"));
  return { mcp, config };
}

describe("holdpoint mcp", () => {
  it("[GW-08] adds, lists, tests and removes a server on pipes", async () => {
    const { mcp, config } = terminal();
    expect(await mcp("list")).toMatchObject({ code: 0, stdout: expect.stringContaining("No MCP servers.") });
    expect(await mcp("add", "notes", "--trusted", "--env", "A=b=c", ...COMMAND)).toMatchObject({ code: 0 });
    const notes = { command: process.execPath, args: [SCRIPT, "stdio"], env: { A: "b=c" }, trusted: true };
    expect(config()).toMatchObject({
      agents: { defaults: { planMode: { enabled: true } } },
      mcp: { servers: { notes } },
    });
    const { code, stdout } = await mcp("test", "notes", "--json");
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        name: "notes",
        ms: expect.any(Number),
        capabilities: ["prompts", "resources", "tools"],
        tools: expect.arrayContaining([
          { name: "mcp__notes__echo", effect: "read", description: "Says it back." },
          { name: "mcp__notes__record", effect: "write", description: "Writes to a file." },
        ]),
      },
    ]);
    expect(await mcp("remove", "notes")).toMatchObject({ code: 0 });
    expect(config()).not.toHaveProperty("mcp");
  });

  it("[GW-08] shows neither the keys of a server on the web nor those in its address", async () => {
    const served = await serveMcpOverHttp();
    onTestFinished(() => served.close());
    const { mcp } = terminal({ ACME_TOKEN: "k-1" });
    const headers = ["--header", "authorization: Bearer ${ACME_TOKEN}", "--header", "x-key: s3cret"];
    expect(await mcp("add", "web", "--url", `${served.url}?api_key=hidden`, ...headers)).toMatchObject({ code: 0 });
    const listed = `${(await mcp("list")).stdout}${(await mcp("list", "--json")).stdout}`;
    expect(listed).toContain("Bearer ${ACME_TOKEN}");
    expect(listed).not.toMatch(/s3cret|hidden|k-1/);
    expect(await mcp("test", "web")).toMatchObject({ code: 0, stdout: expect.stringContaining("mcp__web__echo") });
    expect(served.headers.at(0)).toMatchObject({ authorization: "Bearer k-1", "x-key": "s3cret" });
  });

  it.each([
    [["add", "Bad", ...COMMAND], "cannot name a server"],
    [["add", "a__b", ...COMMAND], "cannot name a server"],
    [["add", "a"], "Give either --url or"],
    [["add", "a", "--url", "https://x.test", ...COMMAND], "Give either --url or"],
    [["add", "a", "--url", "file:///etc/passwd"], "cannot take"],
    [["add", "a", "--env", "novalue", ...COMMAND], "has no = between name and value"],
    [["add", "a", "--pass-env", "HOLDPOINT_TOKEN", ...COMMAND], "cannot take"],
    [["remove", "a"], 'There is no MCP server "a"'],
    [["test", "constructor"], 'There is no MCP server "constructor"'],
  ])("[GW-08] refuses %j and changes nothing", async (argv, why) => {
    const { mcp, config } = terminal();
    expect(await mcp(...argv)).toMatchObject({ code: 2, stderr: expect.stringContaining(why) });
    expect(config).toThrow("ENOENT");
  });

  it("[GW-08] does not replace a server, and says why one does not start", async () => {
    const { mcp } = terminal();
    await mcp("add", "a", "--", "/nonexistent/program");
    expect(await mcp("add", "a", ...COMMAND)).toMatchObject({ code: 2 });
    expect(await mcp("test", "a")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The server "a" did not start'),
    });
  });
});
