/** Writes docs/PROTOCOL.md and docs/protocol.schema.json from src/protocol. A test fails when they are out of date. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { protocolDocument } from "./protocol/document.ts";
import { protocolSchema } from "./protocol/schema.ts";

/** File → what it must hold. */
export function protocolFiles(): Record<string, string> {
  const schema = protocolSchema();
  return {
    "docs/PROTOCOL.md": protocolDocument(schema),
    "docs/protocol.schema.json": `${JSON.stringify(schema, null, 2)}\n`,
  };
}

if (import.meta.main) {
  const root = join(import.meta.dirname, "..");
  for (const [path, text] of Object.entries(protocolFiles())) {
    writeFileSync(join(root, path), text);
    process.stdout.write(`${path} ${text.length} bytes\n`);
  }
}
