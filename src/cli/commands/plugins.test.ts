import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/kit/turn-world.ts";
import { type RunningGateway, startGateway } from "../../gateway.ts";
import { BUNDLED_IDS } from "../../bundled.ts";
import { runProgram } from "../program.ts";

function terminal(folder = temporaryFolder()) {
  const home = join(folder, "home");
  async function plugins(...argv: string[]) {
    const said = { stdout: "", stderr: "" };
    const stream = (name: keyof typeof said) => ({ write: (text: string) => void (said[name] += text) });
    const { stdin, stdout } = process;
    const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: home };
    const around = { stdin, terminal: stdout, cwd: folder, env };
    const code = await runProgram(["plugins", ...argv], {
      ...around,
      stdout: stream("stdout"),
      stderr: stream("stderr"),
    });
    return { code, ...said };
  }
  const json = async (...argv: string[]): Promise<unknown> => {
    const { stdout, stderr } = await plugins(...argv, "--json");
    return JSON.parse(stdout === "" ? stderr : stdout);
  };
  return { folder, home, plugins, json };
}

async function serve(home: string, workspace: string): Promise<RunningGateway> {
  const started = await startGateway({ home, workspace, port: 0, log: "silent" });
  if ("alreadyRunning" in started) throw new Error("a gateway runs there already");
  onTestFinished(() => started.stop());
  return started;
}

/** Both roads: on the files, and through a gateway. */
describe.each(["while no gateway runs", "through the gateway that runs"])("holdpoint plugins, %s", (road) => {
  async function world() {
    const at = terminal();
    mkdirSync(at.home, { mode: 0o700 });
    if (road.startsWith("through")) await serve(at.home, at.folder);
    await at.plugins("create", "deploy");
    return at;
  }

  it("[PG-05] says by its exit code that a plugin cannot have a command, and hands the command over when told to", async () => {
    const { folder, plugins, json } = await world();
    const manifest = { name: "x", version: "1.0.0", description: "x", entry: "index.js", sdk: 1 };
    const code = (id: string): string =>
      `export default { id: "${id}", name: "x", description: "x", register(api) {
         api.registerCommand({ name: "ship", handler: () => ({}) }); } };`;
    for (const id of ["first", "second"]) {
      mkdirSync(join(folder, id));
      const commands = [{ name: "ship", description: "x" }];
      writeFileSync(join(folder, id, "holdpoint.plugin.json"), JSON.stringify({ id, ...manifest, commands }));
      writeFileSync(join(folder, id, "index.js"), code(id));
    }
    expect(await plugins("install", "./first", "--yes")).toMatchObject({ code: 0 });
    expect(await plugins("own", "ship", "first")).toMatchObject({ code: 0 }); // where no gateway runs, nobody has it yet
    const refused =
      "/ship belongs to the plugin first. An operator hands it over with: holdpoint plugins own ship second";
    expect(await plugins("install", "./second", "--yes")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`second is switched on and cannot be loaded: ${refused}`),
    });
    expect(await plugins("enable", "second")).toMatchObject({ code: 1, stdout: expect.stringContaining(refused) });
    expect(await plugins("list")).toMatchObject({
      stdout: expect.stringMatching(/second +1\.0\.0 +ordinary +refused/),
    });
    expect(await plugins("doctor")).toMatchObject({ code: 1, stdout: expect.stringContaining(`second: ${refused}`) });
    expect(await plugins("own", "nothing", "second")).toMatchObject({ code: 1 });
    expect(await plugins("own", "/ship", "second")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("/ship belongs to second."),
    });
    expect(await json("info", "first")).toMatchObject({ plugin: { standing: "refused" } });
    expect(await plugins("remove", "second")).toMatchObject({ code: 0 });
    expect(await plugins("enable", "first")).toMatchObject({ code: 0 });
  });

  it("[PG-01][GW-08] writes, installs, shows, switches on and off, and removes a plugin", async () => {
    const { plugins, json } = await world();
    expect(await plugins("install", "./deploy")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("• the need injections"),
    });
    expect(await plugins("enable", "deploy")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("nobody agreed"),
    });
    expect(await plugins("enable", "deploy", "--yes")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("deploy is on"),
    });
    expect(await json("info", "deploy")).toMatchObject({
      plugin: {
        id: "deploy",
        standing: road.startsWith("through") ? "active" : "ready",
        tier: "ordinary",
        notAgreed: [],
      },
    });
    expect(await json("disable", "deploy")).toMatchObject({ plugin: { standing: "disabled" } });
    expect(await json("enable", "deploy")).toMatchObject({
      plugin: { standing: road.startsWith("through") ? "active" : "ready" },
    });
    expect(await json("remove", "deploy")).toMatchObject({ plugin: { id: "deploy", because: "It was removed." } });
    expect(await json("info", "deploy")).toMatchObject({ error: { code: "PLUGIN_UNKNOWN", exitCode: 1 } });
  });

  it("[PG-04] trusts exactly the files that are there, and the doctor finds a change of them", async () => {
    const { plugins, json, home } = await world();
    await plugins("install", "./deploy", "--yes");
    expect(await plugins("trust", "deploy")).toMatchObject({ code: 1 });
    expect(await json("trust", "deploy", "--yes")).toMatchObject({ plugin: { tier: "trusted" } });
    expect(await plugins("doctor")).toMatchObject({ code: 0, stdout: expect.stringContaining("nothing is wrong") });
    const entry = join(home, "plugins", "deploy", "index.js");
    writeFileSync(entry, `${readFileSync(entry, "utf8")}// evil\n`);
    expect(await plugins("doctor")).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("not those that were trusted"),
    });
    expect(await json("untrust", "deploy")).toMatchObject({ plugin: { tier: "ordinary" } });
  });

  it("[PG-01] lists the plugins of the house, which nobody can be or change", async () => {
    const { json } = await world();
    const { plugins } = (await json("list")) as { plugins: { id: string; tier: string }[] };
    expect(plugins.map(({ id, tier }) => `${id} ${tier}`).toSorted()).toEqual(
      BUNDLED_IDS.map((id) => `${id} bundled`).toSorted(),
    );
    expect(await json("disable", "plan-mode")).toMatchObject({ error: { code: "PLUGIN_INVALID" } });
    expect(await json("enable", "../plan-mode")).toMatchObject({ error: { code: "USAGE", exitCode: 2 } });
  });

  it("[PG-01] leaves a row in the audit chain for every change", async () => {
    const { plugins, home, folder } = await world();
    await plugins("install", "./deploy", "--yes");
    await plugins("disable", "deploy");
    if (!road.startsWith("through")) await serve(home, folder); // who reads the chain asks a gateway
    const said: string[] = [];
    const env = { PATH: process.env["PATH"], HOLDPOINT_HOME: home };
    const stream = { write: (text: string) => void said.push(text) };
    const { stdin, stdout } = process;
    await runProgram(["audit", "list", "--json"], {
      stdin,
      terminal: stdout,
      cwd: folder,
      env,
      stdout: stream,
      stderr: stream,
    });
    const facts = said.join("").match(/plugin\.(?:installed|enabled|disabled)/g) ?? [];
    expect(facts.slice(0, 3)).toEqual(["plugin.installed", "plugin.enabled", "plugin.disabled"]);
  });
});

