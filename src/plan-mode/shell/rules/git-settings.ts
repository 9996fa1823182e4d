/** Settings that `git -c` may change for one command: how an answer looks. What names a file or a program is none of them. */
import { list } from "./rule.ts";

const LOOKS: ReadonlySet<string> = new Set(
  list(`core.quotepath core.abbrev column.ui i18n.logoutputencoding log.abbrevcommit log.date log.decorate log.follow
    diff.algorithm diff.colormoved diff.context diff.interhunkcontext diff.mnemonicprefix diff.noprefix diff.renamelimit diff.renames
    diff.statgraphwidth grep.column grep.extendedregexp grep.fullname grep.linenumber grep.patterntype status.aheadbehind
    status.branch status.relativepaths status.short status.showuntrackedfiles`).split(" "),
);
const FAMILY = /^(?:color|advice)\.[a-z.]+$/;
const PLAIN = /^[\w.,:%/ #-]*$/;
const OFF = /^(?:false|no|off|0)$/;
/** What may only be switched off, or be set to what is set anyway. */
const OFF_ONLY = /^(?:core\.fsmonitor|log\.showsignature|pager\.[a-z-]+)$/;
const PAGER = /^(?:core\.pager|pager\.[a-z-]+)$/;

/** Names of settings have no case outside of a middle part, and none of these has one that matters. */
export const isHarmlessSetting = (setting: string): boolean => {
  const [, given = "", value = ""] = /^([A-Za-z][A-Za-z0-9.-]*)=(.*)$/s.exec(setting) ?? [];
  const name = given.toLowerCase();
  if (PAGER.test(name) && value === "cat") return true;
  if (OFF_ONLY.test(name)) return OFF.test(value);
  return (LOOKS.has(name) || FAMILY.test(name)) && PLAIN.test(value);
};
