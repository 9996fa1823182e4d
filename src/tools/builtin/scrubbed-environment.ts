/** Names that carry secrets, or that make a shell or an interpreter run something of its own accord. */
const SECRET = /PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|API_?KEY|PRIVATE_?KEY|(?:^|_)KEY$/i;
const STEERING =
  /^(?:HOLDPOINT_.*|BASH_ENV|ENV|BASH_FUNC_.*|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|NODE_OPTIONS|RIPGREP_CONFIG_PATH|npm_.*)$/i;

/** The gateway's environment as a tool may see it: enough to work, nothing of the gateway's own and no keys. */
export function scrubbedEnvironment(from: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(from)) {
    if (value !== undefined && !SECRET.test(name) && !STEERING.test(name)) kept[name] = value;
  }
  return { ...kept, TERM: "dumb", NO_COLOR: "1", PAGER: "cat", GIT_PAGER: "cat", GIT_TERMINAL_PROMPT: "0" };
}
