/**
 * `npm run test:long [-- section… --minutes 10 --seed N]`: the tests that repeat themselves, with a fresh seed and for as
 * long as they are given. Prints the seed, so that what failed can be had again. Two sections take as long as they take:
 * `planted` plants faults in a copy of the source and expects tests to fail, `model` has Spin check the lifecycle.
 * `simulate --replay SEED` shows one run of the simulation.
 */
import { spawnSync } from "node:child_process";
import { randomInt } from "node:crypto";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkModel } from "./check-model.ts";
import { plantFaults } from "./plant-faults.ts";

const ROOT = join(import.meta.dirname, "..");
const MINUTES = 10;
const SEEDS = 2 ** 31;
const MS_PER_MINUTE = 60_000;
const USAGE = 64;

/**
 * `tests`: how many in these files repeat themselves; each gets the same share of the time. None: the files run once.
 * `isApart`: only where it is named, because it fetches hundreds of megabytes.
 */
type Section = { files: readonly string[]; tests: number; isApart?: true };

export const SECTIONS: Readonly<Record<string, Section>> = {
  /** The programs of others, installed from the registry; where they are not to be had they are skipped, with the reason. */
  agents: { files: ["test/agents/real-agents.long.test.ts"], tests: 0, isApart: true },
  chaos: {
    files: ["test/chaos/kill.test.ts", "test/chaos/deciders.long.test.ts", "test/chaos/flipped-byte.test.ts"],
    tests: 5,
  },
  faults: { files: ["test/chaos/server-faults.test.ts", "test/chaos/group-faults.test.ts"], tests: 2 },
  cells: { files: ["test/chaos/cells.test.ts", "test/chaos/thousand-cells.long.test.ts"], tests: 2 },
  fuzz: { files: ["test/corpora/shell-fuzz.test.ts", "test/corpora/shell-expansion.test.ts"], tests: 2 },
  languages: { files: ["test/browser/languages.long.test.ts"], tests: 1 },
  properties: {
    files: [
      "test/chaos/model.test.ts",
      "src/compose/scheduling.test.ts",
      "src/inbound/channel-inbound.test.ts",
      "src/plan-mode/machine/model.test.ts",
      "src/plan-mode/machine/note/notes.test.ts",
    ],
    tests: 6,
  },
  /** Servers of Debian's packages, fetched where that can be done; else they are skipped, with the reason. */
  servers: {
    files: [
      "src/channels/email/email.long.test.ts",
      "src/channels/irc/irc.long.test.ts",
      "src/channels/xmpp/xmpp.long.test.ts",
    ],
    tests: 0,
  },
  simulate: { files: ["test/simulation/simulation.test.ts"], tests: 7 },
  /** Once each: they take long and seldom find what shorter ones do not. */
  seldom: {
    files: [
      "examples/guide.long.test.ts",
      "src/code-mode/sandbox/promises-aplus.long.test.ts",
      "src/tools/builtin/files/odd-workspaces.long.test.ts",
      "test/journeys/moved-store.long.test.ts",
      "test/browser/attachments.long.test.ts",
      "test/browser/before-signing.long.test.ts",
      "test/browser/blocks-in-steps.long.test.ts",
      "test/browser/card-fields.long.test.ts",
      "test/browser/composer.long.test.ts",
      "test/browser/conversation.long.test.ts",
      "test/browser/crowded-phone.long.test.ts",
      "test/browser/decided-elsewhere.long.test.ts",
      "test/browser/hostile-text.long.test.ts",
      "test/browser/inbox.long.test.ts",
      "test/browser/kept-edit.long.test.ts",
      "test/browser/killed-gateway.long.test.ts",
      "test/browser/log-in.long.test.ts",
      "test/browser/log-out.long.test.ts",
      "test/browser/long-history.long.test.ts",
      "test/browser/passkeys.long.test.ts",
      "test/browser/phone-review.long.test.ts",
      "test/browser/plan-in-thread.long.test.ts",
      "test/browser/realistic-widths.long.test.ts",
      "test/browser/run.long.test.ts",
      "test/browser/said.long.test.ts",
      "test/browser/settings.long.test.ts",
      "test/browser/text-direction.long.test.ts",
      "test/browser/two-people-races.long.test.ts",
      "test/browser/shell.long.test.ts",
      "test/browser/slots.long.test.ts",
      "test/browser/tool-rows.long.test.ts",
      "test/browser/two-people.long.test.ts",
      "test/browser/views.long.test.ts",
      "test/browser/written-plan.long.test.ts",
      "test/chaos/disk.long.test.ts",
      "test/chaos/killed-snapshot.long.test.ts",
      "test/journeys/killed-channel.long.test.ts",
      "test/journeys/killed-holder.long.test.ts",
    ],
    tests: 0,
  },
  "io-errors": { files: ["test/chaos/io-errors.long.test.ts"], tests: 1 },
  soak: { files: ["test/chaos/soak.long.test.ts"], tests: 1 },
  "power-loss": { files: ["test/chaos/power-loss.test.ts"], tests: 1 },
};

