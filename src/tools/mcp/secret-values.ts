/** `${NAME}` in a setting → the secret of that name, looked up when a server is started and kept nowhere. */

export type SecretSource = (name: string) => Promise<string | undefined>;

const REFERENCE = /\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** The gateway's own variables lead to its token: no server gets them under any name. */
const OWN = /^HOLDPOINT_/i;

/** Throws, naming the secret and never its value, when one is not there. */
export async function fillSecrets(
  values: Readonly<Record<string, string>>,
  secret: SecretSource,
): Promise<Record<string, string>> {
  const filled: Record<string, string> = {};
  for (const [key, value] of Object.entries(values)) {
    const names = [...value.matchAll(REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name]));
    const found = new Map<string, string>();
    for (const name of names) found.set(name, await mustFind(name, secret));
    filled[key] = value.replaceAll(REFERENCE, (whole, name: string) => found.get(name) ?? whole);
  }
  return filled;
}

async function mustFind(name: string, secret: SecretSource): Promise<string> {
  if (OWN.test(name)) throw new Error(`${name} is the gateway's own and is not handed on`);
  const value = await secret(name);
  if (value === undefined) throw new Error(`${name} is set neither in the environment nor in secrets.yaml`);
  return value;
}

/** Those of the names that have a value. */
export async function passSecrets(names: readonly string[], secret: SecretSource): Promise<Record<string, string>> {
  const passed: Record<string, string> = {};
  for (const name of names) {
    const value = OWN.test(name) ? undefined : await secret(name);
    if (value !== undefined) passed[name] = value;
  }
  return passed;
}
