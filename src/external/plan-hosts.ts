/** The hosts that a plan names, so that whoever approves it approves them: those of its addresses, and of a line "Hosts: …". */
import type { Submission } from "../plan-mode/protocol/state.ts";

const HOSTS_MAX = 50;
const ADDRESS = /https?:\/\/([a-z0-9.-]+)(?::\d+)?/gi;
const LINE = /^\W*hosts?:\s*(.+)$/gim;
const NAME = /(?<![\w@/.-])(?:[a-z0-9-]+\.)+[a-z]{2,}(?![\w/-])/gi;

export function planHosts({ title, steps }: Pick<Submission, "title" | "steps">): string[] {
  const text = [title, ...steps.flatMap(({ step, acceptanceCriteria = [] }) => [step, ...acceptanceCriteria])].join(
    "\n",
  );
  const addresses = [...text.matchAll(ADDRESS)].flatMap(([, host]) => host ?? []);
  const listed = [...text.matchAll(LINE)].flatMap(([, names = ""]) => names.match(NAME) ?? []);
  return [...new Set([...addresses, ...listed].map((host) => host.toLowerCase().replace(/\.$/, "")))].slice(
    0,
    HOSTS_MAX,
  );
}
