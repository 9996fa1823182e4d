/**
 * `npm run test:attack [-- --seconds 60 --flavour bubblewrap --seed N]`: a hostile agent against a live gateway, before
 * and after a person approved its plans, with each sandbox that works here and with none; the time is shared among them.
 * Ends with what was tried and "nothing changed, nothing read", or fails with what gave way. `--hole` switches the
 * sandbox off first, to see that the suite can fail.
 */
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { probedSandbox } from "../src/runner/sandbox.ts";
import { besiege, type Flavour, FLAVOURS, type SiegeReport } from "../test/attack/besiege.ts";

const SECONDS = 60;
const SEEDS = 2 ** 31;
const USAGE = 64;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

async function works(flavour: Flavour): Promise<boolean> {
  if (flavour === "none") return true;
  return (await probedSandbox({ builders: [flavour] }).kind()) === flavour;
}

function tell(flavour: Flavour, { tried, exchanges, approved, broke }: SiegeReport): void {
  const attempts = Object.values(tried).reduce((sum, count) => sum + count, 0);
  say(
    `${flavour}: ${attempts} attempts of ${Object.keys(tried).length} kinds, ${approved} plans approved, ${exchanges} links exchanged`,
  );
  for (const [name, count] of Object.entries(tried).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    say(`  ${String(count).padStart(5)}  ${name}`);
  for (const what of broke) say(`  BROKE  ${what}`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seconds: { type: "string", default: String(SECONDS) },
      flavour: { type: "string", multiple: true },
      seed: { type: "string" },
      hole: { type: "boolean", default: false },
    },
  });
  const asked = values.flavour ?? FLAVOURS;
  const chosen = FLAVOURS.filter((flavour) => asked.includes(flavour));
  const seconds = Number(values.seconds);
  const seed = Number(values.seed ?? randomInt(SEEDS));
  if (chosen.length < asked.length || !(seconds > 0) || !Number.isSafeInteger(seed)) {
    process.stderr.write(
      `test:attack: [--seconds ${SECONDS}] [--flavour ${FLAVOURS.join("|")}]… [--seed 7] [--hole]\n`,
    );
    return USAGE;
  }
  say(`test:attack: seed ${seed}`);
  let broke = 0;
  for (const flavour of chosen) {
    if (!(await works(flavour))) {
      say(`${flavour}: skipped, it does not work here`);
      continue;
    }
    const report = await besiege({ flavour, seconds: seconds / chosen.length, seed, hole: values.hole });
    tell(flavour, report);
    broke += report.broke.length;
  }
  say(
    broke === 0 ? "test:attack: nothing changed, nothing read" : `test:attack: ${broke} things gave way, seed ${seed}`,
  );
  return broke === 0 ? 0 : 1;
}

if (import.meta.main) process.exitCode = await main();
