/** Settings of the tools that reach beyond the workspace: the web, memory, and MCP servers. */
import { z } from "zod";
import { lazySchema } from "../lazy-schema.ts";

const host = z
  .string()
  .regex(/^[A-Za-z0-9.-]{1,253}$/, "a host name such as docs.example.org, without a scheme or a path");

const search = lazySchema(() =>
  z.discriminatedUnion("provider", [
    z.strictObject({
      provider: z.literal("brave"),
      apiKeyName: z
        .string()
        .regex(/^[A-Z][A-Z0-9_]{0,63}$/, "the name of a variable, such as BRAVE_API_KEY; never the key itself")
        .default("BRAVE_API_KEY")
        .describe("Under which name its key stands in the environment or in secrets.yaml."),
      url: z.url().default("https://api.search.brave.com"),
    }),
    z.strictObject({
      provider: z.literal("searxng"),
      url: z.url().describe("Address of an instance whose settings allow the json format."),
    }),
  ]),
);
export type WebSearchSettings = z.infer<typeof search>;

export const WebSettings = lazySchema(() =>
  z.strictObject({
    fetch: z
      .strictObject({
        enabled: z.boolean().default(true).describe("Offer web_fetch to agents."),
        hosts: z
          .array(host)
          .max(1_000)
          .default([])
          .describe("When not empty, only these hosts and what lies below them may be fetched from."),
        privateHosts: z
          .array(z.string().regex(/^[A-Za-z0-9.-]{1,253}:\d{1,5}$/, "host:port, such as localhost:8080"))
          .max(100)
          .default([])
          .describe("host:port inside private networks that may be reached nevertheless; never in plan mode."),
        ports: z.array(z.int().min(1).max(65_535)).max(50).default([80, 443]).describe("Ports of public hosts."),
      })
      .prefault({}),
    search: search.optional().describe("Without it there is no web_search tool."),
  }),
);
export type WebSettings = z.infer<typeof WebSettings>;

export const MemorySettings = lazySchema(() =>
  z.strictObject({
    enabled: z
      .boolean()
      .default(true)
      .describe(
        "Offer agents the tools for memory, where there is any: their folder agents/<id>/memory in the gateway's own, or workspaceFile.",
      ),
    workspaceFile: z
      .string()
      .regex(/^[^/\\]{1,100}\.md$/, "the name of a Markdown file, such as MEMORY.md")
      .optional()
      .describe("A file at the top of the workspace that counts as memory too, such as MEMORY.md."),
  }),
);
export type MemorySettings = z.infer<typeof MemorySettings>;

const anyServer = {
  enabled: z.boolean().default(true),
  trusted: z
    .boolean()
    .default(false)
    .describe(
      "Believe the server's word that a tool only reads. Without it every tool of it counts as changing things.",
    ),
  tools: z
    .record(z.string().min(1).max(200), z.enum(["read", "write", "off"]))
    .default({})
    .describe("What a tool is, by the server's own name for it: read counts as reading, off is not offered."),
  startTimeoutSeconds: z.int().min(1).max(300).default(20),
  callTimeoutSeconds: z.int().min(1).max(600).default(60),
};

const stdioServer = lazySchema(() =>
  z.strictObject({
    command: z.string().min(1).max(4_096).describe("The program to start; it is not run through a shell."),
    args: z.array(z.string().max(8_192)).max(200).default([]),
    env: z
      .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), z.string().max(32_768))
      .default({})
      .describe("Variables for the server; ${NAME} in a value stands for a secret of that name."),
    passEnv: z
      .array(
        z.string().regex(/^(?!HOLDPOINT_)[A-Za-z_][A-Za-z0-9_]*$/i, "a variable's name, and none of the gateway's own"),
      )
      .max(100)
      .default([])
      .describe(
        "Variables of the environment, or of secrets.yaml, that the server gets besides PATH, HOME and the like.",
      ),
    cwd: z.string().min(1).max(4_096).optional(),
    ...anyServer,
  }),
);
const httpServer = lazySchema(() =>
  z.strictObject({
    url: z.url({ protocol: /^https?$/ }).describe("Address of a streamable HTTP server."),
    headers: z
      .record(z.string().regex(/^[A-Za-z0-9-]+$/), z.string().max(8_192))
      .default({})
      .describe("${NAME} in a value stands for a secret of that name: Bearer ${ACME_TOKEN}."),
    ...anyServer,
  }),
);

export const McpServerSettings = z.union([stdioServer, httpServer]);
export type McpServerSettings = z.infer<typeof McpServerSettings>;

const serverName = z
  .string()
  .regex(/^[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*$/, "lower-case letters and digits, parts joined by - or _")
  .max(32);

const SERVERS_MAX = 50;

export const McpSettings = lazySchema(() =>
  z.strictObject({
    servers: z
      .record(serverName, McpServerSettings)
      .default({})
      .refine((servers) => Object.keys(servers).length <= SERVERS_MAX, `at most ${SERVERS_MAX} servers`)
      .refine(
        (servers) =>
          new Set(Object.keys(servers).map((name) => name.replaceAll("-", "_"))).size === Object.keys(servers).length,
        "two names that differ only in - and _ would give their tools the same names",
      ),
  }),
);
export type McpSettings = z.infer<typeof McpSettings>;
