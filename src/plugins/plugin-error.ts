/** Why a plugin may not do something, or could not be switched on. Each reason is another error, so that each has its own cure. */
export type PluginProblem =
  /** It would hold the gate, and its tier may not: trust it, or leave it. */
  | "not-trusted"
  /** Its manifest does not say that it would: what is not declared is not allowed. */
  | "not-declared"
  /** Somebody else has the name. */
  | "taken"
  /** The root belongs to the house. */
  | "reserved"
  | "invalid"
  /** Its own code failed, or did not come to an end. */
  | "failed"
  /** It is switched off; what it held of the gateway is dead. */
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
