import { describe, expect, it } from "vitest";
import { ConfigError } from "./config-error.ts";
import { CONFIG_BYTES_MAX, parseConfig } from "./parse.ts";

const FILE = "config.yaml";

function problemsOf(text: string) {
  try {
    parseConfig(text, FILE);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const problem = (place: string, path: string, message: string) => {
  const [line = null, column = null] = place === "" ? [] : place.split(":").map(Number);
  return { source: FILE, line, column, path, message };
};

describe("the configuration file", () => {
  it("[PL-02] leaves plan mode off where nothing is said", () => {
    const { config } = parseConfig("", FILE);
    expect(config.agents.defaults.planMode).toEqual({});
  });

  it("[GW-03] listens on loopback alone where nothing is said", () => {
    expect(parseConfig("", FILE).config.gateway).toMatchObject({
      host: "127.0.0.1",
      allowedHosts: [],
      allowedOrigins: [],
    });
  });

  it("[GW-06] names line, column and the nearest setting for an unknown key", () => {
    expect(problemsOf("gateway:\n  host: 127.0.0.1\n  prot: 4748\n")).toEqual([
      problem("3:3", "gateway.prot", '"prot" is not a setting of gateway. Did you mean "port"?'),
    ]);
  });

  it.each([
    ["runtime: vm", "tools.codeMode.runtime", 'cannot be "vm". Expected: "quickjs-wasi".'],
    ["timeoutMs: x", "tools.codeMode.timeoutMs", 'cannot be "x". Expected: a whole number.'],
    [
      "languages: []",
      "tools.codeMode.languages",
      "has the wrong form. Expected: a list of at least 1 (one of javascript, typescript).",
    ],
  ])(
    "[CM-02, GW-06] 16, 17, 26: names the field that is wrong in settings which may also be a word: %s",
    (line, path, why) => {
      expect(problemsOf(`tools:\n  codeMode:\n    enabled: true\n    ${line}\n`)).toEqual([
        problem(`4:${line.indexOf(": ") + 7}`, path, `${path} ${why}`),
      ]);
    },
  );

  it("[CM-02, GW-06] 26: names an unknown field of settings which may also be a word, and the word that is none", () => {
    expect(problemsOf("tools:\n  codeMode:\n    timeoutMS: 5\n")).toEqual([
      problem(
        "3:5",
        "tools.codeMode.timeoutMS",
        '"timeoutMS" is not a setting of tools.codeMode. Did you mean "timeoutMs"?',
      ),
    ]);
    expect(problemsOf("tools:\n  codeMode: sometimes\n")).toMatchObject([{ path: "tools.codeMode", line: 2 }]);
  });

  it("[GW-06] lists what is known where nothing is near", () => {
    expect(problemsOf("logging:\n  colour: red\n")).toEqual([
      problem("2:3", "logging.colour", '"colour" is not a setting of logging. Known there: level.'),
    ]);
  });

  it.each([
    [
      "gateway:\n  port: seven\n",
      problem("2:9", "gateway.port", 'gateway.port cannot be "seven". Expected: a whole number from 0 to 65535.'),
    ],
    [
      "gateway: { port: 70000 }\n",
      problem("1:18", "gateway.port", "gateway.port cannot be 70000. Expected: a whole number from 0 to 65535."),
    ],
    [
      "logging:\n  level: loud\n",
      problem(
        "2:10",
        "logging.level",
        'logging.level cannot be "loud". Expected: one of trace, debug, info, warn, error, silent.',
      ),
    ],
    [
      "store: { kind: mysql }\n",
      problem("1:16", "store.kind", 'store.kind cannot be "mysql". Expected: "sqlite", or "postgres".'),
    ],
    [
      'agents: { defaults: { planMode: { autoEnableFor: ["^gpt-5"] } } }',
      problem(
        "1:51",
        "agents.defaults.planMode.autoEnableFor.0",
        'agents.defaults.planMode.autoEnableFor.0 cannot be "^gpt-5". Expected: a glob such as "openai/*" or "*-mini"; regular expressions are not taken.',
      ),
    ],
    ["store:\n  kind: postgres\n", problem("1:1", "store.url", "store.url is missing. Expected: text.")],
    [
      "agents:\n  list:\n    - id: a b\n",
      problem(
        "3:11",
        "agents.list.0.id",
        'agents.list.0.id cannot be "a b". Expected: letters, digits, - and _ only, at most 64.',
      ),
    ],
    [
      "logging:\n  # level: info\n",
      problem("1:9", "logging", "logging is empty. Give it a value, or remove the line. Expected: settings: level."),
    ],
  ])("[GW-06] says what a value should be: %j", (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  it("[GW-06] reports every problem of a file at once", () => {
    expect(problemsOf("gatewya: {}\nlogging: { level: 3 }\n").map(({ path }) => path)).toEqual([
      "logging.level",
      "gatewya",
    ]);
  });

  it.each([
    ["a: 1\na: 2\n", problem("2:1", "", "This key stands here twice. Keep one of them.")],
    ["gateway:\n\tport: 1\n", problem("2:1", "", "A tab is used as indentation. Use spaces.")],
    ["gateway: {}\n---\nstore: {}\n", problem("2:1", "", "A second document begins here. Remove the --- line.")],
    [
      'gateway:\n  host: "127\n',
      problem("3:1", "", "A quote, a colon or a bracket is missing. Close what was opened on this line."),
    ],
    [
      "%YAML 1.1\n---\ngateway: {}\n",
      problem("", "", "The file asks for another version of YAML. Remove the %YAML line."),
    ],
    ["gateway: !js {}\n", problem("1:14", "", "The tag !js is not supported. Write the plain value.")],
    ["__proto__:\n  polluted: 1\n", problem("1:1", "", '"__proto__" is no setting. Remove it.')],
    ["gateway:\n  constructor: 1\n", problem("2:3", "", '"constructor" is no setting. Remove it.')],
    ["? [a]\n: 1\n", problem("1:3", "", "A setting's name must be plain text. Quote it, or correct it.")],
  ])("[GW-06] refuses corrupt or odd YAML with its place: %j", (text, expected) => {
    expect(problemsOf(text)).toEqual([expected]);
  });

  it("[GW-06] refuses anchors and aliases, so nothing grows while it is read", () => {
    const bomb = ["a: &a [x, x]", ...["b", "c", "d", "e"].map((name, at) => `${name}: &${name} [*${"abcd"[at]}]`)];
    expect(problemsOf(bomb.join("\n"))).toEqual([
      problem("1:7", "", "Anchors and aliases (& and *) are not supported. Write the value out."),
    ]);
  });

  it("[GW-06] refuses a file that is too large or too deep", () => {
    expect(problemsOf(`# ${"x".repeat(CONFIG_BYTES_MAX)}`)).toEqual([
      problem("", "", "The file is larger than 262144 bytes. Remove what does not belong in it."),
    ]);
    for (const depth of [100, 20_000]) {
      expect(problemsOf("[".repeat(depth) + "]".repeat(depth)).map(({ message }) => message)).toEqual([
        "The file is nested deeper than 32 levels. Settings never are: remove the extra brackets.",
      ]);
    }
  });

  it("[GW-06] reads JSON as it is, and `no` as text", () => {
    expect(parseConfig('{"gateway": {"port": 0}, "logging": {"level": "warn"}}', FILE).config.gateway.port).toBe(0);
    expect(problemsOf("agents: { defaults: { planMode: { enabled: no } } }")).toHaveLength(1);
  });
});
