/** All tables, by command name. A name that stands twice is a mistake in the tables. */
import { ARCHIVES } from "./archives.ts";
import { BUILTINS } from "./builtins.ts";
import { CODE_TOOLS } from "./code-tools.ts";
import { CORE_UTILITIES } from "./core-utilities.ts";
import { DEV_TOOLS } from "./dev-tools.ts";
import { GIT } from "./git.ts";
import { PROJECT_TOOLS } from "./project-tools.ts";
import type { Rule } from "./rule.ts";
import { SEARCH } from "./search.ts";
import { SYSTEM } from "./system.ts";
import { TEXT } from "./text.ts";
import { WRAPPERS } from "./wrappers.ts";

const byName = (rules: readonly Rule[]): ReadonlyMap<string, Rule> => {
  const index = new Map<string, Rule>();
  for (const rule of rules) {
    for (const name of rule.names.trim().split(/\s+/)) {
      if (index.has(name)) throw new Error(`two rules for ${name}`);
      index.set(name, rule);
    }
  }
  return index;
};

const RULES = byName([
  ...CORE_UTILITIES,
  ...TEXT,
  ...SEARCH,
  ...GIT,
  ...ARCHIVES,
  ...BUILTINS,
  ...WRAPPERS,
  ...SYSTEM,
  ...DEV_TOOLS,
  ...CODE_TOOLS,
  ...PROJECT_TOOLS,
]);

export const allRules = (): readonly Rule[] => [...new Set(RULES.values())];

export const ruleFor = (name: string): Rule | undefined => RULES.get(name);

const subcommands = new WeakMap<Rule, ReadonlyMap<string, Rule>>();

export const subcommandOf = (rule: Rule, name: string): Rule | undefined => {
  const known = subcommands.get(rule) ?? byName(rule.subcommands ?? []);
  subcommands.set(rule, known);
  return known.get(name);
};

export { effectOf } from "./effects.ts";
