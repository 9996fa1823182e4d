/** A plan as others may read it: without secrets, names of people, addresses of mail and home folders. */
import type { ExportedPlan } from "../../plan-mode/render/export/exported-plan.ts";
import type { By } from "../../protocol/actor.ts";

const MAIL = /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}/g;
const HOME = /(?<![\w.])(?:\/home\/|\/Users\/|\/root(?=\/|\b)|[A-Za-z]:\\Users\\)[^\s/\\"'`]*/g;
const HIDDEN_ID = "redacted";

/** `withoutSecrets` is the gateway's own, as for its log. */
export function redactedPlan(document: ExportedPlan, withoutSecrets: (text: string) => string): ExportedPlan {
  const people = peopleIn(document);
  const names = [...people.values()].filter(({ name }) => name.length > 1);
  const longestFirst = names.toSorted((a, b) => b.name.length - a.name.length);
  const clean = (text: string): string => {
    const plain = withoutSecrets(text).replaceAll(MAIL, "[mail]").replaceAll(HOME, "~");
    return longestFirst.reduce((rest, { name, as }) => rest.replaceAll(wholeWord(name), as), plain);
  };
  const mapped = mapStrings(document, (text, key) => (KEPT.has(key) ? text : clean(text)));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same shape, with other strings
  return withoutIds(mapped, people) as ExportedPlan;
}

/** Names of fields whose values say what something is, and nothing about anybody. */
const KEPT: ReadonlySet<string> = new Set(["planId", "digest", "status", "kind", "decision", "on", "type", "section"]);

type Person = { name: string; as: string };

function peopleIn({ plan, notes, decisions }: ExportedPlan): Map<string, Person> {
  const all: (By | undefined)[] = [
    plan.author,
    ...decisions.map(({ by }) => by),
    ...notes.flatMap(({ by, replies, resolved }) => [by, ...replies.map((reply) => reply.by), resolved?.by]),
  ];
  const people = new Map<string, Person>();
  for (const by of all) {
    if (by?.kind === "operator" && !people.has(by.id))
      people.set(by.id, { name: by.name, as: `person ${people.size + 1}` });
  }
  return people;
}

const wholeWord = (name: string): RegExp =>
  new RegExp(String.raw`(?<![\p{L}\p{N}])${RegExp.escape(name)}(?![\p{L}\p{N}])`, "giu");

function mapStrings(value: unknown, change: (text: string, key: string) => string, key = ""): unknown {
  if (typeof value === "string") return change(value, key);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change, key));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, mapStrings(inner, change, name)]));
}

function withoutIds(value: unknown, people: ReadonlyMap<string, Person>): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutIds(item, people));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    if (name === "id" && typeof inner === "string") return [name, people.get(inner)?.as ?? inner];
    if (name === "sessionId" || name === "approvalId") return [name, HIDDEN_ID];
    return [name, withoutIds(inner, people)];
  });
  return Object.fromEntries(entries);
}
