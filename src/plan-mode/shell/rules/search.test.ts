import { describe, expect, it } from "vitest";
import { canonical, verdict } from "../../../../test/kit/shell-verdict.ts";

describe("finding files and text", () => {
  it.each([
    ["grep -rn --include='*.ts' TODO src", "read"],
    ["egrep -o 'a|b' a.txt", "read"],
    ["grep $pattern a.txt", "read"],
    ["find . -name '*.ts' -type f", "read"],
    ["find . -delete", "harmful-option: find -delete"],
    ["gfind . -exec rm {} +", "known-write: rm"],
    ["locate -i passwd", "read"],
    ["locate -n 5 --regex 'a.*b'", "read"],
    ["plocate -l 5 -c passwd", "read"],
    ["locate --limit=5 --basename passwd", "read"],
    ["locate -d ./db x", "unknown-option: locate -d"],
    ["updatedb", "known-write: updatedb"],
  ])("[GA-05] %s: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["fd -e ts test src", "read"],
    ["fd -HI -t f --max-depth 3 . src", "read"],
    ["fdfind --hidden --no-ignore --extension=md", "read"],
    ["fd -1 -l a", "read"],
    ["fd -x touch", "known-write: touch"],
    ["fd -e ts -x wc -l", "read"],
    ["fd -e ts -X cat {}", "read"],
    ["fd -x {}", "dynamic-command: fd -x"],
    ["fd -x cat {} ';' -x touch {}", "dynamic-word: fd -x"],
    ["fd -x sort -o {} {}", "harmful-option: sort -o"],
    ["fd -E -x cat --exec rm", "syntax: fd -E"],
    ["fd -x", "dynamic-word: fd -x"],
    ["fd -x sed -n 1p", "read"],
    ['fd -x "$x"', "dynamic-word: fd -x"],
    ["fd -Hx touch", "harmful-option: fd -x"],
    ["fd -X rm", "known-write: rm"],
    ["fd --exec rm", "known-write: rm"],
    ["fd --exec=rm", "harmful-option: fd --exec"],
    ["fd --exec-batch rm", "known-write: rm"],
    ["fd --exe rm", "unknown-option: fd --exe"],
    ["fd a -- -x touch b", "read"], // behind -- these are names
    ['fd "$x"', "dynamic-word: fd …"],
  ])("[GA-05] fd finds and starts nothing: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["rg -n TODO", "read"],
    ["rg -i -g '*.ts' -t js -A 2 -B2 --no-heading foo src", "read"],
    ["rg --files --hidden --glob='!dist'", "read"],
    ["rg -uuu -l -e a -e b -m5 -j 1", "read"],
    ["rg -0 --count-matches --sort=path --type-add 'web:*.html' -tweb x", "read"],
    ["ripgrep --json x", "read"],
    ["rg --pre ./evil.sh x", "harmful-option: rg --pre"],
    ["rg --pre=./evil.sh x", "harmful-option: rg --pre"],
    ["rg --pre-glob '*' x", "harmful-option: rg --pre-glob"],
    ["rg -z x", "harmful-option: rg -z"], // runs gzip and others
    ["rg -nz x", "harmful-option: rg -z"],
    ["rg --search-zip x", "harmful-option: rg --search-zip"],
    ["rg --hostname-bin=./evil.sh x", "harmful-option: rg --hostname-bin"],
    ["rg x $files", "dynamic-word: rg …"],
  ])("[GA-05] rg searches and starts nothing: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it.each([
    ["ag -l TODO src", "read"],
    ["ag -C 3 -G '\\.ts$' --ignore dist --hidden x", "read"],
    ["ag --nocolor --depth=2 x", "read"],
    ["ag --pager=./evil x", "harmful-option: ag --pager"],
    ["ag -z x", "harmful-option: ag -z"],
    ["ag --search-zip x", "harmful-option: ag --search-zip"],
  ])("[GA-05] ag searches and starts nothing: %s", (line, expected) => expect(verdict(line)).toBe(expected));

  it("[GA-06] leaves settings files and pagers out", () => {
    expect(canonical("rg x")).toBe("rg --no-config x");
    expect(canonical("ag x")).toBe("ag --nopager x");
  });
});
