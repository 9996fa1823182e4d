/** The configuration file, whole: the gateway's own part and what bundled plugins add to it. Unknown keys are refused. */
import { z } from "zod";
import { AutomationSettings } from "../protocol/settings/automation-settings.ts";
import { BUNDLED_CONFIG } from "../bundled.ts";
import { McpSettings, MemorySettings, WebSettings } from "../protocol/settings/tool-settings.ts";
import { PluginSettings } from "../protocol/plugin/plugin-packages.ts";
import { AutoContinueOverride, TurnSettings } from "../protocol/settings/turn-settings.ts";

const agentId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, "letters, digits, - and _ only, at most 64");

const modelName = z
  .string()
  .max(256)
  .regex(
    /^(?:auto|demo|[a-z0-9][a-z0-9-]{0,63}\/\S+)$/,
    "auto, demo, or provider/model as in anthropic/claude-sonnet-5-5",
  );
const MODELS_IN_CHAIN_MAX = 8;
/** One model, or several: each is asked when those before it have failed. */
const modelChain = z.union([modelName, z.array(modelName).min(1).max(MODELS_IN_CHAIN_MAX)]);

const dollars = z.number().nonnegative().max(100_000);
const keptDays = z.int().min(1).max(36_500);
const seconds = z.int().min(1).max(3_600).optional();

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
      pageAddress: z
        .url({ protocol: /^https?$/ })
        .refine(
          (url) => URL.canParse(url) && new URL(url).href === `${new URL(url).origin}/`,
          "scheme, name and port only",
        )
        .optional()
        .describe(
          "Where people open the page: https://name, or http://localhost:4747 on this machine. Passkeys are made for this name. Unset: the address that the gateway listens on, and localhost where approvals.presence asks for passkeys.",
        ),
      webPush: z
        .boolean()
        .default(false)
        .describe(
          "Let browsers ask to be told when something waits, also while no page is open. Needs a pageAddress with https and a name. What is sent through the browser's push service names no plan.",
        ),
      pushServices: z
        .array(z.url({ protocol: /^https?$/ }))
        .max(20)
        .default([])
        .describe("Push services besides those of Google, Mozilla, Microsoft and Apple that pushes may be sent to."),
      requestsPerSecond: z
        .int()
        .min(1)
        .max(1_000_000)
        .default(20_000)
        .describe("Per connection; beyond it requests are refused."),
      connectionsMax: z
        .int()
        .min(1)
        .max(100_000)
        .default(1_000)
        .describe("Connections at once; beyond it new ones are refused."),
    })
    .prefault({}),
  store: z
    .discriminatedUnion("kind", [
      z.strictObject({ kind: z.literal("sqlite") }),
      z.strictObject({ kind: z.literal("postgres"), url: z.string().min(1).describe("postgres://…") }),
    ])
    .default({ kind: "sqlite" })
    .describe("Embedded by default; a PostgreSQL server when there are several gateways."),
  backups: z
    .strictObject({
      folders: z
        .array(z.string().regex(/^(?:\/|[A-Za-z]:[\\/])/, "a whole path"))
        .max(20)
        .default([])
        .describe("Folders besides backups/ in the gateway's own that backup.create may write to."),
    })
    .prefault({}),
  retention: z
    .strictObject({
      runDays: keptDays
        .default(90)
        .describe("Days after which archived sessions of scheduled runs and heartbeats are deleted."),
      archivedDays: keptDays
        .optional()
        .describe("Days after which other archived sessions are deleted with their transcripts; never if unset."),
      auditDays: keptDays
        .optional()
        .describe("Days after which audit rows are removed, with a row that says so; never if unset."),
    })
    .prefault({})
    .describe("How long things are kept. The audit chain stays verifiable."),
  tracing: z
    .strictObject({
      endpoint: z
        .url({ protocol: /^https?$/ })
        .optional()
        .describe(
          "Where OpenTelemetry spans are sent by OTLP/HTTP, as in http://127.0.0.1:4318/v1/traces. Unset: what the usual OTEL_ variables say, else no traces. Counts from the next start.",
        ),
    })
    .prefault({})
    .describe("Traces of turns, answers of models, calls and waits for people: names, ids and counts, no texts."),
  agents: z
    .strictObject({
      defaults: z
        .strictObject({
          model: modelChain
            .default("auto")
            .describe(
              "provider/model, or a list that is tried in order. auto takes the first key or local Ollama that it finds, else demo, the built-in scripted agent.",
            ),
          workspace: z
            .string()
            .min(1)
            .optional()
            .describe("The folder the agent works in; the one the session was started from if unset."),
          queueMode: TurnSettings.shape.queueMode,
          autoContinue: TurnSettings.shape.autoContinue,
          contextTokens: TurnSettings.shape.contextTokens,
          ...BUNDLED_CONFIG.agentDefaults,
          contextFiles: z
            .array(z.string().regex(/^[A-Za-z0-9._-]{1,64}$/, "a plain file name"))
            .max(10)
            .default(["SOUL.md", "AGENTS.md", "MEMORY.md"])
            .describe("Files of the agent's folder and of the workspace that go into the prompt, in this order."),
          skills: z.boolean().default(true).describe("List the skills that are found and let the agent read them."),
          overlays: z
            .array(z.strictObject({ match: z.string().min(1).max(128), text: z.string().min(1).max(4_000) }))
            .max(20)
            .default([])
            .describe('What models with a matching id are told besides: { match: "gpt-*", text: … }.'),
        })
        .prefault({}),
      list: z
        .array(
          z.strictObject({
            id: agentId,
            model: modelChain.optional(),
            workspace: z.string().min(1).optional(),
            ...BUNDLED_CONFIG.agent,
            queueMode: TurnSettings.shape.queueMode.unwrap().optional(),
            autoContinue: AutoContinueOverride.optional(),
          }),
        )
        .default([]),
    })
    .prefault({}),
  providers: z
    .array(
      z.strictObject({
        id: z
          .string()
          .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "small letters, digits and - only")
          .describe("The part of a model's name before the slash; a known provider's id changes that one."),
        kind: z.enum(["anthropic", "openai", "google", "openai-compatible"]).optional(),
        baseUrl: z
          .url({ protocol: /^https?$/ })
          .regex(/^[^@?#]*$/, "an address without user, password or query; keys belong in the environment")
          .optional()
          .describe("Where its API is: http://127.0.0.1:1234/v1"),
        apiKeyName: z
          .string()
          .max(64)
          .regex(
            /^[A-Z][A-Z0-9_]*_(?:KEY|TOKEN|SECRET)$/,
            "the name of a variable, such as ACME_API_KEY; never the key itself",
          ) // names like these are kept out of what the agent's tools can see
          .optional()
          .describe("Under which name its key stands in the environment or in secrets.yaml."),
        firstByteSeconds: seconds.describe("How long it may think before its answer begins; 240 if unset."),
        idleSeconds: seconds.describe("How long it may fall silent in an answer; 120 if unset."),
      }),
    )
    .max(50)
    .default([])
    .describe("Model providers besides the known ones, or known ones at another address."),
  models: z
    .array(
      z.strictObject({
        name: modelName,
        contextTokens: z.int().min(1_000).max(100_000_000).optional().describe("How much it can read at once."),
        maxOutputTokens: z.int().min(1).max(1_000_000).optional(),
        images: z
          .boolean()
          .optional()
          .describe("Whether it can look at images; assumed of Anthropic, OpenAI and Google, not of others."),
        price: z
          .strictObject({ input: dollars, output: dollars, cacheRead: dollars, cacheWrite: dollars })
          .optional()
          .describe("US dollars for a million tokens, where the built-in table has none or another."),
      }),
    )
    .max(200)
    .default([])
    .describe("What is different about single models."),
  bindings: z
    .array(
      z.strictObject({
        surface: z.string().min(1).max(64).describe("Where the session comes from: cli, web, telegram, …"),
        instance: z
          .string()
          .min(1)
          .max(256)
          .optional()
          .describe("Which account of that surface, as its channel names it; absent: every one."),
        agentId: agentId.optional(),
        role: z
          .string()
          .max(64)
          .optional()
          .describe("coordinator, worker or proactive; decides defaultActive where that is null."),
        ...BUNDLED_CONFIG.binding,
      }),
    )
    .default([])
    .describe("The first binding that matches a session's surface, instance and agent applies."),
  tools: z
    .strictObject({
      strict: z
        .boolean()
        .default(true)
        .describe(
          "Refuse to start with a tool that nobody classified. false: its name decides (…read, search, list, get, view read; …write, edit, delete write), and any other counts as mutating.",
        ),
      ...BUNDLED_CONFIG.tools,
      web: WebSettings.prefault({}),
      exec: z
        .strictObject({
          sandbox: z
            .enum(["auto", "none"])
            .default("auto")
            .describe(
              "auto: what acts for an agent runs in a sandbox (bubblewrap, else util-linux); where the machine has none, commands are refused. none: without one; every card, status and doctor say so.",
            ),
          hide: z
            .array(z.string().startsWith("/"))
            .default([])
            .describe("Further files and folders, absolute, that the agent's commands do not see."),
          show: z
            .array(z.string().startsWith("/"))
            .default([])
            .describe(
              "Files, folders and sockets, absolute, that they see although such things are hidden: /run/docker.sock, a key.",
            ),
          hideStateFolder: z
            .boolean()
            .default(true)
            .describe(
              "Keep the gateway's own folder, with the operator's token, out of sight of the agent's commands. Such commands cannot use sudo.",
            ),
        })
        .prefault({}),
    })
    .prefault({}),
  ...BUNDLED_CONFIG.root,
  workspaces: z
    .strictObject({
      roots: z
        .array(z.string().startsWith("/"))
        .max(100)
        .default([])
        .describe(
          "Folders, absolute, below which operators without operator.admin may start sessions, besides the configured workspaces and the folder that the gateway was started in.",
        ),
    })
    .prefault({}),
  automation: AutomationSettings.prefault({}).describe("Runs that no person started."),
  memory: MemorySettings.prefault({}),
  mcp: McpSettings.prefault({}).describe("Servers of the Model Context Protocol whose tools agents may use."),
  plugins: PluginSettings.prefault({}).describe("Plugins besides those of the house."),
  logging: z
    .strictObject({
      level: z
        .enum(["trace", "debug", "info", "warn", "error", "silent"])
        .default("info")
        .describe("From which level on lines are written to the log."),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;
