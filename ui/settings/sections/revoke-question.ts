/** Asks before a log-in or a passkey is revoked: it cannot be taken back. */
import { html, type TemplateResult } from "lit";
import { t } from "../../i18n/t.ts";
import { visibly } from "../../text/visibly.ts";
import "../../parts/dialog.ts";

type Question = {
  heading: string;
  hint: string;
  /** What is to be revoked; nothing is asked without it. */
  name: string | undefined;
  revoke(): void;
  close(): void;
};

export const revokeQuestion = ({ heading, hint, name, revoke, close }: Question): TemplateResult =>
  html`<hp-dialog heading=${heading} ?open=${name !== undefined} @hp-close=${close}>
    <div class="stack">
      <p><strong>${visibly(name ?? "")}</strong></p>
      <p>${hint}</p>
      <div class="row">
        <button class="button danger" @click=${revoke}>${t("settings.revoke")}</button>
        <button class="button" @click=${close}>${t("settings.cancel")}</button>
      </div>
    </div>
  </hp-dialog>`;
