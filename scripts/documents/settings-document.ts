/** docs/SETTINGS.md: every setting of the configuration file, what it may be, what holds without it and what it is for, from its schema. */
import { configSchema, expectedAt } from "../../src/config/expectation.ts";
import type { Json, JsonObject } from "../../src/protocol/json.ts";

const HEAD = `<!-- Made by scripts/documents.ts: do not edit, run npm run fix. -->

# Settings

Everything that \`config.yaml\` in the gateway's folder may hold; the file is YAML, and JSON is read as well. \`holdpoint config get\`, \`set\` and
\`unset\` edit one setting at a time and keep comments; \`holdpoint config schema\` prints the same as a JSON Schema for editors. A value that does not
fit is refused with its line, and changes take effect while the gateway runs unless the answer says that it needs a restart. \`<name>\` is one that you
choose. What a kind of channel takes is shown by \`holdpoint channels kinds\`, and in the [guide](guides/channels.md).

`;

const COLUMNS = ["setting", "may be", "without it", "what for"];
const DEPTH_MAX = 8;
/** Each kind has settings of its own, which its guide explains. */
const APART = new Set(["channels"]);

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);

type Setting = { path: string[]; schema: JsonObject };

function settingsIn(schema: JsonObject, path: string[]): Setting[] {
  if (path.length > DEPTH_MAX || APART.has(path[0] ?? "")) return [{ path, schema }];
  const { properties, additionalProperties } = schema;
  const named = isObject(properties) ? Object.entries(properties) : [];
  const any: [string, Json][] = isObject(additionalProperties) ? [["<name>", additionalProperties]] : [];
  const below = [...named, ...any].flatMap(([name, child]) =>
    isObject(child) ? settingsIn(child, [...path, name]) : [],
  );
  return below.length === 0 ? [{ path, schema }] : below;
}

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ").trim();
const code = (value: Json | undefined): string => (value === undefined ? "" : `\`${cell(JSON.stringify(value))}\``);
const wordsOf = ({ description }: JsonObject): string => (typeof description === "string" ? cell(description) : "");

function rowOf({ path, schema }: Setting): string[] {
  const places = path.map((name) => (name === "<name>" ? "name" : name));
  const expected = expectedAt(places);
  return [
    `\`${path.join(".")}\``,
    cell(expected.length > EXPECTED_MAX ? "see the schema" : expected),
    code(schema["default"]),
    wordsOf(schema),
  ];
}

const EXPECTED_MAX = 300;

export function settingsDocument(): string {
  const { properties } = configSchema();
  const groups = isObject(properties) ? Object.entries(properties) : [];
  const sections = groups.flatMap(([name, schema]) => {
    if (!isObject(schema)) return [];
    const rows = [COLUMNS, COLUMNS.map(() => "---"), ...settingsIn(schema, [name]).map(rowOf)];
    const about = wordsOf(schema);
    const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    return [`## ${name}\n\n${about === "" ? "" : `${about}\n\n`}${table}\n`];
  });
  return `${HEAD}${sections.join("\n")}`;
}
