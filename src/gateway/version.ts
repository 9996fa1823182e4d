/** The version of this package. */
import { readFileSync } from "node:fs";

/** From the package itself. Read by hand: every command needs it, also those that load nothing else. */
export const VERSION = versionIn(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

function versionIn(text: string): string {
  const manifest: unknown = JSON.parse(text);
  const found =
    typeof manifest === "object" && manifest !== null && "version" in manifest ? manifest.version : undefined;
  if (typeof found !== "string") throw new Error("package.json names no version");
  return found;
}
