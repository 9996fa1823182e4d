/** A plan with everything that has ever pushed a page apart, in one: nobody writes it, and parts of it everybody does. */
import { PlanBody } from "../../src/plan-mode/protocol/plan.ts";

const WORD = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft".repeat(3).slice(0, 200);
const CODE = `const line = "${"0123456789".repeat(30)}";`;
const COLUMNS = Array.from({ length: 20 }, (_, at) => `Column ${at + 1}`);
const row = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
const TABLE = [row(COLUMNS), row(COLUMNS.map(() => "---")), row(COLUMNS.map((name) => `\`${name}\` holds words`))].join(
  "\n",
);
const NESTED = Array.from(
  { length: 9 },
  (_, depth) => `${"  ".repeat(depth)}- level ${depth + 1} with a few words`,
).join("\n");
const DIAGRAM = [
  "```mermaid",
  "flowchart LR",
  ...Array.from({ length: 14 }, (_, at) => `  n${at}["Part number ${at}"] --> n${at + 1}["Part number ${at + 1}"]`),
  "```",
].join("\n");

const ANALYSIS = `## A table of twenty columns

${TABLE}

## Code of three hundred columns

\`\`\`ts
${CODE}
\`\`\`

## A word of two hundred letters

${WORD} and \`${WORD}\` and https://example.com/${WORD}

## Nested nine times

${NESTED}

> A quotation > in which ${WORD} stands

${DIAGRAM}

![a picture from elsewhere](https://example.com/picture.png) <b onclick="alert(1)">raw</b> <table><tr><td>raw cell</td></tr></table>

عربي: يجب أن تُقرأ هذه الجملة من اليمين إلى اليسار مع \`code\` في الوسط. עברית גם כן.

日本語の段落です。計画は読みやすくなければなりません。中文段落，计划必须易于阅读。한국어 문단입니다. 👩🏽‍💻🏳️‍🌈👨‍👩‍👧‍👦🇩🇪
`;

const STEPS = [
  `Rename ${WORD}`,
  `Run \`${"pnpm run a-very-long-script-name -- --flag ".repeat(8).trim()}\``,
  "| a | b |\n| - | - |\n| in | a step |",
  "یک گام به فارسی با `code`",
  "手順を一つずつ確認しながら、設定ファイルの開始時刻を二時三十分に変更します",
  "👩🏽‍💻".repeat(40),
  "x",
  `\`\`\`sh\n${CODE}\n\`\`\``,
];

export const uglyPlan = (): PlanBody =>
  PlanBody.parse({
    title: `Ugly: ${WORD}`.slice(0, 200),
    summary: `A summary with **bold**, ~~struck~~ and ${WORD}.`,
    analysis: ANALYSIS,
    plan: STEPS.map((step, at) => ({
      step,
      status: "pending",
      acceptanceCriteria: [`\`${CODE.slice(0, 200)}\` holds for ${at + 1}`, WORD],
    })),
    assumptions: [WORD, "日本語".repeat(60)],
    risks: [{ risk: WORD, mitigation: CODE.slice(0, 240) }],
    verification: [`\`${"npm test -- ".repeat(20).trim()}\``],
    references: [`https://example.com/${WORD}`, `src/${"deeply/".repeat(40)}file.ts`],
  });
