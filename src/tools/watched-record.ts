/** What every record of a call passes on its way: secrets are left out of it, and the loop check sees how the call ended. */
import type { CallRecord } from "./call-record.ts";
import { type Watched, withWarning } from "./loop-check.ts";
import type { Redaction } from "./redaction/redaction.ts";

/** What a result says is stored, shown and sent to the model, so it leaves here without secrets. */
export function redactedRecord(record: CallRecord, redaction: Redaction | undefined): CallRecord {
  if (redaction === undefined) return record;
  return {
    ...record,
    finish: (at, result) => record.finish(at, { ...result, content: redaction.json(result.content) }),
  };
}

/** Every way in which a call ends passes the loop check, which may put a warning into its result. */
export function watchedRecord(record: CallRecord, { ended }: Watched): CallRecord {
  let isClaimed = false;
  return {
    async claim(at, gated) {
      const outcome = await record.claim(at, gated);
      isClaimed = outcome.ok;
      return outcome;
    },
    finish(at, result) {
      const warning = ended(result.content, isClaimed);
      return record.finish(at, { ...result, content: withWarning(result.content, warning) });
    },
    refuse(at, refusal, beside) {
      const warning = ended(refusal.rule, false);
      const message = warning === undefined ? refusal.message : `${refusal.message} ${warning}`;
      return record.refuse(at, { ...refusal, message }, beside);
    },
    apply(at, change) {
      ended(change.command, false);
      return record.apply(at, change);
    },
    rewrite: (at, form) => record.rewrite(at, form),
  };
}
