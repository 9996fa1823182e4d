/** A plan as agents write it for real work: tables, code and lists inside of steps and risks, many commands, long addresses. */
import { JsonObject } from "../../src/protocol/json.ts";

const ADDRESS =
  "https://grafana.example.com/d/abc123def456/checkout-latency-by-region-and-tenant?orgId=1&from=now-6h&to=now&viewPanel=42";

const LONG_STEP = Array.from({ length: 8 }, (_, at) =>
  [
    `${at + 1}. Drain the node pool and wait until the pods have moved`,
    "   - note which pods restart",
    "   - `kubectl get pods -n checkout -o wide`",
    "   - write the number into the sheet",
  ].join("\n"),
).join("\n");

const COMPARE = [
  "Compare counts and checksums, table by table",
  "",
  "| Table | How | May differ by |",
  "| --- | --- | --- |",
  "| `orders` | `count(*)`, `md5(string_agg(...))` per day | 0 |",
  "| `idempotency_keys` | `count(*)` only | rows younger than 60 s |",
].join("\n");

const DUMP = [
  "Old partitions are copied beforehand:",
  "",
  "```sh",
  'for p in $(psql -Atc "select relname from pg_class where relname like \'order_events_2025%\'"); do pg_dump -t $p | psql "$NEW"; done',
  "```",
].join("\n");

export const SWITCH_COMMANDS = [
  "bin/switch-writers --to pg17-checkout --max-read-only-seconds 30",
  "kubectl -n checkout rollout restart deployment/pgbouncer",
] as const;

/** `LONG_STEP_AT` and the others: where its parts stand, from 1. */
export const LONG_STEP_AT = 3;
export const SWITCH_AT = 5;

export const crowdedPlan = (): JsonObject =>
  JsonObject.parse({
    title: "Move checkout from the shared Postgres 13 cluster to its own, with no more than 30 s of read-only time",
    summary: `Its vacuum blocks ours every night ([dashboard](${ADDRESS})).\n\n> [!WARNING]\n> Step ${SWITCH_AT} cannot be taken back.\n\nSee also ${ADDRESS}`,
    analysis: "1. أول خطوة في القائمة\n2. ثاني خطوة في القائمة",
    plan: [
      {
        step: "Create the cluster in `infra/checkout/postgres.tf`\n\n```hcl\nbackup_retention_period = 35 # days, because auditors ask for five weeks and the default would be noticed too late\n```",
        id: "cluster",
        scope: { paths: ["infra/checkout/"], commands: ["terraform plan -out=checkout.tfplan"] },
        acceptanceCriteria: [
          { criterion: "`terraform plan` shows no change", proof: { by: "command", command: "terraform plan" } },
        ],
      },
      { step: COMPARE, id: "compare", dependsOn: ["cluster"] },
      { step: `Rehearse on staging, in this order:\n\n${LONG_STEP}`, id: "rehearse", dependsOn: ["compare"] },
      { step: "Tell support; يجب إبلاغ فريق الدعم قبل ساعة", acceptanceCriteria: ["الدعم أجاب `PAY-2231`"] },
      {
        step: "Switch the writers. **Irreversible** after the first order",
        dependsOn: ["rehearse"],
        scope: { commands: [...SWITCH_COMMANDS], hosts: ["pgbouncer.internal.example.com:6432"] },
        acceptanceCriteria: [`p95 stays below 80 ms on ${ADDRESS}`],
      },
    ],
    risks: [
      { risk: "`order_events` grows faster than it is copied", mitigation: DUMP },
      {
        risk: "A forgotten consumer writes to the old cluster after the switch",
        mitigation: "`REVOKE INSERT, UPDATE`",
      },
    ],
    references: [ADDRESS],
  });
