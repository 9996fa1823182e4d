/** The secrets of open tabs, hashed, in memory: after a restart each tab asks for another. With several gateways: stored-secrets.ts. */
import { randomBytes } from "node:crypto";
import type { OperatorId } from "../../protocol/ids.ts";
import { hashOf } from "./secret-hash.ts";

export const TAB_SECRET_BYTES = 32;
/** Beyond these the tab that was opened first has to ask again. */
const TABS_MAX = 10_000;

export type TabSecrets = {
  create(device: OperatorId): Promise<string>;
  belongs(secret: string, device: OperatorId): Promise<boolean>;
};

export function createTabSecrets(): TabSecrets {
  const devices = new Map<string, OperatorId>();
  return {
    async create(device) {
      const secret = randomBytes(TAB_SECRET_BYTES).toString("base64url");
      devices.set(hashOf(secret), device);
      const oldest = devices.keys().next().value;
      if (devices.size > TABS_MAX && oldest !== undefined) devices.delete(oldest);
      return secret;
    },
    belongs: async (secret, device) => devices.get(hashOf(secret)) === device,
  };
}
