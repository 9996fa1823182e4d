/** The shell gate as the host sees it: a proof that a command only reads, and how exactly it must then be run (GA-05, GA-06). */
import type { CommandJudge, CommandProcess, ReadOnlyCommand } from "../../plugins/sdk.ts";
import {
  GIT_FILTER_QUERY,
  hardenedEnvironment,
  neutraliseFilters,
  type Setting,
  shellArguments,
  SPLIT_INDEX_QUERY,
} from "../shell/environment.ts";
import type { Place, ShellVerdict } from "../shell/shell-gate.ts";
import { shellGate } from "./loaded-shell-gate.ts";

export const shellCommandJudge: CommandJudge = (command, place) => {
  const verdict = shellGate().judgeShell(command, place);
  return verdict.allowed ? readOnly(verdict, place) : { reads: false, ...unproven(verdict) };
};

type Proven = Extract<ShellVerdict, { allowed: true }>;
type Unproven = Extract<ShellVerdict, { allowed: false }>;

const unproven = ({ code, verdict, matched, hint, canonical }: Unproven) => ({
  code,
  verdict,
  matched,
  hint,
  canonical,
});

function readOnly({ canonical, git, needsSandbox }: Proven, place: Place): ReadOnlyCommand {
  return {
    reads: true,
    canonical,
    /** Filters of a repository run on `git status` and `git diff`: they are looked up first and switched off. */
    get questions() {
      const env = hardenedEnvironment(place.home);
      return (git?.folders ?? []).map((cwd): CommandProcess => ({ argv: GIT_FILTER_QUERY, cwd, env }));
    },
    get questionsWithoutSandbox() {
      const env = hardenedEnvironment(place.home);
      return (git?.folders ?? []).map((cwd): CommandProcess => ({ argv: SPLIT_INDEX_QUERY, cwd, env }));
    },
    toProcess(answers, bare) {
      if (needsSandbox && bare !== undefined) return { refused: ONLY_SANDBOXED };
      if (git?.elsewhere === true && bare !== undefined) return { refused: ELSEWHERE };
      const folders = git?.folders.length ?? 0;
      if (answers.slice(folders).some((answer) => answer !== "")) return { refused: SPLIT_INDEX };
      const filters = filtersIn(answers); // behind those of the folders all are empty
      if ("refused" in filters) return filters;
      const plain =
        bare === undefined ? { canonical } : shellGate().writtenOutText(canonical, { home: place.home, bare });
      if ("refused" in plain) return plain;
      const env = hardenedEnvironment(place.home, filters.settings);
      return { argv: shellArguments(plain.canonical), cwd: place.cwd, env, canonical: plain.canonical };
    },
  };
}

const ONLY_SANDBOXED =
  "the command opens or loads what is only known when it runs, and there is no sandbox here. Put the step into the plan.";

const SPLIT_INDEX =
  "the index of the git repository is split, and reading it touches a file where there is no sandbox. Put the step into the plan.";

const ELSEWHERE =
  "git would run in a folder that is only known when the command runs, and there is no sandbox here. Write the folder out.";

function filtersIn(answers: readonly string[]): { settings: Setting[] } | { refused: string } {
  const settings: Setting[] = [];
  for (const answer of answers) {
    const found = neutraliseFilters(answer);
    if ("refused" in found) return { refused: `The repository's filters cannot be switched off: ${found.refused}.` };
    settings.push(...found.settings);
  }
  return { settings };
}
