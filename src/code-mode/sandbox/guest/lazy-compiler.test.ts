import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const at = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);
const wasm = JSON.stringify(fileURLToPath(import.meta.resolve("quickjs-wasi/quickjs.wasm")));

/** A worker's side on the main thread of a process of its own, which says what it has loaded after each cell. */
const SCRIPT = `
import { readFileSync } from "node:fs";
import Module from "node:module";
import { MessageChannel } from "node:worker_threads";
import { createImage } from ${at("./guest-vm.ts")};
import { serveWorker } from ${at("./serve-worker.ts")};
import { KINDS, messageBytes, readMessage } from ${at("../message-bytes.ts")};
import { NO_BINDINGS } from ${at("../sandbox.ts")};
import { DEFAULT_CELL_LIMITS } from ${at("../cell-limits.ts")};
const module = await WebAssembly.compile(readFileSync(${wasm}));
const { port1, port2 } = new MessageChannel();
serveWorker(port2, { wasm: module, image: await createImage(module), progress: new Int32Array(2) });
const isLoaded = () => Object.keys(Module._cache).some((path) => path.includes("sucrase"));
const said = [isLoaded()];
for (const language of ["javascript", "typescript"]) {
  const text = JSON.stringify({ code: "return 1", language, bindings: NO_BINDINGS, limits: DEFAULT_CELL_LIMITS });
  port1.postMessage(messageBytes({ cell: 1, kind: KINDS.run, number: 9000, text }));
  const outcome = await new Promise((done) => port1.once("message", (whole) => done(readMessage(whole))));
  said.push(JSON.parse(outcome.text).status, isLoaded());
}
port1.close();
process.stdout.write(JSON.stringify(said));
`;

it("[CM-08] 134, 154: the compiler is loaded for a TypeScript cell and never for JavaScript", () => {
  const said = execFileSync(process.execPath, ["--input-type=module", "--eval", SCRIPT], { encoding: "utf8", env: {} });
  expect(JSON.parse(said)).toEqual([false, "completed", false, "completed", true]);
});
