/** What proves a criterion, and what was seen of it: command, exit code, excerpt, digest, a person's word. Never a claim. */
import { css, html, nothing, type TemplateResult } from "lit";
import { shortDigest } from "../../src/protocol/card/card.ts";
import type { Evidence } from "../../src/plan-mode/protocol/step/evidence.ts";
import type { Proof } from "../../src/plan-mode/protocol/step/proof.ts";
import { sayDate, sayTime } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { nameOf } from "../localized/name-of.ts";
import type { SeenProof } from "../state/present-steps.ts";
import { visibly } from "../text/visibly.ts";

/** Where the call that proves it is shown, and how a click gets there without leaving the view. */
export type CallLink = { href: string; onGo?: (event: Event) => void };

export type ShownProof = { proof: Proof; seen: SeenProof | undefined };

export const proofLines = (
  { proof, seen }: ShownProof,
  linkOf?: (callId: string) => CallLink | undefined,
): TemplateResult =>
  html`<div class="proof small quiet" dir="ltr" data-skip>
    <div>
      ${askedFor(proof)}
      ${seen === undefined ? nothing : html` · <b class="standing ${seen.standing}">${t(`proof.standing_${seen.standing}`)}</b>`}
    </div>
    ${seen?.evidence === undefined ? nothing : evidenceLine(seen.evidence, linkOf)}
  </div>`;

function askedFor(proof: Proof): TemplateResult {
  switch (proof.by) {
    case "command":
      return html`${t("proof.askCommand", { code: proof.exitCode })} · <code>${visibly(proof.command)}</code>`;
    case "file":
      return html`${t("proof.askFile")} · <code>${visibly(proof.path)}</code>${
          proof.contains === undefined ? nothing : html` · ${t("proof.askContains", { text: visibly(proof.contains) })}`
        }${proof.sha256 === undefined ? nothing : html` · ${digest(proof.sha256)}`}`;
    case "person":
      return html`${t("proof.askPerson")}`;
  }
}

function evidenceLine(evidence: Evidence, linkOf?: (callId: string) => CallLink | undefined): TemplateResult {
  const link = "callId" in evidence ? linkOf?.(evidence.callId) : undefined;
  const { atMs } = evidence;
  return html`<div class="evidence">
    ${seenLine(evidence)} ·
    <time datetime=${new Date(atMs).toISOString()} title=${sayDate(atMs)}>${sayTime(atMs)}</time>
    ${
      link === undefined
        ? nothing
        : html` · <a href=${link.href} @click=${(event: Event) => link.onGo?.(event)}>${t("proof.toCall")}</a>`
    }
    ${
      evidence.kind === "command" && evidence.excerpt.trim() !== ""
        ? html`<details>
            <summary>${t("proof.output")}</summary>
            <pre tabindex="0">${visibly(evidence.excerpt)}</pre>
          </details>`
        : nothing
    }
  </div>`;
}

function seenLine(evidence: Evidence): TemplateResult {
  switch (evidence.kind) {
    case "command":
      return html`<code>${visibly(evidence.command)}</code> ·
        <b class=${evidence.passed ? "good" : "bad"}>${t("proof.exitCode", { code: evidence.exitCode })}</b> ·
        ${digest(evidence.outputDigest)}`;
    case "file":
      return html`<code>${visibly(evidence.path)}</code> ·
        <b class=${evidence.passed ? "good" : "bad"}>${t(evidence.passed ? "proof.fileAs" : "proof.fileNot")}</b> ·
        ${digest(evidence.sha256)}`;
    case "word":
      return html`${t("proof.word", { name: nameOf(evidence.by) })}`;
    case "waiver":
      return html`${t("proof.waiver", { name: nameOf(evidence.by), reason: visibly(evidence.reason) })}`;
  }
}

/** The whole of it on demand; its beginning is enough to compare with what another surface shows. */
const digest = (whole: string): TemplateResult => html`<span title=${whole}>SHA-256 ${shortDigest(whole)}</span>`;

export const proofLook = css`
  .proof {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 0.125rem;
    overflow-wrap: anywhere;
    white-space: normal; /* a step keeps its line breaks, these lines are ours */
  }

  .evidence a {
    white-space: nowrap;
  }

  .evidence {
    padding-inline-start: var(--hp-2);
    border-inline-start: 2px solid var(--hp-line);
  }

  .proof pre {
    overflow: auto;
    max-block-size: 12rem;
    margin-block: var(--hp-1);
    padding: var(--hp-2);
    border-radius: var(--hp-round-small);
    background: var(--hp-sunken);
    color: var(--hp-text);
    font-size: var(--hp-size-small);
    white-space: pre-wrap;
  }

  .proof summary {
    inline-size: fit-content;
    min-block-size: 1.5rem;
    cursor: pointer;
  }

  .standing.proven,
  .standing.earlier,
  .evidence .good {
    color: var(--hp-good);
  }

  .standing.failed,
  .evidence .bad {
    color: var(--hp-bad);
  }

  .standing.outdated,
  .standing.waived {
    color: var(--hp-waiting);
  }
`;
