import { describe, expect, it } from "vitest";
import { hardenedEnvironment, neutraliseFilters, sandboxArguments, shellArguments } from "./environment.ts";

describe("how an allowed command runs", () => {
  it("[GA-06] inherits nothing and pins what remains", () => {
    const environment = hardenedEnvironment("/home/u");
    expect(environment).toMatchObject({ HOME: "/home/u", TERM: "dumb", GIT_OPTIONAL_LOCKS: "0", GIT_PAGER: "cat" });
    expect(environment["PATH"]?.split(":").every((folder) => folder.startsWith("/"))).toBe(true);
    expect(Object.keys(environment).filter((name) => /^(?:BASH|LD_|ENV$)/.test(name))).toEqual([]);
  });

  it("[GA-06] numbers the git settings without a gap", () => {
    const environment = hardenedEnvironment("/home/u", [{ key: "filter.x.clean", value: "" }]);
    const count = Number(environment["GIT_CONFIG_COUNT"]);
    const keys = Array.from({ length: count }, (_none, index) => environment[`GIT_CONFIG_KEY_${index}`]);
    expect(keys).toContain("core.fsmonitor");
    expect(keys.at(-1)).toBe("filter.x.clean");
    expect(keys.includes(undefined)).toBe(false);
  });

  it("[GA-06] switches each filter of a repository off", () => {
    expect(neutraliseFilters("filter.a.b c.clean\0filter.a.b c.required\0")).toEqual({
      settings: [
        { key: "filter.a.b c.clean", value: "" },
        { key: "filter.a.b c.smudge", value: "" },
        { key: "filter.a.b c.process", value: "" },
        { key: "filter.a.b c.required", value: "false" },
      ],
    });
    expect(neutraliseFilters("")).toEqual({ settings: [] });
  });

  it("[GA-06] refuses when the filters cannot be switched off", () => {
    const many = Array.from({ length: 65 }, (_none, index) => `filter.f${index}.clean`).join("\0");
    expect(neutraliseFilters(many)).toEqual({ refused: "more than 64 filters" });
    expect(neutraliseFilters("odd\0")).toHaveProperty("refused");
  });

  it("[GA-06] builds a sandbox with a read-only root and no network, in which the folder stays visible", () => {
    const line = (cwd: string): string => sandboxArguments(cwd, shellArguments("ls")).join(" ");
    expect(line("/w")).toBe(
      "bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --unshare-all --die-with-parent --new-session --cap-drop ALL --chdir /w -- bash --noprofile --norc -c ls",
    );
    expect(line("/tmp/x")).toContain("--tmpfs /run --ro-bind /tmp/x /tmp/x");
  });
});
