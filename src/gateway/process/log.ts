/** Structured logs: one JSON object a line, secrets left out. They go to a file, and to standard error where nobody chats. */
import { join } from "node:path";
import { type Logger, multistream, pino, type StreamEntry } from "pino";

export type LogTarget = "stderr" | "file" | "silent";

const SECRETS = [
  "token",
  "secret",
  "password",
  "authorization",
  "*.token",
  "*.secret",
  "*.password",
  "*.authorization",
];

export function createLog(parts: { home: string; level: string; target: LogTarget }): Logger {
  const redact = { paths: SECRETS, censor: "[redacted]" };
  if (parts.target === "silent") return pino({ level: "silent" });
  const file: StreamEntry = {
    stream: pino.destination({ dest: join(parts.home, "gateway.log"), mode: 0o600, sync: false, mkdir: true }),
  };
  const streams = parts.target === "stderr" ? [file, { stream: process.stderr }] : [file];
  return pino({ level: parts.level, redact, base: { pid: process.pid } }, multistream(streams));
}
