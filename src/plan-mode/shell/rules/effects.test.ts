import { describe, expect, it } from "vitest";
import { verdict } from "../../../../test/kit/shell-verdict.ts";

describe("a command that is no read", () => {
  it.each([
    ["rm -rf build", "known-write: rm"],
    ["mv a b", "known-write: mv"],
    ["/bin/cp a b", "known-write: /bin/cp"],
    ["mkdir -p x", "known-write: mkdir"],
    ["touch a", "known-write: touch"],
    ["chmod +x a", "known-write: chmod"],
    ["dd of=a", "known-write: dd"],
    ["patch -p1", "known-write: patch"],
    ["kill 1", "known-write: kill"],
    ["apt-get install x", "known-write: apt-get"],
    ["npm install", "known-write: npm install"],
    ["pip install x", "known-write: pip install"],
    ["systemctl restart x", "known-write: systemctl restart"],
    ["prettier --write .", "runs-programs: prettier "],
    ["git commit -m x", "known-write: git commit"],
    ["git push", "known-write: git push"],
    ["git stash pop", "known-write: git stash pop"],
    ["git worktree add x", "known-write: git worktree add"],
    ["sh x.sh", "runs-programs: sh"],
    ["sudo ls", "runs-programs: sudo"],
    ["busybox ls", "runs-programs: busybox"],
    ["npx tsc", "runs-programs: npx tsc"],
    ["go run .", "runs-programs: go run"],
    ["terraform plan", "runs-programs: terraform plan"],
    ["openssl req", "runs-programs: openssl req"],
    ["ping example.com", "network: ping"],
    ["scp a b:c", "network: scp"],
    ["dig example.com", "network: dig"],
    ["eval ls", "shell-state: eval"],
    ["exec ls", "shell-state: exec"],
    ["unset a", "shell-state: unset"],
  ])("[GA-10] is known to have an effect: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each(["frobnicate a", "./script.sh", "git frobnicate", "gitx push", "x-git push"])(
    "[GA-10] or nothing is known about it: %s",
    (line) => expect(verdict(line)).toMatch(/^unknown-command: /),
  );
});
