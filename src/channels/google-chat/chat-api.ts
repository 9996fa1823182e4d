/** Google's APIs with a service account: a token for an hour, then plain requests. */
import { importPKCS8, SignJWT } from "jose";
import { z } from "zod";
import { SendError } from "../port.ts";
import { createAccessToken } from "../wire/access-token.ts";
import { answerIn, isOk, refusedBy, vendorRequest, type VendorRequest } from "../wire/vendor-request.ts";

const TITLE = "Google Chat";
const MS = 1_000;
const HOUR_SECONDS = 3_600;
const SCOPES = "https://www.googleapis.com/auth/chat.bot https://www.googleapis.com/auth/pubsub";
const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";

const Key = z.object({ client_email: z.string(), private_key: z.string(), token_uri: z.url() });
export type ServiceKey = z.infer<typeof Key>;
const Token = z.object({ access_token: z.string(), expires_in: z.number() });
const Problem = z.object({ error: z.object({ message: z.string().default("") }) });

export type GoogleCall = Omit<VendorRequest, "title" | "headers"> & { url: string };
export type CallGoogle = <Shape extends z.ZodType>(call: GoogleCall, shape: Shape) => Promise<z.infer<Shape>>;

/** Throws without showing what stands in it. */
export function serviceKey(text: string): ServiceKey {
  try {
    return Key.parse(JSON.parse(text));
  } catch {
    throw new Error("serviceAccount is not the JSON of a service account's key");
  }
}

export function createGoogleApi(key: ServiceKey, now: () => number): CallGoogle {
  const access = createAccessToken((signal) => askToken(key, now, signal), now);
  return async ({ url, ...request }, shape) => {
    const token = await access(request.signal).catch((error: unknown) => {
      // nothing was sent yet, whatever became of the request for the token
      throw new SendError(error instanceof Error ? error.message : String(error), { retry: "later" });
    });
    const answer = await vendorRequest(url, {
      title: TITLE,
      headers: { authorization: `Bearer ${token}` },
      ...request,
    });
    if (isOk(answer)) return answerIn(TITLE, answer.body, shape);
    throw refusedBy(TITLE, answer, Problem.safeParse(answer.body).data?.error.message ?? "");
  };
}

async function askToken(
  { client_email: email, private_key: pem, token_uri: uri }: ServiceKey,
  now: () => number,
  signal: AbortSignal,
) {
  const atSeconds = Math.floor(now() / MS);
  const assertion = await new SignJWT({ scope: SCOPES })
    .setProtectedHeader({ alg: "RS256", typ: "JWT" })
    .setIssuer(email)
    .setAudience(uri)
    .setIssuedAt(atSeconds)
    .setExpirationTime(atSeconds + HOUR_SECONDS)
    .sign(await importPKCS8(pem, "RS256"));
  const body = new URLSearchParams({ grant_type: GRANT, assertion });
  const answer = await vendorRequest(uri, { title: TITLE, body, signal });
  if (!isOk(answer)) throw new SendError("Google does not accept the key of the service account.", { retry: "later" });
  const { access_token: token, expires_in: expiresInSeconds } = answerIn(TITLE, answer.body, Token);
  return { token, expiresInSeconds };
}
