/** A token that is asked for when it is needed, and again shortly before it ends; whoever needs it meanwhile waits for the same. */

const EARLY_MS = 60_000;
const MS = 1_000;

export type AccessToken = (signal: AbortSignal) => Promise<string>;
export type AskToken = (signal: AbortSignal) => Promise<{ token: string; expiresInSeconds: number }>;

export function createAccessToken(ask: AskToken, now: () => number): AccessToken {
  let known: { token: string; untilMs: number } | undefined;
  let asking: Promise<string> | undefined;
  async function renew(signal: AbortSignal): Promise<string> {
    const { token, expiresInSeconds } = await ask(signal);
    known = { token, untilMs: now() + expiresInSeconds * MS - EARLY_MS };
    return token;
  }
  return async (signal) => {
    if (known !== undefined && now() < known.untilMs) return known.token;
    asking ??= renew(signal).finally(() => (asking = undefined));
    return asking;
  };
}
