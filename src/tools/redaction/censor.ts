/** What stands where a secret was left out. */
export const CENSOR = "[redacted]";
