/** The shell gate as the host sees it: a proof that a command only reads, and how exactly it must then be run (GA-05, GA-06). */
import type { BareWords, CommandJudge, CommandProcess, ReadOnlyCommand } from "../../plugins/sdk.ts";
import { emitList } from "../shell/emit.ts";
import {
  GIT_FILTER_QUERY,
  hardenedEnvironment,
  neutraliseFilters,
  type Setting,
  shellArguments,
} from "../shell/environment.ts";
import { parseShell } from "../shell/parse.ts";
import { judgeShell, type Place, type ShellVerdict } from "../shell/shell-gate.ts";
import { writtenOut } from "../shell/written-out.ts";

export const shellCommandJudge: CommandJudge = (command, place) => {
  const verdict = judgeShell(command, place);
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

function readOnly({ canonical, git }: Proven, place: Place): ReadOnlyCommand {
  return {
    reads: true,
    canonical,
    /** Filters of a repository run on `git status` and `git diff`: they are looked up first and switched off. */
    get questions() {
      const env = hardenedEnvironment(place.home);
      return (git?.folders ?? []).map((cwd): CommandProcess => ({ argv: GIT_FILTER_QUERY, cwd, env }));
    },
    toProcess(answers, bare) {
      if (git?.elsewhere === true && bare !== undefined) return { refused: ELSEWHERE };
      const filters = filtersIn(answers);
      if ("refused" in filters) return filters;
      const plain = bare === undefined ? { canonical } : canonicalOf(canonical, { place, bare });
      if ("refused" in plain) return plain;
      const env = hardenedEnvironment(place.home, filters.settings);
      return { argv: shellArguments(plain.canonical), cwd: place.cwd, env, canonical: plain.canonical };
    },
  };
}

/** The canonical text parses to the tree that it was printed from. */
function canonicalOf(canonical: string, { place, bare }: { place: Place; bare: BareWords }) {
  const written = writtenOut(parseShell(canonical, place.home), bare);
  return "refused" in written ? written : { canonical: emitList(written.list) };
}

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
