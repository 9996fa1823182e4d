import { describe, expect, it } from "vitest";
import { GIT_FILTER_QUERY, hardenedEnvironment, neutraliseFilters } from "./environment.ts";
import { isAssignable } from "./rules/environment-names.ts";

describe("how an allowed command runs", () => {
  it("[GA-06] inherits nothing and pins what remains", () => {
    const environment = hardenedEnvironment("/home/u");
    expect(environment).toMatchObject({ HOME: "/home/u", TERM: "dumb", GIT_OPTIONAL_LOCKS: "0", GIT_PAGER: "cat" });
    expect(environment["PATH"]?.split(":").every((folder) => folder.startsWith("/"))).toBe(true);
    expect(Object.keys(environment).filter((name) => /^(?:BASH|LD_|ENV$)/.test(name))).toEqual([]);
  });

  it("[GA-06] is exactly this environment: each line of it closes a way to run or to write something", () => {
    const {
      GIT_CONFIG_COUNT: count,
      PATH: _path,
      ...rest
    } = hardenedEnvironment("/home/u", [{ key: "filter.x.clean", value: "" }]);
    const pairs = Array.from({ length: Number(count) }, (_none, index) => [
      rest[`GIT_CONFIG_KEY_${index}`],
      rest[`GIT_CONFIG_VALUE_${index}`],
    ]);
    expect(pairs).toEqual([
      ["core.fsmonitor", "false"],
      ["core.hooksPath", "/dev/null"],
      ["core.pager", "cat"],
      ["core.untrackedCache", "false"],
      ["core.editor", "/bin/false"],
      ["core.askPass", "/bin/false"],
      ["core.sshCommand", "/bin/false"],
      ["core.alternateRefsCommand", "/bin/false"],
      ["diff.autoRefreshIndex", "false"],
      ["diff.ignoreSubmodules", "all"],
      ["diff.submodule", "short"],
      ["status.submoduleSummary", "false"],
      ["submodule.recurse", "false"],
      ["log.showSignature", "false"],
      ["log.diffMerges", "separate"],
      ["format.pretty", "medium"],
      ["gpg.program", "/bin/false"],
      ["gpg.openpgp.program", "/bin/false"],
      ["gpg.x509.program", "/bin/false"],
      ["gpg.ssh.program", "/bin/false"],
      ["safe.bareRepository", "explicit"],
      ["protocol.allow", "never"],
      ["credential.helper", ""],
      ["maintenance.auto", "false"],
      ["gc.auto", "0"],
      ["alias.whatchanged", "log --raw --no-merges"],
      ["filter.x.clean", ""],
    ]);
    const others = Object.fromEntries(
      Object.entries(rest).filter(
        ([name]) => !name.startsWith("GIT_CONFIG_KEY_") && !name.startsWith("GIT_CONFIG_VALUE_"),
      ),
    );
    expect(others).toEqual({
      HOME: "/home/u",
      LANG: "C.UTF-8",
      TERM: "dumb",
      PAGER: "cat",
      GIT_PAGER: "cat",
      MANPAGER: "cat",
      SYSTEMD_PAGER: "cat",
      SYSTEMD_COLORS: "0",
      EDITOR: "/bin/false",
      VISUAL: "/bin/false",
      GIT_EDITOR: "/bin/false",
      GIT_SEQUENCE_EDITOR: "/bin/false",
      GIT_ASKPASS: "/bin/false",
      SSH_ASKPASS: "/bin/false",
      GIT_SSH_COMMAND: "/bin/false",
      GIT_OPTIONAL_LOCKS: "0",
      GIT_TERMINAL_PROMPT: "0",
      GIT_TRACE2: "0",
      GIT_TRACE2_EVENT: "0",
      GIT_TRACE2_PERF: "0",
      npm_config_manage_package_manager_versions: "false",
      COREPACK_ENABLE_NETWORK: "0",
      COREPACK_ENABLE_PROJECT_SPEC: "0",
      YARN_IGNORE_PATH: "1",
      YARN_ENABLE_TELEMETRY: "0",
      GOTOOLCHAIN: "local",
      GOPROXY: "off",
      GOTELEMETRY: "off",
      GOFLAGS: "-mod=readonly",
      GOCACHE: "/tmp/go-build",
      CARGO_NET_OFFLINE: "true",
      COMPOSER_DISABLE_NETWORK: "1",
      COMPOSER_NO_INTERACTION: "1",
      DOTNET_CLI_TELEMETRY_OPTOUT: "1",
      DOTNET_NOLOGO: "1",
      CHECKPOINT_DISABLE: "1",
      HOMEBREW_NO_AUTO_UPDATE: "1",
      GNUPGHOME: "/dev/null",
      GIT_CONFIG_NOSYSTEM: "1",
      GIT_ATTR_NOSYSTEM: "1",
      GIT_ALLOW_PROTOCOL: "",
      GIT_NO_LAZY_FETCH: "1",
      PYTHONDONTWRITEBYTECODE: "1",
      PIP_DISABLE_PIP_VERSION_CHECK: "1",
      PIP_CONFIG_FILE: "/dev/null",
      BLKID_FILE: "/dev/null",
      npm_config_update_notifier: "false",
      npm_config_logs_max: "0",
      npm_config_logs_dir: "/dev/null",
      npm_config_offline: "true",
      XDG_CONFIG_HOME: "/dev/null",
      XDG_CACHE_HOME: "/dev/null",
      npm_config_cache: "/dev/null",
    });
  });

  it("[GA-06] adds nothing that nobody asked for", () => {
    expect(hardenedEnvironment("/home/u")).not.toHaveProperty("GIT_CONFIG_KEY_26");
  });

  it("[GA-05] is out of reach for the line that runs in it: none of its names may be assigned", () => {
    expect(Object.keys(hardenedEnvironment("/home/u")).filter(isAssignable)).toEqual([]);
  });

  it("[GA-06] asks git itself for the filters, by name only and with what it includes", () => {
    expect(GIT_FILTER_QUERY.join(" ")).toBe("git config --null --name-only --includes --get-regexp ^filter\\.");
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
    expect(neutraliseFilters(many.split("\0").slice(1).join("\0"))).toHaveProperty("settings");
    for (const odd of ["odd", "x.filter.a.clean", "filter.a.clean\n", "filter.clean", "filter.a\ufffd.clean"])
      expect(neutraliseFilters(`${odd}\0`)).toEqual({ refused: `a filter setting that cannot be read: ${odd}` });
  });
});
