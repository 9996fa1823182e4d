/** `holdpoint doctor [--fix]`: one line for each thing that must be right, and what to do where it is not. */
import { type Check, CHECKS, type Finding } from "../doctor/checks.ts";
import type { CommandContext } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import type { Look } from "../text/paint.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";

const LEVEL_CHARS = 5;
/** The longest name of a check, and a space. */
const LABEL_CHARS = 11;

export type DoctorFix = { fix?: true };

export async function doctor({ fix }: DoctorFix, { output, env }: CommandContext): Promise<number> {
  const findings: Finding[] = [];
  const fixed: Omit<Finding, "fix">[] = [];
  for (const check of CHECKS) {
    const before = await check(env);
    const finding = fix === true && before.fix !== undefined ? await corrected(before, check, env) : before;
    if (finding !== before) fixed.push(withoutFix(before));
    findings.push(finding);
    if (finding !== before) output.lines([`Corrected: ${sanitiseLine(before.detail)}`]);
    output.lines(lines(finding, output.look()));
  }
  const isOk = findings.every(({ level }) => level !== "fail");
  output.document({ ok: isOk, findings: findings.map(withoutFix), ...(fix === true ? { fixed } : {}) });
  const failed = findings.find(({ level }) => level === "fail");
  return failed === undefined ? EXIT_CODES.ok.code : EXIT_CODES[failed.exit ?? "failed"].code;
}

const FIXES_MAX = 4;

/** One finding may hide the next of the same check; what cannot be corrected stays as it was found. */
async function corrected(first: Finding, check: Check, env: CommandContext["env"]): Promise<Finding> {
  let finding = first;
  for (let round = 0; round < FIXES_MAX && finding.fix !== undefined; round += 1) {
    const isDone = await finding.fix().then(
      () => true,
      () => false,
    );
    if (!isDone) return finding;
    finding = await check(env);
  }
  return finding;
}

const withoutFix = ({ fix: _fix, ...finding }: Finding): Omit<Finding, "fix"> => finding;

function lines({ name, level, detail, advice }: Finding, { columns, paint }: Look): string[] {
  const stroke = { ok: paint.good, warn: paint.waiting, fail: paint.bad }[level];
  const [first = "", ...rest] = hang(
    `${level.padEnd(LEVEL_CHARS)}${name.padEnd(LABEL_CHARS)}`,
    sanitiseLine(detail),
    columns,
  );
  const todo = advice === "" ? [] : hang(" ".repeat(LEVEL_CHARS + LABEL_CHARS), `→ ${advice}`, columns);
  return [stroke(first.slice(0, LEVEL_CHARS)) + first.slice(LEVEL_CHARS), ...rest, ...todo];
}
