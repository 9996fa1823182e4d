/** The token of the person at this machine: made at the first start, readable by them alone, kept hashed in the store. */
import { readFile } from "node:fs/promises";
import { writeAtomically } from "../config/atomic-write.ts";
import { operatorTokenFile } from "../config/home.ts";
import type { Scope } from "../protocol/actor.ts";
import type { Tokens } from "./tokens.ts";

const EVERYTHING: Scope[] = ["operator.read", "operator.write", "operator.approvals", "operator.admin"];

/** The secret in the file if the store still knows it; otherwise a new one, which the file then holds. */
export async function ensureOperatorToken(home: string, tokens: Tokens): Promise<string> {
  const file = operatorTokenFile(home);
  const kept = await readFile(file, "utf8").then(
    (text) => text.trim(),
    () => "",
  );
  if (kept !== "" && (await tokens.authenticate(kept)) !== undefined) return kept;
  const { secret } = await tokens.create({ name: "local", scopes: EVERYTHING, by: "first-start" });
  await writeAtomically(file, `${secret}\n`);
  return secret;
}
