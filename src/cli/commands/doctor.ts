/** `holdpoint doctor`: one line for each thing that must be right, and what to do where it is not. */
import { CHECKS, type Finding } from "../doctor/checks.ts";
import type { CommandContext } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import type { Look } from "../text/paint.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { hang } from "../text/wrap.ts";

const LEVEL_CHARS = 5;
/** The longest name of a check, and a space. */
const LABEL_CHARS = 11;

export async function doctor({ output, env }: CommandContext): Promise<number> {
  const findings: Finding[] = [];
  for (const check of CHECKS) {
    const finding = await check(env);
    findings.push(finding);
    output.lines(lines(finding, output.look()));
  }
  output.document({ ok: findings.every(({ level }) => level !== "fail"), findings });
  const failed = findings.find(({ level }) => level === "fail");
  return failed === undefined ? EXIT_CODES.ok.code : EXIT_CODES[failed.exit ?? "failed"].code;
}

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