const CHECKS: Readonly<Record<string, (only: string | undefined) => number>> = {
  planted: (only) => plantFaults(only),
  model: () => checkModel(),
};

function main(): number {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      minutes: { type: "string", default: String(MINUTES) },
      seed: { type: "string" },
      replay: { type: "string" },
      only: { type: "string" },
    },
  });
  const all = [...Object.keys(SECTIONS), ...Object.keys(CHECKS)];
  const usual = all.filter((name) => SECTIONS[name]?.isApart !== true);
  const names = positionals.length > 0 ? positionals : usual;
  const chosen = names.flatMap((name) => SECTIONS[name] ?? []);
  const checks = names.flatMap((name) => CHECKS[name] ?? []);
  const minutes = Number(values.minutes);
  const seed = Number(values.replay ?? values.seed ?? randomInt(SEEDS));
  if (chosen.length + checks.length < names.length || !(minutes > 0) || !Number.isSafeInteger(seed)) {
    process.stderr.write(`test:long: [${all.join("|")}]… [--minutes ${MINUTES}] [--seed 7] [--replay SEED]\n`);
    return USAGE;
  }
  if (values.replay !== undefined) return replay(seed);
  const again = `npm run test:long -- ${names.join(" ")} --minutes ${minutes} --seed ${seed}`;
  process.stdout.write(`test:long: seed ${seed}; the same again: ${again}\n`);
  const status = Math.max(
    chosen.length === 0 ? 0 : run(chosen, { minutes, seed }),
    ...checks.map((check) => check(values.only)),
  );
  process.stdout.write(`test:long: ${status === 0 ? "passed" : "failed"}, seed ${seed}\n`);
  return status;
}

function run(sections: readonly Section[], { minutes, seed }: { minutes: number; seed: number }): number {
  const tests = sections.reduce((sum, section) => sum + section.tests, 0);
  const shareMs = Math.floor((minutes * MS_PER_MINUTE) / Math.max(1, tests)); // as if one after the other: two workers only end earlier
  return runVitest(sections, { HOLDPOINT_LONG_MS: String(shareMs), HOLDPOINT_SEED: String(seed) });
}

/** One run of the simulation, with what happened in it. */
const replay = (seed: number): number =>
  runVitest([{ files: ["test/simulation/simulation.test.ts"], tests: 1 }], { HOLDPOINT_REPLAY: String(seed) });

function runVitest(sections: readonly Section[], env: Readonly<Record<string, string>>): number {
  const vitest = join(ROOT, "node_modules", "vitest", "vitest.mjs");
  const { status } = spawnSync(process.execPath, [vitest, "run", ...sections.flatMap(({ files }) => files)], {
    cwd: ROOT,
    stdio: "inherit",
    env: { ...process.env, ...env },
  });
  return status ?? 1;
}

if (import.meta.main) process.exitCode = main();
