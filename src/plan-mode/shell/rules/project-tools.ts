/**
 * Queries of tools that load settings or code of the project before they answer (a Gemfile is a program, `.yarnrc.yml`
 * names one). They are reads where nothing can be written and nobody reached, so all of them need the sandbox. Version
 * queries of yarn, pnpm, go, cargo and mvn are not here: they tell nothing but which program the project chose and ran.
 */
import { stop } from "../verdict.ts";
import { list } from "./rule.ts";
import type { Call, OptionTable, Rule } from "./rule.ts";

type Query = Omit<Rule, "names" | "options"> & { readonly options?: OptionTable };

const query = (names: string, { options = {}, ...rest }: Query = {}): Rule => ({ names, options, ...rest });

const needsSomething = (call: Call): void => {
  if (call.shapes.length === 0) stop("unknown-command", call.name, "Name what it is to show.");
};

/** A program with verbs: whatever has no verb here is refused, and none of them has `--help`. */
const tool = (names: string, subcommands: readonly Rule[], rest: Query = {}): Rule => ({
  sandboxed: true,
  operandsEndOptions: true,
  check: needsSomething,
  ...query(names, rest),
  subcommands,
});

const group = (names: string, subcommands: readonly Rule[], options: OptionTable = {}): Rule => ({
  ...query(names, { options }),
  operandsEndOptions: true,
  check: needsSomething,
  subcommands,
});

/** `--print=cfg=file` writes the file. */
const checkRustc = (call: Call): void => {
  const odd = call.options.find(({ name, value }) => name === "--print" && !/^[a-z-]+$/.test(value?.text ?? ""));
  if (odd !== undefined) stop("harmful-option", `rustc --print ${odd.value?.text ?? "…"}`);
  needsSomething(call);
};

const MAVEN_SETTING =
  /^(?:expression|includes|excludes|verbose|forceStdout|scope|detail|plugin|artifact|goal|style\.color)(?:=|$)/;

const checkMaven = (call: Call): void => {
  const odd = call.options.find(({ name, value }) => name === "-D" && !MAVEN_SETTING.test(value?.text ?? ""));
  if (odd !== undefined) stop("unknown-option", `mvn -D${odd.value?.text ?? "…"}`);
  if (call.operands.length === 0) stop("unknown-command", "mvn");
};

const CARGO_SELECTION = `offline locked frozen quiet verbose color= manifest-path= features= all-features no-default-features`;
const PNPM_LIST = {
  flags: "rgPDw",
  long: "depth= json long parseable global prod production dev recursive only-projects no-optional filter=",
} as const;

const COMPOSE = { valued: "fp", long: "file= profile= env-file= project-name= project-directory=" } as const;
const COMPOSE_CONFIG: Rule = {
  names: "config",
  options: {
    flags: "q",
    long: "services volumes images networks profiles quiet format= hash= no-interpolate no-normalize",
  },
};

/** Programs of which nothing but the version is asked. */
const VERSION_ONLY =
  list(`eslint prettier jest vitest mocha ava pytest flake8 pylint rubocop rspec webpack vite rollup esbuild swc turbo nx
  semgrep R Rscript scala kotlinc kotlin zig nim crystal dart flutter xcodebuild gpg gpg2 pipenv pdm hatch tox nox pre-commit playwright
  cypress storybook tailwindcss biome oxlint golangci-lint staticcheck dlv cmake-format clang-format clang-tidy bazelbuild`);

const onlyVersion = (call: Call): void => {
  const only = call.shapes.length === 1 ? (call.shapes[0]?.text ?? "") : "";
  if (!/^(?:--?version|version|-V)$/.test(only))
    stop("runs-programs", `${call.name} ${only}`, "Only its version is a read.");
};

