/** `holdpoint audit`: lists the rows of the audit log, and verifies its chain of hashes. */
import { verifyChain } from "../offline-store.ts";
import { sessionIdOf } from "../chat/choose-session.ts";
import type { CommandContext } from "../context.ts";
import { EXIT_CODES } from "../exit-codes.ts";
import { withGateway } from "../gateway-link.ts";
import { AuditFact, type AuditRow } from "../../protocol/audit.ts";
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

/** Through the gateway that runs, or on the store itself when none does. */
export async function verifyAudit(context: CommandContext): Promise<number> {
  const { output } = context;
  const verdict = await verifyChain(context.env);
  output.document({ verdict });
  if (verdict.intact) {
    output.lines([
      `${output.look().paint.good("✓")} The audit chain is intact: ${verdict.rows} rows, head ${verdict.headHash.slice(0, 16)}…`,
    ]);
    return EXIT_CODES.ok.code;
  }
  output.lines([
    `${output.look().paint.bad("✗")} The audit chain is broken at row ${verdict.brokenAtSeq} of ${verdict.rows}: ${sanitiseLine(verdict.reason)}`,
    "  Keep this store as it is and compare it with a backup.",
  ]);
  return EXIT_CODES.storeUnusable.code;
}
