/** Whatever a command of the house answers, it also says what it means; what is left is what people and agents wrote. */
import { afterEach, expect, it } from "vitest";
import { acceptCode, present, type ServedGateway, serveGateway, submitPlan } from "../../../test/kit/served-gateway.ts";
import type { WireClient } from "../../../test/kit/wire-client.ts";
import { planModePlugin } from "../../plan-mode/plugin.ts";
import type { SessionId } from "../../protocol/ids.ts";
import { builtinCommands } from "../builtin-commands/plugin.ts";
import { localizedByKey as builtinText } from "../builtin-commands/texts/localized.ts";
import { localizedByKey as planModeText } from "../../plan-mode/texts/localized.ts";
import type { LocalizedLine } from "../../protocol/localized/localized-text.ts";

let gateway: ServedGateway;
afterEach(() => gateway.close());

/** With all that answer to a command. */
async function served(): Promise<ServedGateway> {
  const made: { gateway?: ServedGateway } = {};
  const house = builtinCommands(() => present(made.gateway).host.commands);
  made.gateway = await serveGateway({ plugins: [planModePlugin, house] });
  return made.gateway;
}

/** Stands in everything that somebody else writes here. */
const THEIRS = "Qx";

const PLAN = {
  title: `${THEIRS} shed`,
  summary: `${THEIRS} summary`,
  analysis: `${THEIRS} analysis`,
  assumptions: [`${THEIRS} assumption`],
  risks: [{ risk: `${THEIRS} risk`, mitigation: `${THEIRS} care` }],
  verification: [`${THEIRS} check`],
  references: [`${THEIRS} link`],
  plan: [
    { step: `${THEIRS} sand`, status: "pending", acceptanceCriteria: [`${THEIRS} smooth`] },
    { step: `${THEIRS} paint`, status: "pending" },
  ],
};
const REVISED = { ...PLAN, summary: `${THEIRS} other`, plan: PLAN.plan.slice(0, 1) };

type Answer = { message: string; said?: LocalizedLine[]; code?: string };

async function said(client: WireClient, sessionId: SessionId, text: string): Promise<Answer> {
  const answer = present(await client.request("chat.send", { sessionId, text }));
  if (!answer.ok) return answer.error;
  if (answer.payload.kind !== "command") throw new Error(`${text} was taken for a message`);
  return answer.payload;
}

/** Refusals with a code that says all need no more than that code. */
const BY_CODE = new Set(["APPROVAL_NOT_PENDING", "QUESTION_NOT_PENDING", "PLAN_NOT_FOUND", "APPROVAL_ALREADY_DECIDED"]);

function unsaid({ message, said: meanings = [], ...answer }: Answer): string[] {
  if (meanings.length === 0 && BY_CODE.has(answer.code ?? "")) return [];
  const known = new Set(meanings.map(({ line }) => line));
  const isData = (line: string): boolean => line.trim() === "" || line.includes(THEIRS) || /^(?:\/\w+ ?)+$/.test(line);
  return message.split("\n").filter((line, at) => !known.has(at) && !isData(line));
}

const typedAs = (usage: string): string =>
  present(usage.split(" — ")[0])
    .replace("<where> <text>", `1 ${THEIRS} why`)
    .replace("<n>", "1")
    .replace("on|off", "off")
    .replaceAll(/ \[[^\]]*\]/g, "")
    .replaceAll(/<[^>]*>/g, `${THEIRS} word`);

it("[UI-06] every command and subcommand of the house, in every state, right and wrong", async () => {
  gateway = await served();
  const alice = await gateway.client();
  const { session } = await alice.must("sessions.create", { title: `${THEIRS} title` });
  const { commands } = await alice.must("commands.list", {});
  const typed = commands.flatMap(({ name, usage }) => [
    `/${name}`,
    ...usage.map(typedAs),
    `/${name} ${THEIRS} too much`,
  ]);
  const extra = [
    "/plan resolve 9",
    "/plan resolve x",
    "/plan note",
    "/plan note 99 x",
    "/plan auto",
    "/plan self-test",
  ];
  const more = [
    "/help plan",
    "/help help",
    "/nothing",
    "/plann",
    "/permissions ask",
    "/permissions default",
    "/plan acept",
  ];
  const missing: string[] = [];
  const run = async (texts: readonly string[]): Promise<void> => {
    for (const text of texts) {
      const lines = unsaid(await said(alice, session.id, text));
      missing.push(...lines.map((line) => `${text}: ${line}`));
    }
  };
  await run([...typed, ...extra, ...more]);
  await said(alice, session.id, "/plan on");
  await submitPlan(gateway, session.id, PLAN);
  const deciding = (text: string): boolean => /accept|approve|revise|off/.test(text);
  await run([...typed.filter((text) => !deciding(text)), ...extra, `/plan note 1 "${THEIRS} sand" ${THEIRS} why`]);
  await run(["/plan notes", `/plan revise ${THEIRS} other`, "/plan status"]);
  await submitPlan(gateway, session.id, REVISED);
  await run(["/plan diff", "/plan notes", "/plan restate", "/plan resolve 1", "/plan notes", "/plan accept edits"]);
  await run([`/plan accept edits ${await acceptCode(alice, session.id)}`]);
  await run(["/plan status", "/plan view", "/plan restate", "/status"]);
  expect(missing).toEqual([]);
});

const isPlainKey = (key: string): boolean => (planModeText(key) ?? builtinText(key)) !== undefined;

it("[UI-06] each description of a command of the house can be told in another language, in the list as well", async () => {
  gateway = await served();
  const alice = await gateway.client();
  const texts = ["/", "/plan ", "/permissions "];
  const found = await Promise.all(texts.map(async (text) => alice.must("commands.complete", { text })));
  const completions = found.flatMap((one) => one.completions);
  expect(completions.length).toBeGreaterThan(20);
  expect(completions.filter(({ said: meaning }) => !isPlainKey(meaning?.[0]?.key ?? ""))).toEqual([]);
});
