/**
 * `<hp-attach .app=${…} .sessionId=${…}>` inside the form of the composer: files by button, by paste and by drop, shown
 * with a way to remove each. Its parts are laid out by the form: the button before the field, the files above both.
 */
import { css, html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { SessionId } from "../../../src/protocol/ids.ts";
import { AppElement } from "../../app/app-element.ts";
import { sayNumber } from "../../i18n/say.ts";
import { t } from "../../i18n/t.ts";
import { emit } from "../../parts/emit.ts";
import { icon } from "../../parts/icon.ts";
import { buttons } from "../../parts/look/buttons.ts";
import { visibly } from "../../text/visibly.ts";
import { base } from "../../theme/base.ts";
import { attachedDrafts } from "./attached-drafts.ts";
import { blobUrl } from "./blob-url.ts";
import type { Attached } from "./prepare.ts";

const loadPreparing = () => import("./prepare.ts");

export class HpAttach extends AppElement {
  static override properties = { sessionId: { attribute: false }, isReading: { state: true } };
  static override styles = [
    base,
    buttons,
    css`
      :host {
        display: contents;
      }

      .files {
        display: flex;
        flex: 1 0 100%;
        flex-wrap: wrap;
        order: -1;
        gap: var(--hp-2);
        padding: var(--hp-1);
      }

      li {
        display: flex;
        gap: var(--hp-2);
        align-items: center;
        max-inline-size: 100%;
        padding-inline-start: var(--hp-2);
        border: 1px solid var(--hp-line);
        border-radius: var(--hp-round);
        background: var(--hp-page);
      }

      li > span {
        display: grid;
        min-inline-size: 0;
        max-inline-size: 12rem;
      }

      img {
        inline-size: 2.5rem;
        block-size: 2.5rem;
        margin-inline-start: calc(-1 * var(--hp-2));
        border-radius: var(--hp-round) 0 0 var(--hp-round);
        object-fit: cover;
      }
    `,
  ];

  declare sessionId: SessionId;
  declare isReading: boolean;
  #stops: (() => void)[] = [];

  constructor() {
    super();
    this.isReading = false;
  }

  /** As `chat.send` takes them. */
  files(): { name: string; bytes: string }[] {
    return attachedDrafts.read(this.sessionId).map(({ name, bytes }) => ({ name, bytes }));
  }

  /** After they were sent. */
  clear(sessionId: SessionId): void {
    attachedDrafts.write(sessionId, []);
    this.requestUpdate();
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void loadPreparing().catch(() => undefined); // when a file comes, the gateway may be away
    const form = this.closest("form");
    if (form === null) return;
    const listen = <Name extends keyof HTMLElementEventMap>(
      name: Name,
      heard: (event: HTMLElementEventMap[Name]) => void,
    ): void => {
      form.addEventListener(name, heard);
      this.#stops.push(() => form.removeEventListener(name, heard));
    };
    const isOver = (over: boolean): void => void form.classList.toggle("over", over);
    listen("paste", (event) => this.#given(event, event.clipboardData));
    listen("dragover", (event) => {
      if (event.dataTransfer?.types.includes("Files") !== true) return;
      event.preventDefault();
      isOver(true);
    });
    listen("dragleave", () => isOver(false));
    listen("drop", (event) => {
      isOver(false);
      this.#given(event, event.dataTransfer);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Text that is pasted or dropped goes where it always goes. */
  #given(event: Event, transfer: DataTransfer | null): void {
    const files = [...(transfer?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    void this.#add(files);
  }

  async #add(files: readonly File[]): Promise<void> {
    const { sessionId } = this;
    const preparing = await this.app.attempt(loadPreparing);
    if (preparing === undefined) return;
    this.isReading = true;
    for (const file of files) {
      const ready = await preparing.prepared(file);
      const next = "problem" in ready ? ready : preparing.withOne(attachedDrafts.read(sessionId), ready);
      if ("problem" in next) this.app.notices.tell(next.problem, "bad");
      else attachedDrafts.write(sessionId, next);
      this.requestUpdate();
    }
    this.isReading = false;
    emit(this, "hp-attached");
  }

  #remove(id: number): void {
    const files = attachedDrafts.read(this.sessionId);
    attachedDrafts.write(
      this.sessionId,
      files.filter((file) => file.id !== id),
    );
    this.requestUpdate();
    emit(this, "hp-attached");
    // the button that was pressed is gone
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>("button")?.focus());
  }

  protected override render(): TemplateResult {
    const files = attachedDrafts.read(this.sessionId);
    return html`
      <button
        type="button"
        class="button bare square"
        aria-label=${t("attachments.attach")}
        title=${t("attachments.attach")}
        ?disabled=${this.isReading}
        @click=${() => this.renderRoot.querySelector("input")?.click()}
      >
        ${icon("attach")}
      </button>
      <input
        type="file"
        multiple
        hidden
        @change=${({ target }: Event) => {
          if (!(target instanceof HTMLInputElement)) return;
          void this.#add([...(target.files ?? [])]);
          target.value = "";
        }}
      />
      ${
        files.length === 0
          ? nothing
          : html`<ul class="files" aria-label=${t("attachments.attached")}>
              ${repeat(
                files,
                ({ id }) => id,
                (file) => this.#file(file),
              )}
            </ul>`
      }
    `;
  }

  #file({ id, name, size, bytes, imageType }: Attached): TemplateResult {
    const shown = visibly(name);
    return html`<li>
      ${
        imageType === undefined
          ? icon("plan", 16)
          : html`<img
              alt=${t("attachments.image", { name: shown })}
              src=${blobUrl(`draft-${this.sessionId}-${id}`, bytes, imageType)}
            />`
      }
      <span class="small">
        <span class="clip">${shown}</span>
        <span class="quiet">${t("attachments.size", { size: sayNumber(Math.max(1, Math.round(size / 1_024))) })}</span>
      </span>
      <button
        type="button"
        class="button bare square"
        aria-label=${t("attachments.remove", { name: shown })}
        @click=${() => this.#remove(id)}
      >
        ${icon("bad", 14)}
      </button>
    </li>`;
  }
}

customElements.define("hp-attach", HpAttach);
