/** A kept tree of bash that does one line after the other and says what came of each; its folders are gone with `clearKeptTrees`. */
import { mkdirSync, mkdtempSync, realpathSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { startKeeper } from "../../src/runner/keeper/keeper.ts";
import type { Place } from "../../src/runner/view.ts";

const made: string[] = [];

export function clearKeptTrees(): void {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
}

export type KeptOptions = {
  writersMs?: number;
  env?: (folder: string) => NodeJS.ProcessEnv;
  prepare?(workspace: string, folder: string): void;
  places?(folder: string): readonly Place[];
};

export function keptTree(options: KeptOptions = {}) {
  const folder = realpathSync.native(mkdtempSync(join(tmpdir(), "hp-keeper-")));
  made.push(folder);
  const workspace = join(folder, "workspace");
  const secret = join(folder, "secret");
  for (const path of [workspace, secret]) mkdirSync(path);
  options.prepare?.(workspace, folder);
  const notices: string[] = [];
  const keeper = startKeeper({
    workspace,
    places: [{ path: "/tmp", as: "scratch" }, { path: secret, as: "hidden" }, ...(options.places?.(folder) ?? [])],
    cwd: workspace,
    argv: [
      "bash",
      "--norc",
      "-c",
      'while read -r line; do eval "$line" 2>&1 && echo "= yes" || echo "= no"; done; exit 7',
    ],
    env: { PATH: process.env["PATH"], ...options.env?.(folder) },
    stdio: ["pipe", "pipe", "ignore"],
    notice: (text) => void notices.push(text),
    ...(options.writersMs === undefined ? {} : { writersMs: options.writersMs }),
  });
  if (keeper === undefined) throw new Error("no keeper");
  const { does, set } = spokenTo(keeper);
  const traces = (): string[] => readdirSync(folder).filter((name) => name.startsWith("ld."));
  return { keeper, does, set, folder, workspace, secret, notices, traces };
}

/** A kept bash that reads lines and answers each with `= yes` or `= no`. */
export function spokenTo(keeper: NonNullable<ReturnType<typeof startKeeper>>) {
  let said = "";
  keeper.stdin?.on("error", () => undefined); // it may have ended
  keeper.stdout?.on("data", (piece: Buffer) => (said += piece.toString("utf8")));
  async function does(line: string): Promise<string> {
    const from = said.length;
    keeper.stdin?.write(`${line}\n`);
    await expect.poll(() => /^= (?:yes|no)$/m.exec(said.slice(from))?.[0]).toBeDefined();
    return said.slice(from).trim();
  }
  async function set(released: boolean): Promise<boolean> {
    keeper.set(released);
    return await keeper.settled();
  }
  return { does, set, said: () => said };
}
