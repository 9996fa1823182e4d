/** Why a plugin may not do something, or could not be switched on. Each reason is another error, so that each has its own cure. */
export type PluginProblem =
  /** It would take part in the gate, which its tier may not: trust it, or leave it. */
  | "not-trusted"
  /** Its manifest does not declare it: what is not declared is not allowed. */
  | "not-declared"
  /** The name is taken. */
  | "taken"
  /** The command name is reserved for the gateway. */
  | "reserved"
  | "invalid"
  /** Its own code failed, or did not come to an end. */
  | "failed"
  /** The invocation that asks for it may only read. */
  | "only-reads"
  /** It is switched off; its api no longer works. */
  | "disabled"
  | "unknown"
  /** Part of the gateway: it cannot be switched off. */
  | "permanent";

export class PluginError extends Error {
  readonly problem: PluginProblem;
  readonly pluginId: string;
  constructor(why: { problem: PluginProblem; pluginId: string }, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "PluginError";
    this.problem = why.problem;
    this.pluginId = why.pluginId;
  }
}
