/** A throw-away house with the real configuration files and planted sources, so that a tool is seen to fail. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { PATIENT_MS } from "../kit/patience.ts";

const ROOT = resolve(import.meta.dirname, "../..");

type Ran = { code: number | null; stdout: string; stderr: string };

export type House = Disposable & { run(tool: string, args: string[]): Ran };

export function plantedHouse(configs: string[], sources: Record<string, string>): House {
  const root = mkdtempSync(join(tmpdir(), "holdpoint-house-"));
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));
  for (const config of configs) copyFileSync(join(ROOT, config), join(root, config));
  for (const [path, text] of Object.entries(sources)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return {
    run(tool, args) {
      const path = `${join(ROOT, "node_modules/.bin")}:${process.env["PATH"]}`;
      const options = {
        cwd: root,
        encoding: "utf8",
        timeout: PATIENT_MS,
        env: { ...process.env, PATH: path },
      } as const;
      const { status, stdout, stderr } = spawnSync(tool, args, options);
      return { code: status, stdout, stderr };
    },
    [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }),
  };
}
