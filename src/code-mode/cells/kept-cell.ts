/** A cell that waits, as one piece of bytes: what the gateway must know of it, and the sealed snapshot behind it. */
import { z } from "../../plugins/sdk.ts";
import { PendingCall } from "./cell-calls.ts";
import { CellCounts } from "./telemetry.ts";

const HEAD_BYTES = 4;

const Head = z.strictObject({
  v: z.literal(1),
  counts: CellCounts,
  pending: z.array(PendingCall),
  /** What the program calls namespaces by. */
  runId: z.string(),
});
export type KeptCell = z.infer<typeof Head> & { snapshot: Uint8Array };

export function packCell({ snapshot, ...head }: KeptCell): Uint8Array {
  const text = Buffer.from(JSON.stringify(head));
  const size = Buffer.alloc(HEAD_BYTES);
  size.writeUInt32BE(text.length);
  return new Uint8Array(Buffer.concat([size, text, snapshot]));
}

/** Undefined where it is no such piece. */
export function unpackCell(bytes: Uint8Array): KeptCell | undefined {
  const all = Buffer.from(bytes);
  if (all.length < HEAD_BYTES) return undefined;
  const end = HEAD_BYTES + all.readUInt32BE(0);
  if (all.length < end) return undefined;
  try {
    const head = Head.parse(JSON.parse(all.toString("utf8", HEAD_BYTES, end)));
    return { ...head, snapshot: new Uint8Array(all.subarray(end)) };
  } catch {
    return undefined;
  }
}
