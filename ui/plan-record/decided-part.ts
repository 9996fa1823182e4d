/** Who decided about a text, when and where, and whether what is shown is what they signed. */
import { html, nothing, type TemplateResult } from "lit";
import { shortDigest } from "../../src/protocol/card/card.ts";
import type { PlanDecided } from "../../src/plan-mode/protocol/review.ts";
import { scopeLines } from "../../src/plan-mode/protocol/step/step-lines.ts";
import { sayDate } from "../i18n/say.ts";
import { t } from "../i18n/t.ts";
import { acceptedByRule, nameOf } from "../localized/name-of.ts";
import { avatar } from "../parts/avatar.ts";
import { icon } from "../parts/icon.ts";
import { decisionWords } from "../review/decide/decision-words.ts";
import { visibly } from "../text/visibly.ts";
import type { PlanRecord } from "./read-record.ts";
import { digestStanding } from "./text-digest.ts";

type Decided = Pick<PlanRecord, "plan" | "decisions" | "progress" | "computed">;

export function decidedPart({ plan, decisions, progress, computed }: Decided): TemplateResult {
  const amendments = progress?.amendments ?? [];
  return html`${
      decisions.length === 0
        ? html`<p>${t("record.nobody")}</p>`
        : html`<ol class="decisions" aria-label=${t("record.decisions")}>
            ${decisions.map((fact) => decidedLine(fact, digestStanding(fact.digest, plan, computed)))}
          </ol>`
    }
    <p class="small quiet digest">${t("record.digest")} <code>${plan.digest}</code></p>
    ${
      amendments.length === 0
        ? nothing
        : html`<h3>${t("record.amended")}</h3>
            <ul class="decisions">
              ${amendments.map(
                ({ add, by, atMs }) =>
                  html`<li>
                    ${avatar(by.name)}
                    <div>
                      <p><strong>${nameOf(by)}</strong> · ${when(atMs)}</p>
                      <p class="small"><code>${visibly(scopeLines(add).join("; "))}</code></p>
                    </div>
                  </li>`,
              )}
            </ul>`
    }`;
}

function decidedLine(fact: PlanDecided, standing: ReturnType<typeof digestStanding>): TemplateResult {
  const { by, atMs, surface, feedback = "", digest } = fact;
  const byRule = acceptedByRule(by);
  return html`<li>
    ${by.kind === "operator" ? avatar(by.name) : icon("settings", 28)}
    <div>
      <p>
        <strong>${byRule ?? nameOf(by)}</strong>: ${decisionWords(fact)} ·
        ${when(atMs)}${surface === undefined ? nothing : html` · ${surfaceWords(surface)}`}
      </p>
      <p class="small decided-on ${standing}">
        ${icon(standing === "other" ? "bad" : "check", 14)}
        <span
          >${standing === "other" ? t("record.digestOther", { digest: shortDigest(digest) }) : t(`record.digest_${standing}`)}</span
        >
      </p>
      ${feedback === "" ? nothing : html`<p class="said">${visibly(feedback)}</p>`}
    </div>
  </li>`;
}

const when = (atMs: number): TemplateResult =>
  html`<time datetime=${new Date(atMs).toISOString()}>${sayDate(atMs)}</time>`;

function surfaceWords(surface: string): string {
  return surface === "web" || surface === "cli" || surface === "api"
    ? t(`record.surface_${surface}`)
    : t("record.surfaceOther", { surface: visibly(surface) });
}
