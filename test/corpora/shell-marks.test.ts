import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { changes, createFixture, missingPrograms, runAllowed, setUp, snapshot } from "./shell-fixture.ts";

/** Words that would do something as options, given to real programs behind the mark that ends their options. */

const HOSTILE = `--output=pwned
-opwned
--help
-p --ext-diff
--textconv
--no-index
--show-signature
-w
--apply
-i
--
HEAD`;

const LINES = [
  ..."show whatchanged diff diff-tree diff-index rev-list merge-base ls-tree ls-files check-ignore hash-object blame"
    .split(" ")
    .map((verb) => `git ${verb} $w`),
  'git log -p "$w"',
  'git show --stat "$w" -- a.txt',
  'git diff "$w" HEAD',
  'git cat-file -p "$w"',
  'git apply --stat "$w"',
  'sed -n 1p "$w"',
  'diff "$w" a.txt',
  'cd "$w" && ls',
].map((line) => `while read -r w; do ${line}; done < words`);

const missing = missingPrograms();
if (missing !== undefined) process.stdout.write(`shell marks: skipped, ${missing}\n`);

describe.skipIf(missing !== undefined)("behind the mark", () => {
  it("[GA-05] a word is no option to the programs themselves", () => {
    const fixture = createFixture();
    // Were one of them an option after all, it would find something to run.
    setUp(
      fixture,
      "git config diff.external /w/evil.sh && git config diff.evil.textconv /w/evil.sh && git config core.pager /w/evil.sh && git config man.viewer evil && git config man.evil.cmd /w/evil.sh && git config help.format man && echo '*.txt diff=evil' > .gitattributes",
    );
    writeFileSync(join(fixture.folder, "words"), `${HOSTILE}\n`);
    const before = snapshot(fixture.folder);
    const ran = [...LINES, "xargs -a words git show", "xargs -a words -n1 git log", "xargs -a words sed -n 1p"].map(
      (line) => {
        const outcome = runAllowed(fixture, line);
        return { line, ran: outcome.ran || outcome.why, changed: changes(before, snapshot(fixture.folder)) };
      },
    );
    fixture.remove();
    const elsewhere = ran.filter(({ ran: did }) => did === "filters").map(({ line }) => line);
    // Where git would run is only known in the end, so nothing is run here.
    expect(elsewhere.every((line) => line.startsWith("xargs"))).toBe(true);
    expect(ran.filter(({ ran: did }) => did !== true && did !== "filters")).toEqual([]);
    expect(ran.filter(({ changed }) => changed.length > 0)).toEqual([]);
  });
});
