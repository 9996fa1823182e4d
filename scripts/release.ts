/** `npm run release`: proves that this tree can be published and says what to do next. It publishes nothing itself. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "..");

const output = (command: string, args: string[]): string =>
  execFileSync(command, args, { cwd: ROOT, encoding: "utf8" });

function step(title: string, command: string, args: string[]): void {
  process.stdout.write(`\n== ${title}\n`);
  execFileSync(command, args, { cwd: ROOT, stdio: "inherit" });
}

function versionOf(text: string): string {
  const version = /"version":\s*"([^"]+)"/.exec(text)?.[1];
  if (version === undefined) throw new Error("package.json has no version");
  return version;
}

/** Cheap checks first, so that a forgotten file shows before five minutes of tests. */
function objections(version: string): string[] {
  const dirty = output("git", ["status", "--porcelain"]).trim();
  const tagged = output("git", ["tag", "--list", `v${version}`]).trim();
  const changelog = readFileSync(join(ROOT, "CHANGELOG.md"), "utf8");
  return [
    ...(dirty === "" ? [] : [`the tree is not clean:\n${dirty}`]),
    ...(tagged === "" ? [] : [`v${version} is already tagged; raise the version in package.json`]),
    ...(changelog.includes(`## [${version}]`) ? [] : [`CHANGELOG.md has no section for ${version}`]),
  ];
}

function main(): number {
  const version = versionOf(readFileSync(join(ROOT, "package.json"), "utf8"));
  const reasons = objections(version);
  if (reasons.length > 0) {
    for (const reason of reasons) process.stderr.write(`release: ${reason}\n`);
    return 1;
  }
  step("check", "npm", ["run", "check"]);
  step("test", "npm", ["test"]);
  step("build", "npm", ["run", "build"]);
  step("what the package holds", "npm", ["pack", "--dry-run", "--loglevel", "notice"]);
  process.stdout.write(
    `\nv${version} is ready. Next, by hand:\n  git tag -s v${version} -m v${version}\n  git push --follow-tags\n  npm publish --provenance\n`,
  );
  return 0;
}

process.exitCode = main();
