/** The configuration file, whole. Unknown keys are refused; every default that holds is written here. */
import { z } from "zod";
import { PlanModeSettings } from "../protocol/plan-mode.ts";

/** Part of the settings at one level; what is left out comes from the level above. */
const PlanModeOverride = z.strictObject({
  enabled: PlanModeSettings.shape.enabled.unwrap().optional(),
  defaultActive: PlanModeSettings.shape.defaultActive.unwrap().optional(),
  requireApproval: PlanModeSettings.shape.requireApproval.unwrap().optional(),
  autoEnterOnDestructive: PlanModeSettings.shape.autoEnterOnDestructive.unwrap().optional(),
  approvalTimeoutSeconds: PlanModeSettings.shape.approvalTimeoutSeconds.unwrap().optional(),
});

const agentId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "letters, digits, - and _ only, at most 64");

export const Config = z.strictObject({
  gateway: z
    .strictObject({
      host: z
        .string()
        .min(1)
        .default("127.0.0.1")
        .describe("Address to listen on. Off loopback only behind TLS and with care."),
      port: z.int().min(0).max(65_535).default(4747).describe("0 picks a free one."),
      allowedOrigins: z.array(z.url()).default([]).describe("Web origins besides the gateway's own that may connect."),
      allowedHosts: z
        .array(z.string())
        .default([])
        .describe("Host names besides loopback under which the gateway may be addressed."),
      requestsPerSecond: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(20_000)
        .describe("Per connection; beyond it requests are refused."),
      connectionsMax: z.int().min(1).max(100_000).default(1_000),
    })
    .prefault({}),
  store: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("sqlite") }),
      z.strictObject({ kind: z.literal("postgres"), url: z.string().min(1).describe("postgres://…") }),
    ])
    .default({ kind: "sqlite" })
    .describe("Embedded by default; a PostgreSQL server when there are several gateways."),
  agents: z
    .strictObject({
      defaults: z
        .strictObject({
          model: z.string().min(1).default("demo").describe("demo is the built-in scripted agent."),
          workspace: z
            .string()
            .min(1)
            .optional()
            .describe("The folder the agent works in; the one the session was started from if unset."),
          planMode: PlanModeOverride.prefault({}),
        })
        .prefault({}),
      list: z
        .array(
          z.strictObject({
            id: agentId,
            model: z.string().min(1).optional(),
            workspace: z.string().min(1).optional(),
            planMode: PlanModeOverride.optional(),
          }),
        )
        .default([]),
    })
    .prefault({}),
  bindings: z
    .array(
      z.strictObject({
        surface: z.string().min(1).max(64).describe("Where the session comes from: cli, web, telegram, …"),
        agentId: agentId.optional(),
        role: z
          .string()
          .max(64)
          .optional()
          .describe("coordinator, worker or proactive; decides defaultActive where that is null."),
        planMode: PlanModeOverride.optional(),
      }),
    )
    .default([])
    .describe("The first binding that matches a session's surface and agent applies."),
  logging: z
    .strictObject({ level: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info") })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;