it("[PG-11] writes a plugin only into a new folder with a name that a plugin can have", async () => {
  const { plugins } = terminal();
  expect(await plugins("create", "deploy")).toMatchObject({ code: 0 });
  expect(await plugins("create", "deploy")).toMatchObject({ code: 2, stderr: expect.stringContaining("is not empty") });
  expect(await plugins("install", "deploy")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("./deploy for the folder"),
  });
  expect(await plugins("create", "7")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("cannot name a plugin"),
  });
});

it("[PG-01] a plugin that was installed works in a gateway: its command answers, and its process ends with it", async () => {
  const at = terminal();
  await at.plugins("create", "deploy");
  await at.plugins("install", "./deploy", "--yes");
  const gateway = await serve(at.home, at.folder);
  const { connectHoldpoint } = await import("../../client/index.ts");
  const client = connectHoldpoint({
    url: gateway.url,
    token: gateway.operatorToken,
    clientName: "test",
    reconnect: false,
  });
  await client.ready();
  const { session } = await client.call("sessions.create", {});
  const order = { sessionId: session.id, name: "deploy" };
  expect(await client.call("commands.run", { ...order, args: "status" })).toMatchObject({
    message: "It waits for approval.",
  });
  expect(await client.call("commands.run", { ...order, args: "approve" })).toMatchObject({ message: "Approved." });
  expect((await client.call("ui.descriptors", {})).plugins.map(({ pluginId }) => pluginId)).toEqual(["deploy"]);
  const seen = await client.call("sessions.get", { sessionId: session.id });
  expect(seen.session.plugins?.["deploy"]).toEqual({ approval: { status: "approved by local" } });
  client.close();
});
