/**
 * Closes the debugger that a signal opened before the launcher could see to it. Whoever starts the gateway with a
 * debugger on the command line keeps it.
 */
export function closeInspector({ execArgv, env }: Pick<NodeJS.Process, "execArgv" | "env"> = process): void {
  const isAskedFor = /--inspect\b/.test([...execArgv, env["NODE_OPTIONS"] ?? ""].join(" "));
  if (isAskedFor) return;
  const inspector = process.getBuiltinModule("node:inspector");
  if (inspector.url() !== undefined) inspector.close();
}
