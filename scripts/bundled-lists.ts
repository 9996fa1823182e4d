/**
 * Writes the lists of bundled plugins that must not load their shapes, from the one in src/bundled.ts: how each is started,
 * which texts the page has, how facts and refusals are worded, what the client may repeat. A test fails when they are out
 * of date.
 */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { BUNDLED } from "../src/bundled.ts";
import type { PluginProtocol } from "../src/protocol/plugin/plugin-protocol.ts";

const ROOT = join(import.meta.dirname, "..");
const isThere = (path: string): boolean => existsSync(join(ROOT, path));

/** File → what it must hold. */
export const bundledFiles = (
  plugins: readonly PluginProtocol[] = BUNDLED,
  exists: (path: string) => boolean = isThere,
): Record<string, string> => ({
  "src/gateway/plugins/start-bundled.ts": startFile(plugins),
  "ui/i18n/plugin-texts.ts": textsFile(plugins.filter(({ folder }) => exists(`src/${folder}/texts/index.ts`))),
  "src/bundled-wording.ts": wordingFile(plugins),
  "src/client/bundled-methods.ts": methodsFile(plugins),
});

const MADE = "Made by scripts/bundled-lists.ts from src/bundled.ts: do not edit, run npm run fix.";

const startFile = (plugins: readonly PluginProtocol[]): string => `/** How each bundled plugin is started. ${MADE} */
${imports(plugins, (folder) => ["startPlugin", `../../${folder}/plugin.ts`.replace("../../gateway/", "../")])}

export const START_BUNDLED = {
${plugins.map(({ id }) => (id === variable(id) ? `  ${id},` : `  "${id}": ${variable(id)},`)).join("\n")}
};
`;

const textsFile = (plugins: readonly PluginProtocol[]): string => `/** The texts of bundled plugins. ${MADE} */
${imports(plugins, (folder) => ["texts", `../../src/${folder}/texts/index.ts`])}

export const PLUGIN_TEXTS = [${plugins.map(({ id }) => variable(id)).join(", ")}];
`;

function wordingFile(plugins: readonly PluginProtocol[]): string {
  const parts = (["facts", "refusals"] as const).map((part) => {
    const own = plugins.filter((plugin) => plugin[part] !== undefined);
    const named = (id: string): string => variable(`${id}-${part}`);
    const lines = own.map(
      ({ id, folder }) => `import { ${part} as ${named(id)} } from "./${folder}/protocol/${part}.ts";`,
    );
    const name = `BUNDLED_${part.toUpperCase()}`;
    return {
      lines,
      list: objectOf(
        name,
        own.map(({ id }) => `...${named(id)}`),
      ),
    };
  });
  return `/** How facts and refusals of bundled plugins are worded. ${MADE} */
${parts.flatMap(({ lines }) => lines).join("\n")}

${parts.map(({ list }) => list).join("\n")}
`;
}

const LINE_CHARS_MAX = 120;

/** In one line where it fits, as the formatter writes it. */
function objectOf(name: string, members: readonly string[]): string {
  const line = `export const ${name} = { ${members.join(", ")} };`;
  if (line.length <= LINE_CHARS_MAX) return line;
  return [`export const ${name} = {`, ...members.map((member) => `  ${member},`), "};"].join("\n");
}

function methodsFile(plugins: readonly PluginProtocol[]): string {
  const keyed = plugins.flatMap(({ methods }) => Object.entries(methods).filter(takesKey));
  const onceOnly = plugins.flatMap((plugin) => plugin.onceOnly ?? []);
  return `/** Which methods of bundled plugins the client may send again. ${MADE} */
export const BUNDLED_KEYED = {
${keyed.map(([name]) => `  ${propertyName(name)}: true,`).join("\n")}
} as const;

export const BUNDLED_ONCE_ONLY = [${onceOnly.map((name) => `"${name}"`).join(", ")}] as const;
`;
}

/** As the formatter writes it. */
const propertyName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : `"${name}"`);

const takesKey = ([, { params }]: [string, { params: z.ZodType }]): boolean =>
  JSON.stringify(z.toJSONSchema(params)).includes("idempotencyKey");

function imports(plugins: readonly PluginProtocol[], from: (folder: string) => [name: string, path: string]): string {
  return plugins
    .map(({ id, folder }) => {
      const [name, path] = from(folder);
      const own = variable(id);
      return `import { ${name === own ? name : `${name} as ${own}`} } from "${path}";`;
    })
    .join("\n");
}

/** `plan-mode` → `planMode`. */
const variable = (id: string): string => id.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

if (import.meta.main) {
  for (const [path, text] of Object.entries(bundledFiles())) {
    writeFileSync(join(ROOT, path), text);
    process.stdout.write(`${path} ${text.length} bytes\n`);
  }
}
