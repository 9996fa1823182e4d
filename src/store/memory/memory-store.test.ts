import { expect, it } from "vitest";
import type { AuditRow } from "../../protocol/audit.ts";
import type { Json } from "../../protocol/json.ts";
import type { NumberedArtifact } from "../list/artifact-list.ts";
import type { Tampering } from "../contract/harness.ts";
import { storeContract } from "../store-contract.ts";
import { emptyMemory, openMemoryStore } from "./memory-store.ts";

storeContract("memory", async () => {
  const memory = emptyMemory();
  return {
    open: async () => openMemoryStore(memory),
    async tamper(how) {
      memory.audit = tampered(memory.audit, how);
      memory.artifacts = memory.artifacts.flatMap((row) => tamperedDocument(row, how));
    },
    dispose: async () => undefined,
  };
});

it("says that there is nothing to back up", async () => {
  await expect(openMemoryStore().backup("copy")).rejects.toThrow("A store in memory has nothing to back up.");
});

function tamperedDocument(row: NumberedArtifact, how: Tampering): NumberedArtifact[] {
  if (how.kind === "remove-document") return row.artifact.id === how.id ? [] : [row];
  if (how.kind !== "alter-document" || row.artifact.id !== how.id) return [row];
  return [{ ...row, artifact: { ...row.artifact, body: JSON.parse(how.body) as Json } }];
}

function tampered(rows: AuditRow[], how: Tampering): AuditRow[] {
  switch (how.kind) {
    case "alter-body":
      return rows.map((row) => (row.seq === how.seq ? { ...row, body: how.body } : row));
    case "alter-actor":
      return rows.map((row) => (row.seq === how.seq ? { ...row, actor: how.actor } : row));
    case "alter-document":
    case "remove-document":
      return rows;
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
