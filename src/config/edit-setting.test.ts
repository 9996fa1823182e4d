import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { ConfigError } from "./config-error.ts";
import { setSetting, settingPath, unsetSetting } from "./edit-setting.ts";
import { FIRST_CONFIG, firstStart } from "./first-start.ts";
import { homePath } from "./home.ts";
import { loadConfig } from "./load.ts";

let home = "";
let file = "";

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "holdpoint-config-"));
  file = join(home, "config.yaml");
});
afterEach(() => rm(home, { recursive: true, force: true }));

const text = () => readFile(file, "utf8");

describe("the first start", () => {
  it("[PL-02] writes a configuration that turns plan mode on, with new chat sessions starting in it, and says so", async () => {
    const made = await firstStart(home);
    const { config } = await loadConfig(home, {});
    expect(made).toEqual({
      written: true,
      file,
      note: `First start: wrote ${file}. Plan mode is on, and new chat sessions start in it: the agent changes nothing until you approve its plan.`,
    });
    expect(config.agents.defaults.planMode).toEqual({
      enabled: true,
      defaultActive: true,
      approvalTimeoutSeconds: 86_400,
    });
  });

  it("[GW-03] keeps the folder and the file to their owner", async () => {
    await chmod(home, 0o755);
    await firstStart(home);
    expect([(await stat(home)).mode & 0o777, (await stat(file)).mode & 0o777]).toEqual([0o700, 0o600]);
  });

  it("leaves an existing file alone, and writes one when two start at once", async () => {
    const results = await Promise.all([firstStart(home), firstStart(home), firstStart(home)]);
    expect(results.filter(({ written }) => written)).toHaveLength(1);
    await writeFile(file, "logging: { level: warn }\n");
    expect(await firstStart(home)).toEqual({ written: false, file, note: "" });
    expect(await text()).toBe("logging: { level: warn }\n");
    expect(await readdir(home)).toEqual(["config.yaml"]);
  });
});

describe("the environment", () => {
  it("[GW-06] overrides four settings and says which", async () => {
    const env = {
      HOLDPOINT_HOST: "::1",
      HOLDPOINT_PORT: "5000",
      HOLDPOINT_STORE_URL: "postgres://h/db",
      HOLDPOINT_LOG_LEVEL: "debug",
    };
    const { config, overriddenBy } = await loadConfig(home, env);
    expect([config.gateway.host, config.gateway.port, config.store, config.logging.level]).toEqual([
      "::1",
      5000,
      { kind: "postgres", url: "postgres://h/db" },
      "debug",
    ]);
    expect(overriddenBy).toEqual({
      "gateway.host": "HOLDPOINT_HOST",
      "gateway.port": "HOLDPOINT_PORT",
      "store.url": "HOLDPOINT_STORE_URL",
      "logging.level": "HOLDPOINT_LOG_LEVEL",
    });
  });

  it.each([
    ["HOLDPOINT_PORT", "47x", "gateway.port cannot take. Expected: a whole number from 0 to 65535."],
    [
      "HOLDPOINT_STORE_URL",
      "mysql://root:pw@h/db",
      "store.url cannot take. Expected: sqlite, or an address that begins with postgres://.",
    ],
    [
      "HOLDPOINT_LOG_LEVEL",
      "loud",
      "logging.level cannot take. Expected: one of trace, debug, info, warn, error, silent.",
    ],
  ])("[GW-06] refuses a bad %s without repeating it", async (variable, value, end) => {
    await expect(loadConfig(home, { [variable]: value })).rejects.toThrow(
      `The environment variable ${variable} has a value that ${end}`,
    );
  });

  it("takes the home folder as a whole path only, so that no workspace can steer it", () => {
    expect(homePath({ HOLDPOINT_HOME: "/srv/holdpoint" })).toBe("/srv/holdpoint");
    expect(() => homePath({ HOLDPOINT_HOME: "./here" })).toThrow(ConfigError);
  });
});

describe("one setting at a time", () => {
  it("[GW-06] changes the one line and keeps every comment", async () => {
    await firstStart(home);
    await setSetting(file, "gateway.port", 5000);
    expect(await text()).toBe(FIRST_CONFIG.replace("port: 4747", "port: 5000"));
    await setSetting(file, "gateway.port", 4747);
    expect(await text()).toBe(FIRST_CONFIG);
  });

  it("[GW-06] adds and removes a section, back to the same bytes", async () => {
    await firstStart(home);
    await setSetting(file, "bindings.0", { surface: "cli", role: "coordinator" });
    await setSetting(file, "bindings.0.planMode.enabled", true);
    expect((await loadConfig(home, {})).config.bindings).toEqual([
      { surface: "cli", role: "coordinator", planMode: { enabled: true } },
    ]);
    await unsetSetting(file, "bindings");
    expect(await text()).toBe(FIRST_CONFIG);
  });

  it("[GW-06, PL-03] adds one more place to a list by its name and []", async () => {
    await firstStart(home);
    const added = "agents.defaults.planMode.autoEnableFor[]";
    await setSetting(file, added, "gpt-5.4*");
    await setSetting(file, added, "openai/*");
    expect((await loadConfig(home, {})).config.agents.defaults.planMode.autoEnableFor).toEqual([
      "gpt-5.4*",
      "openai/*",
    ]);
    await unsetSetting(file, "agents.defaults.planMode.autoEnableFor");
    expect(await text()).toBe(FIRST_CONFIG);
  });

  it.each([
    ["gateway.port[]", 1, "gateway.port is no list: nothing can be added to it. Set it as gateway.port."],
    ["gateway.prot[]", 1, 'Did you mean "port"?'],
    ["bindings[].role", "worker", "bindings[]"],
    ["agents.defaults.planMode.autoEnableFor[]", "gpt-5\\.4.*", "autoEnableFor"],
    ["gateway.port", "many", 'gateway.port cannot be "many"'],
    ["gateway.prot", 1, 'Did you mean "port"?'],
    ["store.kind", "postgres", "store.url is missing"],
    ["bindings.2", { surface: "cli" }, "bindings has 0 places. Use 0 to add one."],
    ["bindings.first", {}, "bindings is a list: name its places by number"],
    ["gateway..port", 1, '"gateway..port" is no path'],
    ["__proto__.x", 1, '"__proto__" is not a setting of the configuration'],
  ])("[GW-06] changes nothing for a bad %s", async (path, value, reason) => {
    await firstStart(home);
    await expect(setSetting(file, path, value)).rejects.toThrow(reason);
    expect(await text()).toBe(FIRST_CONFIG);
  });

  it("[GW-06] refuses to write a masked secret back", async () => {
    await writeFile(file, "store: { kind: postgres, url: postgres://a:pw@h/db }\n");
    await expect(setSetting(file, "store.url", "postgres://a:***@h/db")).rejects.toThrow("its secret hidden");
  });

  it("keeps a linked file linked, and private", async () => {
    const elsewhere = join(home, "elsewhere.yaml");
    await writeFile(elsewhere, "gateway: { port: 1 }\n");
    await symlink(elsewhere, file);
    await setSetting(file, "gateway.port", 2);
    expect(await readFile(elsewhere, "utf8")).toBe("gateway: { port: 2 }\n");
    expect((await stat(elsewhere)).mode & 0o777).toBe(0o600);
  });

  it("reads paths through lists and sections", () => {
    expect(settingPath("agents.list.0.planMode.enabled")).toEqual(["agents", "list", 0, "planMode", "enabled"]);
  });
});