const GO_AND_RUST: readonly Rule[] = [
  tool("go", [
    query("env", { options: { single: "-json -changed", harmful: "-w -u" } }),
    query("list", {
      options: {
        single: "-m -json -f= -deps -test -find -e -mod=readonly -mod=vendor",
        harmful: "-toolexec -export -compiled -overlay -modfile -u -exec",
      },
    }),
    query("doc", { options: { single: "-all -c -cmd -short -src -u" }, literal: true }),
    query("version", { options: { single: "-m -v" }, requires: "-m" }),
    query("help"),
    query("tool", { operandsMax: 0 }),
    group("mod", [
      query("graph"),
      query("why", { options: { single: "-m -vendor" } }),
      query("verify"),
      query("edit", { options: { single: "-json -print" }, requires: "-json -print" }),
    ]),
  ]),
  tool(
    "cargo",
    [
      query("metadata", {
        options: { flags: "qv", long: `format-version= no-deps filter-platform= ${CARGO_SELECTION}` },
        requires: "--no-deps --offline --frozen --locked",
      }),
      query("tree", {
        options: {
          flags: "dqv",
          valued: "ipefF",
          long: list(`depth= invert=? package= prefix= no-dedupe duplicates charset= format= edges= target= workspace exclude=
            ${CARGO_SELECTION}`),
        },
      }),
      query("pkgid locate-project read-manifest verify-project", {
        options: { valued: "p", long: "workspace message-format= package= manifest-path= quiet verbose" },
      }),
    ],
    { options: { flags: "qv", long: "list offline locked frozen quiet verbose", harmful: "--config -Z -C" } },
  ),
  query("rustc", {
    options: { flags: "Vv", long: "version verbose print= explain= edition= target= crate-name= cfg=" },
    operandsMax: 0,
    sandboxed: true,
    check: checkRustc,
  }),
  tool(
    "rustup",
    [
      query("show", { options: { flags: "v", long: "verbose" }, operand: /^(?:active-toolchain|home|profile)$/ }),
      ...["toolchain", "target", "component"].map((name) =>
        group(name, [query("list", { options: { flags: "vq", long: "installed verbose quiet toolchain=" } })]),
      ),
      query("which", { options: { long: "toolchain=" } }),
    ],
    { options: { flags: "V", long: "version" } },
  ),
];

const JAVASCRIPT: readonly Rule[] = [
  tool(
    "pnpm",
    [
      query("ls list ll la why", { options: PNPM_LIST }),
      query("root bin", { options: { flags: "gw", long: "global workspace-root" }, operandsMax: 0 }),
      group("config c", [query("get list", { options: { long: "json global location=" } })]),
      group("licenses", [query("list ls", { options: { long: "json long prod dev" } })]),
      group("store", [query("path status")]),
    ],
    { options: { flags: "rw", valued: "CF", long: "recursive workspace-root dir= filter= silent" } },
  ),
  tool(
    "yarn",
    [
      query("list why info", {
        options: {
          flags: "ARv",
          long: "depth= pattern= json prod production silent all recursive name-only dependents",
        },
      }),
      group("workspaces", [
        query("info list", { options: { flags: "vR", long: "json verbose recursive since=? no-private" } }),
      ]),
      group("config", [query("get list", { options: { long: "json why verbose" } })]),
      group("licenses", [query("list ls", { options: { long: "json" } })]),
      // Without a name it lists the scripts; with one it runs it.
      query("run bin", { options: { long: "json" }, operandsMax: 0 }),
      group("cache", [query("dir list", { options: { long: "pattern= json" } })]),
    ],
    { options: { flags: "s", long: "silent json" } },
  ),
  tool("deno", [query("info", { options: { long: "json no-lock cached-only" } })], {
    options: { flags: "Vh", long: "version help" },
  }),
  tool("bun", [group("pm", [query("ls list bin cache hash", { options: { flags: "g", long: "all" } })])], {
    options: { flags: "vh", long: "version help revision" },
  }),
  query("tsc", {
    options: { flags: "vh", valued: "p", long: "showConfig listFilesOnly project= version help all" },
    requires: "--showConfig --listFilesOnly --version --help -v -h",
    operandsMax: 0,
    sandboxed: true,
  }),
];

