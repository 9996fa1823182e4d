/** The tree as plain data: paths and texts, so that every check is a pure function that a test can plant into. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

export type SourceFile = { path: string; text: string };

export type Findings = { problems: string[]; hints: string[] };

const FILE_BYTES_MAX = 2_000_000; // larger files are data or pictures; their names still count, their text does not
const LISTING_BYTES_MAX = 16_000_000;

/** Everything that is or could be committed: git knows, so ignored output never takes part. */
export function readTree(root: string): SourceFile[] {
  const args = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const listing = execFileSync("git", args, { cwd: root, encoding: "utf8", maxBuffer: LISTING_BYTES_MAX });
  return listing
    .split("\0")
    .filter((path) => path !== "" && isFile(join(root, path)))
    .map((path) => ({ path, text: textOf(join(root, path)) }));
}

const isFile = (path: string): boolean => existsSync(path) && statSync(path).isFile();

function textOf(path: string): string {
  if (statSync(path).size > FILE_BYTES_MAX) return "";
  const text = readFileSync(path, "utf8");
  return text.includes("\0") ? "" : text;
}

export const isTest = ({ path }: SourceFile): boolean => /\.test\.tsx?$/.test(path);
export const isContract = ({ path }: SourceFile): boolean => /(?:^|[/.-])contract(?:\/.+)?\.ts$/.test(path);
export const isCode = ({ path }: SourceFile): boolean => /\.tsx?$/.test(path) && !path.endsWith(".d.ts");
export const isShipped = (file: SourceFile): boolean =>
  /^(?:src|ui)\//.test(file.path) && isCode(file) && !isTest(file) && !isContract(file);
