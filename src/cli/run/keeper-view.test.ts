import { expect, it } from "vitest";
import { mountOrder } from "../../runner/view.ts";
import { agentProgram } from "./agent-programs.ts";
import { keeperView } from "./keeper-view.ts";

const view = (name: string, env: Record<string, string> = {}, file = "/usr/bin/agent") => {
  const places = keeperView({
    workspace: "/srv/project",
    file,
    person: { home: "/home/ann", env },
    state: "/home/ann/.holdpoint",
    shown: ["/home/ann/.holdpoint/hooks"],
    program: agentProgram(name),
    writable: ["/home/ann/.cache/pip"],
  });
  const byPath = new Map(mountOrder(places).map(({ path, as }) => [path, as]));
  return (path: string) => byPath.get(path);
};

it("[GA-13, IG-03] a kept agent sees its own folder, and neither credentials nor other agents, browsers and the gateway", () => {
  const shown = view("claude");
  for (const path of [
    ".ssh",
    ".aws",
    ".netrc",
    ".codex",
    ".gemini",
    ".mozilla",
    ".config/google-chrome",
    ".holdpoint",
  ]) {
    expect([path, shown(`/home/ann/${path}`)]).toEqual([path, "hidden"]);
  }
  expect([shown("/home/ann/.claude"), shown("/home/ann/.claude.json"), shown("/home/ann/.cache/pip")]).toEqual(
    Array.from({ length: 3 }, () => "writable"),
  );
  expect([shown("/home/ann/.claude/settings.json"), shown("/home/ann/.holdpoint/hooks")]).toEqual([
    "readable",
    "readable",
  ]);
  expect([shown("/srv/project/.claude"), shown("/tmp"), shown("/run")]).toEqual(["kept", "scratch", "hidden"]);
});

it("[IG-03] finds an agent's folder where a variable says that it is", () => {
  const shown = view("codex", { CODEX_HOME: "/srv/codex" });
  expect([shown("/srv/codex"), shown("/srv/codex/config.toml"), shown("/home/ann/.claude")]).toEqual([
    "writable",
    "readable",
    "hidden",
  ]);
  expect(view("copilot", { COPILOT_HOME: "/srv/copilot" })("/srv/copilot/hooks")).toBe("readable");
  expect(view("gemini", { GEMINI_CLI_HOME: "/srv/g" })("/srv/g/.gemini/settings.json")).toBe("readable");
  const opencode = view("opencode", { XDG_CONFIG_HOME: "/srv/config", XDG_DATA_HOME: "/srv/data" });
  expect([opencode("/srv/config/opencode/plugins"), opencode("/srv/data/opencode")]).toEqual(["readable", "writable"]);
});

it("[IG-03] shows a program that lies among temporary files, and what was installed beside it", () => {
  const shown = view("claude", {}, "/tmp/agents/node_modules/claude/cli.js");
  expect([shown("/tmp"), shown("/tmp/agents"), shown("/tmp/others")]).toEqual(["scratch", "readable", undefined]);
});
