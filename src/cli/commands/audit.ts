/** `holdpoint audit`: lists the rows of the audit log, and verifies its chain of hashes. */
import { readFile } from "node:fs/promises";
import { type SignedVerdict, verifySignedRows } from "../../gateway/presence/verify-signed-rows.ts";
import { verifyChain as verifyRowsOf } from "../../store/audit/audit-verify.ts";
import { CliError } from "../cli-error.ts";
import { onlineOrOffline, verifyChain } from "../offline-store.ts";
import { sessionIdOf } from "../chat/choose-session.ts";
import type { CommandContext } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { withGateway } from "../gateway-link.ts";
import { AUDIT_GENESIS } from "../../protocol/audit-genesis.ts";
import { AuditFact, AuditRow, type AuditVerdict } from "../../protocol/audit.ts";
import { sanitiseLine } from "../text/sanitise.ts";
import { table } from "../text/table.ts";
import { z } from "zod";

const PAGE_MAX = 200;

export async function listAudit(
  options: { after: number; session?: string; limit: number },
  { output, env }: CommandContext,
): Promise<void> {
  await withGateway(env, async (link) => {
    const ofSession = options.session === undefined ? {} : { sessionId: sessionIdOf(options.session) };
    const rows: AuditRow[] = [];
    let afterSeq = options.after;
    for (let more = true; more && rows.length < options.limit;) {
      const limit = Math.min(options.limit - rows.length, PAGE_MAX);
      const page = await link.call("audit.list", { ...ofSession, afterSeq, limit });
      rows.push(...page.rows);
      afterSeq = page.rows.at(-1)?.seq ?? afterSeq;
      more = page.rows.length === limit;
    }
    for (const row of rows) output.document(row);
    if (rows.length === 0) return output.lines(["There are no such rows."]);
    const cells = rows.map((row) => [
      String(row.seq),
      new Date(row.atMs).toISOString().replace(/\.\d+/, ""),
      sanitiseLine(row.actor.replace(/^agent:.*$/, "agent")),
      factsOf(row),
    ]);
    output.lines(table(["seq", "time", "actor", "facts"], cells, output.look()));
  });
}

const Body = z.object({ facts: z.array(AuditFact) });

/** The names of what happened in one commit; the whole text is in the JSON form. */
function factsOf({ body }: AuditRow): string {
  const parsed = Body.safeParse(JSON.parse(body));
  return sanitiseLine(parsed.success ? parsed.data.facts.map(({ type }) => type).join(", ") : body);
}

export type VerifyOptions = { file?: string; signed?: true };

/** Through the gateway that runs, on the store itself when none does, or on rows that were exported. */
export async function verifyAudit({ file, signed }: VerifyOptions, context: CommandContext): Promise<number> {
  const { output, env } = context;
  const exported = file === undefined ? undefined : await exportedRows(file);
  const verdict = exported === undefined ? await verifyChain(env) : await verifyRows(exported);
  const signatures = exported === undefined ? await verifySignatures(env) : await verifySignedRows(pagesOf(exported));
  output.document({ verdict, signatures });
  const isSigned = signed !== true || signatures.unsigned.length === 0;
  output.lines([...chainLines(verdict, context), ...signatureLines(signatures, signed === true, context)]);
  const isGood = verdict.intact && signatures.faults.length === 0 && isSigned;
  return isGood ? EXIT_CODES.ok.code : EXIT_CODES.storeUnusable.code;
}

function chainLines(verdict: AuditVerdict, { output }: CommandContext): string[] {
  const { paint } = output.look();
  if (verdict.intact)
    return [
      `${paint.good("✓")} The audit chain is intact: ${verdict.rows} rows, head ${verdict.headHash.slice(0, 16)}…`,
    ];
  return [
    `${paint.bad("✗")} The audit chain is broken at row ${verdict.brokenAtSeq} of ${verdict.rows}: ${sanitiseLine(verdict.reason)}`,
    "  Keep this store as it is and compare it with a backup.",
  ];
}

const FAULTS_SHOWN_MAX = 20;

function signatureLines(found: SignedVerdict, mustBeSigned: boolean, { output }: CommandContext): string[] {
  const { paint } = output.look();
  const { signatures, keys, faults, unsigned } = found;
  const bad = faults.slice(0, FAULTS_SHOWN_MAX).map(({ seq, reason }) => `${paint.bad("✗")} Row ${seq}: ${reason}.`);
  const more = faults.length > bad.length ? [`  And ${faults.length - bad.length} more.`] : [];
  const count = signatures === 1 ? "1 signature of a passkey holds" : `${signatures} signatures of passkeys hold`;
  const good = keys.length === 0 ? [] : [`${paint.good("✓")} ${count}:`];
  const shown = keys.map(
    ({ fingerprint, name, operatorId, signatures: own }) =>
      `  ${fingerprint} ${sanitiseLine(name)} (${operatorId}): ${own}`,
  );
  if (!mustBeSigned || unsigned.length === 0) return [...good, ...shown, ...bad, ...more];
  const rows = unsigned.slice(0, FAULTS_SHOWN_MAX).join(", ");
  return [
    ...good,
    ...shown,
    ...bad,
    ...more,
    `${paint.bad("✗")} ${unsigned.length} approvals have no signature: rows ${rows}.`,
  ];
}

const verifySignatures = (env: CommandContext["env"]): Promise<SignedVerdict> =>
  onlineOrOffline(env, {
    online: (link) =>
      verifySignedRows(async (afterSeq) => (await link.call("audit.list", { afterSeq, limit: PAGE_MAX })).rows),
    offline: (store) => verifySignedRows((afterSeq) => store.auditRows({ afterSeq, limit: PAGE_MAX })),
  });

/** One row a line, as `audit list --json` writes them. */
async function exportedRows(file: string): Promise<AuditRow[]> {
  const lines = (await readFile(file, "utf8")).split("\n").filter((line) => line.trim() !== "");
  return lines.map((line, at) => {
    const { data } = AuditRow.safeParse(json(line));
    if (data !== undefined) return data;
    const message = `Line ${at + 1} of ${file} is no audit row.`;
    throw new CliError({
      exit: "usage",
      message,
      advice: "Export them with: holdpoint audit list --json",
      code: "USAGE",
    });
  });
}

function json(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined; // the schema says what is missing
  }
}

const pagesOf = (rows: readonly AuditRow[]) => async (afterSeq: number) => rows.filter(({ seq }) => seq > afterSeq);

/** An export ends where it ends: nothing beside it says which row was the last. */
function verifyRows(rows: readonly AuditRow[]): Promise<AuditVerdict> {
  const { seq, hash } = rows.at(-1) ?? { seq: 0, hash: AUDIT_GENESIS };
  return verifyRowsOf({ rows: pagesOf(rows), head: async () => ({ seq, hash }) });
}
