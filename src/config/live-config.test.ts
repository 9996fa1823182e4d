import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { firstStart } from "./first-start.ts";
import type { Environment } from "./home.ts";
import { loadConfig } from "./load.ts";
import { type ConfigChange, liveConfig, type LiveConfig } from "./live-config.ts";

let home = "";
let file = "";
let live: LiveConfig;
let changes: ConfigChange[] = [];

async function open(env: Environment = {}, lookEveryMs = 3_600_000): Promise<void> {
  live = liveConfig({ home, env, loaded: await loadConfig(home, env), lookEveryMs });
  live.onChange((change) => changes.push(change));
}

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "holdpoint-live-"));
  file = join(home, "config.yaml");
  changes = [];
  await firstStart(home);
});
afterEach(async () => {
  live.close();
  await rm(home, { recursive: true, force: true });
});

const applied = ({ kind, ...change }: ConfigChange) =>
  kind === "applied" && "changed" in change ? [change.changed, change.restartNeeded] : kind;

describe("the configuration of a running gateway", () => {
  it("[GW-06] applies plan mode, bindings and the log level without a restart", async () => {
    await open();
    expect(await live.set("agents.defaults.planMode.requireApproval", false)).toEqual({
      applied: true,
      restartNeeded: false,
    });
    expect(await live.set("logging.level", "debug")).toEqual({ applied: true, restartNeeded: false });
    expect(await live.unset("logging.level")).toEqual({ applied: true, restartNeeded: false });
    expect(live.current().agents.defaults.planMode.requireApproval).toBe(false);
    expect(changes.map(applied)).toEqual([
      [["agents.defaults.planMode.requireApproval"], []],
      [["logging.level"], []],
      [["logging.level"], []],
    ]);
  });

  it("[GW-06] reports what needs a restart and keeps its value until then", async () => {
    await open();
    expect(await live.set("gateway.port", 5000)).toEqual({ applied: false, restartNeeded: true });
    expect(live.current().gateway.port).toBe(4747);
    expect(live.get("gateway.port")).toEqual({ value: 5000, file });
    expect(await live.set("gateway.port", 4747)).toEqual({ applied: true, restartNeeded: false });
  });

  it("[GW-06] keeps the last good configuration when the file breaks, says so once, and recovers", async () => {
    await open();
    await writeFile(file, "logging:\n  level: loud\n");
    await live.reload();
    await live.reload();
    expect(live.current().logging.level).toBe("info");
    expect(changes.map((change) => (change.kind === "broken" ? change.error.problems[0]?.line : change.kind))).toEqual([
      2,
    ]);
    await writeFile(file, "logging:\n  level: warn\n");
    await live.reload();
    expect(live.current().logging.level).toBe("warn");
  });

  it("[GW-06] notices by itself that the file was replaced", async () => {
    await open({}, 20);
    const heard = new Promise<ConfigChange>((resolve) => void live.onChange(resolve));
    await writeFile(file, "logging: { level: error }\n");
    expect((await heard).config.logging.level).toBe("error");
  });

  it("[GW-06] changes nothing for a bad value, also with many edits at once", async () => {
    await open();
    const results = await Promise.allSettled([
      live.set("gateway.port", "x"),
      live.set("logging.level", "warn"),
      live.set("gateway.requestsPerSecond", 10),
      live.set("gateway.nope", 1),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled", "fulfilled", "rejected"]);
    const { config } = await loadConfig(home, {});
    expect([config.gateway.port, config.logging.level, config.gateway.requestsPerSecond]).toEqual([4747, "warn", 10]);
  });

  it("[GW-06] says when the environment holds a setting against the file", async () => {
    await open({ HOLDPOINT_LOG_LEVEL: "error" });
    expect(await live.set("logging.level", "debug")).toEqual({ applied: false, restartNeeded: false });
    expect(live.current().logging.level).toBe("error");
  });

  it("[GW-07] shows the store's address without its password", async () => {
    await open({ HOLDPOINT_STORE_URL: "postgres://hp:s3cret@db.example/holdpoint?sslpassword=s3cret" });
    expect(live.get("store").value).toEqual({
      kind: "postgres",
      url: "postgres://hp:***@db.example/holdpoint?sslpassword=***",
    });
    expect(JSON.stringify(live.get())).not.toContain("s3cret");
  });

  it("answers null for a known setting without a value and an error for an unknown one", async () => {
    await open();
    expect(live.get("agents.defaults.workspace")).toEqual({ value: null, file });
    expect(() => live.get("agents.defaults.workspce")).toThrow('Did you mean "workspace"?');
    expect(live.schema()["additionalProperties"]).toBe(false);
  });
});