const SCRIPTING: readonly Rule[] = [
  tool(
    "bundle bundler",
    [
      query("list", { options: { long: "name-only paths without-group= only-group=" } }),
      query("show info", { options: { long: "paths path version" } }),
      query("check platform licenses version", { options: { long: "ruby dry-run" } }),
      query("env", { operandsMax: 0 }),
      { ...group("config", [query("list get", { options: { long: "parseable" } })]), check: () => undefined },
    ],
    { options: { flags: "v", long: "version" } },
  ),
  tool(
    "gem",
    [
      query("list", {
        options: {
          flags: "ladi",
          long: "local all versions details no-details installed exact no-versions prerelease",
        },
      }),
      query("environment env which contents specification spec dependency", {
        options: { flags: "ladv", long: "local all version= prefix lib-only gems-first no-verbose pipe" },
      }),
    ],
    { options: { flags: "v", long: "version" } },
  ),
  tool(
    "composer",
    [
      query("show info", {
        options: {
          flags: "iaPNstDoAMn",
          valued: "f",
          long: list(`installed all platform available self name-only path tree latest direct strict no-dev locked format= no-interaction
            no-plugins no-scripts`),
        },
      }),
      query("depends why prohibits why-not", { options: { flags: "rtn", long: "recursive tree locked" } }),
      query("licenses suggests fund about check-platform-reqs validate", {
        options: {
          valued: "f",
          long: "format= no-dev all by-package by-suggestion no-check-all no-check-publish strict lock",
        },
      }),
      query("config", { options: { flags: "lg", long: "list global" }, requires: "-l --list", operandsMax: 0 }),
    ],
    { options: { flags: "Vn", long: "version no-plugins no-scripts no-interaction", harmful: "-d --working-dir" } },
  ),
  query("php", {
    options: { flags: "vmi", valued: "l", long: "version ini modules info help" },
    requires: "-v -m -i -l --version --ini --modules --info --help",
    operandsMax: 0,
    withoutHome: true,
    sandboxed: true,
  }),
  tool(
    "poetry",
    [
      query("show", { options: { flags: "tlaT", long: "tree latest all top-level only= with= without=" } }),
      query("version", { options: { flags: "s", long: "short" }, operandsMax: 0 }),
      query("about check"),
      group("env", [query("info list", { options: { flags: "pe", long: "path executable full-path" } })]),
      query("config", { options: { long: "list" }, requires: "--list", operandsMax: 0 }),
    ],
    { options: { flags: "V", long: "version no-interaction no-ansi" } },
  ),
  tool(
    "uv",
    [
      group("pip", [
        query("list show tree freeze check", {
          options: { flags: "q", long: "format= depth= quiet exclude= offline" },
        }),
      ]),
      query("tree", {
        options: { flags: "q", long: "depth= frozen offline package= quiet" },
        requires: "--frozen --offline",
      }),
      group("python", [query("list find dir", { options: { long: "only-installed offline" } })]),
      query("version", { options: { long: "short output-format=" }, operandsMax: 0 }),
    ],
    { options: { flags: "V", long: "version offline" } },
  ),
  tool(
    "conda mamba",
    [
      query("list info", { options: { flags: "nep", valued: "", long: "json envs base all explicit export" } }),
      group("env", [query("list", { options: { long: "json" } })]),
    ],
    { options: { flags: "V", long: "version" } },
  ),
  tool("pyenv rbenv nodenv", [
    query("versions version version-name which root prefix", { options: { long: "bare skip-aliases" } }),
  ]),
  tool(
    "asdf mise volta fnm",
    [query("list ls current where which", { options: { long: "json installed current format=" } })],
    {
      options: { flags: "v", long: "version" },
    },
  ),
];

