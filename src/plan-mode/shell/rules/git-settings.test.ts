import { describe, expect, it } from "vitest";
import { canonical, verdict } from "../../../../test/kit/shell-verdict.ts";

describe("git -c", () => {
  it.each([
    "core.quotepath=false ls-files",
    "core.quotePath=off diff --name-only",
    "color.ui=always log -1",
    "color.diff.new='bold green' diff",
    "advice.detachedHead=false status",
    "log.date=format:%Y-%m-%d log -3",
    "diff.renameLimit=999 -c diff.renames=copies diff --stat",
    "core.pager=cat log -5",
    "pager.log=false log -3",
    "core.fsmonitor=false status",
    "log.showSignature=false log -1",
  ])("[GA-05] changes how an answer looks: %s", (rest) => {
    expect(verdict(`git -c ${rest}`)).toBe("read");
  });

  it.each([
    "core.pager=x log",
    "core.pager='cat; touch x' log",
    "CORE.PAGER=less log",
    "pager.log='touch x' log",
    "pager.log=true log",
    "core.fsmonitor=./x status",
    "core.fsmonitor=true status",
    "log.showSignature=true log",
    "log.showSignature log",
    "core.pager log",
    "alias.x='!touch x' x",
    "diff.external=./x diff",
    "diff.x.textconv=./x diff",
    "diff.autoRefreshIndex=true diff",
    "diff.submodule=diff diff",
    "diff.orderFile=x diff",
    "core.hooksPath=. status",
    "core.sshCommand=x log",
    "core.attributesFile=x diff",
    "core.worktree=/ status",
    "include.path=x log",
    "format.pretty='%G?' log",
    "pretty.x='%G?' log",
    "safe.directory='*' log",
    "filter.x.clean=x status",
    "submodule.recurse=true status",
    "color.ui='a;b' log",
    "colors.ui=x log",
    "advice.x=y -c core.pager=x log",
  ])("[GA-05] names no program, no file and no other way to read: %s", (rest) => {
    expect(verdict(`git -c ${rest}`)).toBe("harmful-option: git -c");
  });

  it.each(['color.ui="$x" log', '"$x" log', "$x log"])("[GA-05] is written out: %s", (rest) => {
    expect(verdict(`git -c ${rest}`)).not.toBe("read");
  });

  it("[GA-05] stands in what runs as it was written", () => {
    expect(canonical("git -c color.ui=never log -1")).toBe("git -c color.ui=never log --no-ext-diff --no-textconv -1");
  });
});
