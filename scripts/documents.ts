/**
 * Writes docs/CHANNELS.md, COMMANDS.md, PROMPTS.md, SETTINGS.md from the code, and AGENT-DOORS.md from what was seen; with `--check` it fails where one of them is out of date, as
 * `npm run check` does.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentDoorsDocument } from "./documents/agent-doors-document.ts";
import { channelsDocument } from "./documents/channels-document.ts";
import { commandsDocument } from "./documents/commands-document.ts";
import { promptsDocument } from "./documents/prompts-document.ts";
import { settingsDocument } from "./documents/settings-document.ts";

/** File → what it must hold. */
export const documentFiles = async (): Promise<Record<string, string>> => ({
  "docs/AGENT-DOORS.md": agentDoorsDocument(),
  "docs/CHANNELS.md": await channelsDocument(),
  "docs/COMMANDS.md": commandsDocument(),
  "docs/PROMPTS.md": promptsDocument(),
  "docs/SETTINGS.md": settingsDocument(),
});

const held = (path: string): string | undefined => {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // a document that is not there is out of date
  }
};

/** Those below the folder that do not hold what the code says. */
export const outdated = (root: string, files: Record<string, string>): string[] =>
  Object.entries(files).flatMap(([path, text]) => (held(join(root, path)) === text ? [] : [path]));

if (import.meta.main) {
  const files = await documentFiles();
  if (process.argv.includes("--check")) {
    const wrong = outdated(process.cwd(), files);
    for (const path of wrong) process.stdout.write(`${path} is out of date: npm run fix\n`);
    process.exitCode = wrong.length === 0 ? 0 : 1;
  } else {
    for (const [path, text] of Object.entries(files)) {
      writeFileSync(join(import.meta.dirname, "..", path), text);
      process.stdout.write(`${path} ${text.length} bytes\n`);
    }
  }
}
