/** `<hp-attached-images .app=${…} .sessionId=${…} .files=${…}>`: images of a message that was sent, read when it is in sight. */
import { css, html, nothing, type PropertyValues, type TemplateResult } from "lit";
import type { AttachmentRef } from "../../../src/protocol/attachment.ts";
import type { SessionId } from "../../../src/protocol/ids.ts";
import { AppElement } from "../../app/app-element.ts";
import { t } from "../../i18n/t.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";
import { blobUrl, KEPT_TYPES, knownUrl } from "./blob-url.ts";

class AttachedImages extends AppElement {
  static override properties = {
    sessionId: { attribute: false },
    files: { attribute: false },
    missing: { state: true },
    opened: { state: true },
  };
  static override styles = [
    base,
    css`
      :host {
        display: flex;
        flex-wrap: wrap;
        gap: var(--hp-2);
        margin-block-start: var(--hp-2);
      }

      .place {
        display: grid;
        place-items: center;
        min-inline-size: 8rem;
        block-size: 8rem;
        padding: 0;
        overflow: hidden;
        border: 1px solid var(--hp-line);
        border-radius: var(--hp-round);
        background: var(--hp-sunken);
        color: var(--hp-quiet);
      }

      button.place {
        cursor: zoom-in;
      }

      .place img {
        block-size: 100%;
        max-inline-size: 16rem;
        object-fit: cover;
      }

      .place p {
        max-inline-size: 10rem;
        padding: var(--hp-2);
        text-align: center;
      }

      .large {
        display: block;
        max-inline-size: 100%;
        max-block-size: 75dvh;
        margin-inline: auto;
      }
    `,
  ];

  declare sessionId: SessionId;
  declare files: readonly AttachmentRef[];
  declare missing: ReadonlySet<string>;
  declare opened: AttachmentRef | undefined;
  readonly #asked = new Set<string>();

  constructor() {
    super();
    this.files = [];
    this.missing = new Set();
  }

  protected override reads() {
    return [this.app.state.connection]; // what could not be read is tried again when the gateway is back
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    if (this.app.state.connection.get().status !== "online") {
      if (this.missing.size > 0) this.missing = new Set();
      return;
    }
    for (const file of this.files) if (knownUrl(file.id) === undefined) void this.#read(file);
  }

  async #read({ id }: AttachmentRef): Promise<void> {
    if (this.#asked.has(id) || this.missing.has(id)) return;
    this.#asked.add(id);
    try {
      const { attachment } = await this.app.call("chat.attachment", { sessionId: this.sessionId, id });
      if (!KEPT_TYPES.has(attachment.mediaType)) throw new Error("no image");
      blobUrl(id, attachment.bytes, attachment.mediaType);
      this.requestUpdate();
    } catch {
      this.missing = new Set([...this.missing, id]);
    }
    this.#asked.delete(id);
  }

  protected override render(): TemplateResult {
    const { opened } = this;
    const url = opened === undefined ? undefined : knownUrl(opened.id);
    return html`
      ${this.files.map((file) => this.#image(file))}
      ${
        opened === undefined || url === undefined
          ? nothing
          : html`<hp-dialog open heading=${visibly(opened.name)} @hp-close=${() => (this.opened = undefined)}>
              <img class="large" src=${url} alt=${t("attachments.image", { name: visibly(opened.name) })} />
            </hp-dialog>`
      }
    `;
  }

  async #open(file: AttachmentRef): Promise<void> {
    if ((await this.app.attempt(() => import("../../parts/dialog.ts"))) !== undefined) this.opened = file;
  }

  #image(file: AttachmentRef): TemplateResult {
    const name = visibly(file.name);
    const url = knownUrl(file.id);
    if (url === undefined) {
      const text = this.missing.has(file.id) ? t("attachments.missing", { name }) : t("attachments.loading", { name });
      return html`<div class="place"><p class="small">${text}</p></div>`;
    }
    return html`<button
      class="place"
      aria-label=${t("attachments.larger", { name })}
      @click=${() => void this.#open(file)}
    >
      <img src=${url} alt=${t("attachments.image", { name })} />
    </button>`;
  }
}

customElements.define("hp-attached-images", AttachedImages);
