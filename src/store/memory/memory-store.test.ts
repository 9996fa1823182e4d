import { expect, it } from "vitest";
import type { AuditRow } from "../../protocol/audit.ts";
import type { Tampering } from "../contract/harness.ts";
import { storeContract } from "../store-contract.ts";
import { emptyMemory, openMemoryStore } from "./memory-store.ts";

storeContract("memory", async () => {
  const memory = emptyMemory();
  return {
    open: async () => openMemoryStore(memory),
    async tamper(how) {
      memory.audit = tampered(memory.audit, how);
    },
    dispose: async () => undefined,
  };
});

it("says that there is nothing to back up", async () => {
  await expect(openMemoryStore().backup("copy")).rejects.toThrow("A store in memory has nothing to back up.");
});

function tampered(rows: AuditRow[], how: Tampering): AuditRow[] {
  switch (how.kind) {
    case "alter-body":
      return rows.map((row) => (row.seq === how.seq ? { ...row, body: how.body } : row));
    case "alter-actor":
      return rows.map((row) => (row.seq === how.seq ? { ...row, actor: how.actor } : row));
    case "remove":
      return rows.filter((row) => row.seq !== how.seq);
    case "swap": {
      const [one, other] = how.seqs;
      const numbered = rows.map((row) => ({ ...row, seq: swap(row.seq, one, other) }));
      return numbered.toSorted((a, b) => a.seq - b.seq);
    }
  }
}

function swap(seq: number, one: number, other: number): number {
  if (seq === one) return other;
  return seq === other ? one : seq;
}
