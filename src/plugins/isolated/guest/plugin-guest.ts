/**
 * The other side: the process in which one ordinary plugin lives. It was started with nothing allowed but reading the
 * plugin's own folder and the SDK. What is done here is for well-meaning plugins; the gateway does not rely on it.
 */
import { registerHooks, syncBuiltinESMExports } from "node:module";
import { Socket } from "node:net";
import os from "node:os";
import { lineReader } from "../lines.ts";
import type { FromHost, GuestStart } from "../guest-messages.ts";
import { createGuest } from "./guest.ts";

const CHANNEL = 3;
const SDK_NAME = "holdpoint/plugin";
/** A plugin has no other process to end, to look into, or to slow down. */
const FOREIGN_PROCESSES = ["kill", "_kill", "_debugProcess", "_debugEnd", "_startProfilerIdleNotifier", "dlopen"];

for (const name of Object.keys(process.env)) delete process.env[name]; // what the shell of its sandbox left there

const channel = new Socket({ fd: CHANNEL, readable: true, writable: true });
const guest = createGuest((message) => void channel.write(`${JSON.stringify(message)}\n`));
const exit = process.exit.bind(process);

for (const name of FOREIGN_PROCESSES) Reflect.deleteProperty(process, name);
Reflect.deleteProperty(os, "setPriority");
syncBuiltinESMExports();

/** The SDK and its zod are the gateway's own, so that a plugin needs neither beside it. */
function provide({ sdk }: GuestStart): void {
  registerHooks({
    resolve(specifier, context, next) {
      if (specifier === SDK_NAME) return { url: sdk, shortCircuit: true };
      if (specifier === "zod" || specifier.startsWith("zod/")) return next(specifier, { ...context, parentURL: sdk });
      return next(specifier, context);
    },
  });
}

const read = lineReader({
  onLine(line) {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the gateway's own words, over a channel of its own
    const message = JSON.parse(line) as FromHost;
    if (message.t === "start") provide(message);
    guest.receive(message);
  },
  onTooLong: () => exit(1),
});
channel.on("data", read);
channel.on("close", () => exit(0)); // the gateway is gone
channel.on("error", () => exit(0));
process.on("unhandledRejection", (reason) => guest.stray(reason));
process.on("uncaughtException", (error) => guest.stray(error));