const PLATFORMS: readonly Rule[] = [
  query("mvn", {
    options: { flags: "oqBNe", valued: "D", long: "offline quiet batch-mode non-recursive no-transfer-progress" },
    // Nobody could be reached anyway, and it would try for long.
    inject: ["-o"],
    operand:
      /^(?:dependency:(?:tree|list|resolve|analyze)|help:(?:effective-pom|effective-settings|evaluate|active-profiles|describe))$/,
    check: checkMaven,
    sandboxed: true,
  }),
  query("gradle", {
    options: { flags: "v", long: "version" },
    requires: "-v --version",
    operandsMax: 0,
    sandboxed: true,
  }),
  tool(
    "dotnet",
    [
      query("list", {
        options: { long: "include-transitive framework= format= no-restore project=" },
        operand: /^(?:package|reference|[^-]*\.(?:sln|slnx|csproj|fsproj|vbproj))$/,
      }),
      query("sln solution", {
        operand: /^(?:list|[^-]*\.slnx?)$/,
        check: (call) => void (call.operands.at(-1)?.text === "list" || stop("known-write", call.name)),
      }),
      group("nuget", [group("list", [query("source", { options: { long: "format=" } })])]),
      group("tool", [query("list", { options: { flags: "g", long: "global local" } })]),
    ],
    { options: { single: "--info --version --list-sdks --list-runtimes" } },
  ),
  tool(
    "terraform tofu",
    [
      query("version", { options: { single: "-json" } }),
      query("output", { options: { single: "-json -raw -no-color" } }),
      query("show", { options: { single: "-json -no-color" } }),
      query("providers graph", { operandsMax: 0 }),
      query("validate", { options: { single: "-json -no-color" } }),
      query("fmt", { options: { single: "-check -diff -recursive -list=false -write=false" }, requires: "-check" }),
      group("state", [query("list show", { options: { single: "-no-color" } })]),
      group("workspace", [query("list show")]),
    ],
    { options: { single: "-version --version -v" } },
  ),
  tool("kubectl", [
    query("version", { options: { flags: "o", valued: "o", long: "client output= short" }, requires: "--client" }),
    group("config", [
      query("view get-contexts get-clusters current-context", { options: { valued: "o", long: "minify output=" } }),
    ]),
  ]),
  tool("helm", [
    query("version", { options: { long: "short template=" }, operandsMax: 0 }),
    query("lint", { options: { valued: "f", long: "values= set= strict quiet" } }),
    query("template", { options: { valued: "fns", long: "values= set= namespace= show-only= include-crds" } }),
    group("show", [query("chart values readme all")]),
    group("dependency dep", [query("list ls")]),
  ]),
  tool("docker-compose", [COMPOSE_CONFIG], { options: { ...COMPOSE, flags: "v", long: `${COMPOSE.long} version` } }),
  { names: VERSION_ONLY, options: "any", sandboxed: true, withoutHome: true, check: onlyVersion },
  query(
    "aws gcloud az bazel bazelisk buck2 sbt lein mix elixir erl ghci cabal ansible vagrant packer nomad consul vault flyctl",
    {
      options: { long: "version" },
      requires: "--version",
      operandsMax: 0,
      withoutHome: true,
      sandboxed: true,
    },
  ),
  tool(
    "brew",
    [
      query("list ls info deps leaves config desc", {
        options: { flags: "1lrt", long: "formula cask versions installed tree json=? full-name" },
      }),
    ],
    { options: { flags: "v", long: "version prefix cellar repository cache" } },
  ),
];

const SYSTEM_PACKAGES: readonly Rule[] = [
  tool("apt", [
    query("list show policy search depends rdepends", {
      options: { flags: "a", long: "installed upgradable all-versions manual-installed names-only" },
    }),
  ]),
  tool("apt-cache", [
    query("show showpkg policy search depends rdepends madison pkgnames stats", {
      options: { long: "names-only installed no-recommends" },
    }),
  ]),
  query("pacman", { options: { flags: "Qqieldtmk" }, requires: "-Q", sandboxed: true }),
  tool("snap", [query("list info version", { options: { long: "all" } })]),
  tool("apk", [query("info list version", { options: { flags: "Ivade", long: "installed available" } })]),
  query("rpm", {
    options: {
      flags: "qailRpcdsv",
      valued: "f",
      long: "query all info list requires provides changelog queryformat= whatprovides= version",
    },
    requires: "-q --query --version",
    sandboxed: true,
  }),
];

const VERSION_CONTROL: readonly Rule[] = [
  tool(
    "hg",
    [
      query(
        "log status st diff summary branch branches tags heads files manifest cat annotate blame identify id root paths tip parents",
        {
          options: {
            flags: "agmnrupcdfvqTGAiu",
            valued: "lrbkXI",
            long: list(`limit= rev= template= graph stat patch user= date= keyword= branch= follow verbose quiet all modified added removed
          deleted unknown change= include= exclude= unified= git number id tags`),
          },
          operandsMax: 16,
          check: (call) => {
            // `hg branch name` makes one.
            if (call.name === "hg branch" && call.operands.length > 0) stop("known-write", call.name);
          },
        },
      ),
    ],
    { options: { flags: "qvR", long: "quiet verbose noninteractive version pager=never" } },
  ),
  tool(
    "svn",
    [
      query("info status st ls list cat blame propget proplist log diff", {
        options: {
          flags: "vquR",
          valued: "rlc",
          long: "verbose quiet revision= limit= xml recursive depth= summarize stop-on-copy show-item= no-newline internal-diff change=",
          harmful: "--diff-cmd --config-option --config-dir",
        },
      }),
    ],
    { options: { flags: "q", long: "version quiet non-interactive" } },
  ),
];

export const PROJECT_TOOLS: readonly Rule[] = [
  ...GO_AND_RUST,
  ...JAVASCRIPT,
  ...SCRIPTING,
  ...PLATFORMS,
  ...SYSTEM_PACKAGES,
  ...VERSION_CONTROL,
];
