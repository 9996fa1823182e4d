/** The pins of trusted servers' tools in a file of the gateway's folder. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { z } from "zod";
import type { PinStore, PinTable } from "../../tools/mcp/tool-pins.ts";

const Pins = z.record(z.string(), z.record(z.string(), z.string()));

export function filePins(file: string): PinStore {
  return {
    load(): PinTable {
      const text = readText(file);
      return text === undefined ? {} : Pins.parse(JSON.parse(text)); // a damaged file covers nothing, and its server's tools stay away
    },
    save(table) {
      writeFileSync(`${file}.new`, `${JSON.stringify(table, null, 2)}\n`, { mode: 0o600 });
      renameSync(`${file}.new`, file);
    },
  };
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
