/** An account at a Matrix server. */
import { z } from "zod";
import { ACCOUNT_SETTINGS, secretSetting } from "../account-settings.ts";

export const matrixSettings = z.strictObject({
  kind: z.literal("matrix"),
  ...ACCOUNT_SETTINGS,
  homeserver: z
    .url({ protocol: /^https?$/ })
    .describe("The address of the server, for example https://matrix.example.org."),
  accessToken: secretSetting.describe("The access token of the bot's own account, or ${MATRIX_ACCESS_TOKEN}."),
});
export type MatrixSettings = z.infer<typeof matrixSettings>;
