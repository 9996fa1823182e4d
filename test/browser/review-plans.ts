/** Two revisions of one plan, with everything in them that a review shows. */
import type { JsonObject } from "../../src/protocol/json.ts";
import type { PlanStep } from "../../src/protocol/plan.ts";

export const step = (text: string, ...acceptanceCriteria: string[]): PlanStep => ({
  step: text,
  status: "pending",
  ...(acceptanceCriteria.length === 0 ? {} : { acceptanceCriteria }),
});

export const first = {
  title: "Move the export job to Sunday night",
  summary: "The export runs on **Sunday** instead of Friday, so that nobody waits for the reports on a working day.",
  analysis:
    "The schedule stands in `jobs/export.yaml`.\n\n- Two teams read the reports.\n- The old time is written down in one more place, `docs/reports.md`.",
  plan: [
    step("Read `jobs/export.yaml` and note the current schedule", "the time zone is known"),
    step("Change the schedule to Sunday 23:00", "the file is valid YAML", "one line is changed"),
    step("Update `docs/reports.md` after step 2"),
    step("Tell both teams by mail (after steps 2 and 3)"),
  ],
  assumptions: ["Nobody depends on the reports on Saturday."],
  risks: [{ risk: "The backup runs at the same time", mitigation: "Start the export half an hour later" }],
  verification: ["`cron --dry-run` names Sunday 23:00"],
  references: ["jobs/export.yaml", "docs/reports.md"],
} satisfies JsonObject;

export const second = {
  ...first,
  summary: "The export runs on **Sunday** at 23:30 instead of Friday.",
  plan: [
    first.plan[0],
    step("Change the schedule to Sunday 23:30", "the file is valid YAML", "one line is changed"),
    step("Tell both teams by mail"),
    step("Update `docs/reports.md` after step 2"),
    step("Check the first run on Monday"),
  ],
  addresses: ["n1", "n2"],
} as JsonObject;

/** One word without a place to break it, as paths, tokens and digests are. */
export const LONG_WORD = "sha512-".padEnd(200, "mR4nEo7cXw9TqLz2");

/** Twelve steps as agents write them: a line of code, a table and a word, each wider than a phone or a side pane. */
export const wide = {
  title: "Move the nightly invoices from the mail queue to the outbox table",
  summary: `Invoices are written to the **outbox** in the same transaction as the order, so that none is lost between the two. The image is pinned to ${LONG_WORD}.`,
  analysis: [
    "## What happens today",
    "The job reads `orders` and puts one message per invoice into the queue. When the process ends between the two, the order counts as *invoiced* and nobody ever gets the mail; three customers have asked in the last month.",
    "| Module | Reads from | Writes to | Retries | Owner | What goes wrong there today |",
    "| --- | --- | --- | ---: | --- | --- |",
    "| `billing/nightly-invoices.ts` | orders, customers | mail_queue | 0 | Billing team | Marks the order before the message is accepted |",
    "| `mail/queue-consumer.ts` | mail_queue | provider_requests | 5 | Platform team | Sends twice when the provider answers late |",
    "",
    "The statement that has to become one transaction:",
    "```ts",
    'await queue.publish("invoices", { orderId: order.id, customer: customer.email, totalCents: order.totalCents, locale: customer.locale, idempotencyKey: `${order.id}:${order.version}` });',
    "```",
    `The checksum of the dump is \`${LONG_WORD}\`, and it is checked before step 4.`,
  ].join("\n"),
  plan: [
    step(
      "Read `billing/nightly-invoices.ts` and list every place that publishes to the queue",
      "the list has a line each",
    ),
    step("Add the table `outbox` in a migration that can be undone", "`migrate up` and `migrate down` both pass"),
    step("Write the invoice and the outbox row in one transaction (after step 2)"),
    step(`Restore the dump with the checksum ${LONG_WORD} on the staging database`, LONG_WORD),
    step("Let the consumer read from the outbox, oldest first, at most 100 rows at a time"),
    step("Give each message the key of its row, so that the provider drops what it has seen"),
    step("Count what waits, and raise an alarm above 1,000 rows or ten minutes"),
    step(`Run \`npm run invoices -- --dry-run --since=2026-01-01 --report=reports/${LONG_WORD}.csv\` on staging`),
    step("Compare the report with last month's invoices", "no invoice is missing", "no invoice is there twice"),
    step("Switch one tenant over by the flag `invoices.outbox`"),
    step("Switch the others over after two quiet nights (after step 10)"),
    step("Delete the queue and its credentials"),
  ],
  assumptions: [`The provider keeps idempotency keys for a day; its documentation says ${LONG_WORD}.`],
  risks: [
    { risk: `The table grows without end because of ${LONG_WORD}`, mitigation: `Delete what was sent: ${LONG_WORD}` },
  ],
  verification: [`\`curl https://staging.example.test/metrics/${LONG_WORD}\` answers 0`],
  references: [`billing/${LONG_WORD}.ts`, "docs/outbox.md"],
} satisfies JsonObject;
