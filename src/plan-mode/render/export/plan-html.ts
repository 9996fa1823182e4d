/**
 * A plan as one page that needs nothing else: to keep, to print, to send. It runs nothing and loads nothing. Every text
 * of agents and people is escaped, and characters that hide or reorder what is read are shown by their names.
 */
import { planJobLine } from "../../protocol/job/plan-job-line.ts";
import type { PlanBody, PlanSeen, PlanStep } from "../../protocol/plan.ts";
import type { Note } from "../../protocol/review.ts";
import { revealHidden } from "../../../plugins/sdk.ts";
import { inPlanOrder, placeName } from "../../machine/note/notes-text.ts";
import { CODE_STYLE } from "./code-html.ts";
import { stepsTitle } from "../render-plan.ts";
import { lineHtml, markdownHtml } from "./markdown-html.ts";
import { scopeLines } from "../../protocol/step/step-lines.ts";
import {
  amendmentLines,
  decisionLines,
  type ExportedPlan,
  identity,
  proofLines,
  shownBody,
  stateLine,
} from "./exported-plan.ts";

/** For the page itself, wherever it is opened; whoever serves it sends the same as a header. */
export const EXPORT_CSP = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const esc = (text: string): string => revealHidden(text).replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? "");

export function planHtml(exported: ExportedPlan): string {
  const body = shownBody(exported);
  const main = mainHtml(body, exported);
  const style = main.includes("<pre>") ? [STYLE, CODE_STYLE] : [STYLE];
  return [
    "<!doctype html>",
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${EXPORT_CSP}">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex, nofollow"><meta name="referrer" content="no-referrer">',
    `<title>${esc(body.title)}</title><style>${style.join("")}</style></head><body><main>`,
    main,
    "</main></body></html>\n",
  ].join("\n");
}

function mainHtml(body: PlanBody, exported: ExportedPlan): string {
  return [
    `<h1>${lineHtml(body.title, esc)}</h1>`,
    `<p><strong>${esc(stateLine(exported))}</strong></p>`,
    paragraphs("Summary", body.summary),
    paragraphs("Analysis", body.analysis),
    stepsHtml(body.plan, exported),
    list("Amendments", amendmentLines(exported)),
    list("Assumptions", body.assumptions),
    risksHtml(body.risks),
    list("Verification", body.verification),
    list("References", body.references),
    ...(body.jobs === undefined ? [] : [list("Scheduled jobs that stay", body.jobs.map(planJobLine))]),
    list("Decisions", decisionLines(exported)),
    notesHtml(exported.notes),
    `<footer><dl>${identity(exported)
      .map(([name, value]) => `<dt>${esc(name)}</dt><dd>${esc(value)}</dd>`)
      .join("")}</dl></footer>`,
  ].join("\n");
}

/** Steps and items are lines as a rule; some hold whole blocks, such as a fenced command. */
const marked = (text: string): string => (text.includes("\n") ? markdownHtml(text, esc) : lineHtml(text, esc));

const section = (title: string, inner: string): string => `<section><h2>${esc(title)}</h2>${inner}</section>`;

function paragraphs(title: string, text: string | undefined): string {
  return text === undefined ? "" : section(title, markdownHtml(text.trim(), esc));
}

function list(title: string, items: readonly string[] | undefined): string {
  if (items === undefined || items.length === 0) return "";
  return section(title, `<ul>${items.map((item) => `<li>${marked(item)}</li>`).join("")}</ul>`);
}

function risksHtml(risks: PlanBody["risks"]): string {
  if (risks === undefined || risks.length === 0) return "";
  const rows = risks.map(({ risk, mitigation }) => `<tr><td>${marked(risk)}</td><td>${marked(mitigation)}</td></tr>`);
  return section("Risks", `<table><tr><th>Risk</th><th>Mitigation</th></tr>${rows.join("")}</table>`);
}

function stepsHtml(steps: readonly PlanStep[], seen: PlanSeen): string {
  return section(stepsTitle(steps).text, `<ol>${steps.map((step) => stepHtml(step, seen)).join("")}</ol>`);
}

function stepHtml(given: PlanStep, seen: PlanSeen): string {
  const { step, status, acceptanceCriteria = [], verifiedCriteria = [], scope = {} } = given;
  const proofs = proofLines(seen, given);
  const verified = new Set(verifiedCriteria.map((criterion) => criterion.trim()));
  const criteria = acceptanceCriteria.map((criterion) => {
    const mark = verified.has(criterion.trim()) ? "☑" : "☐";
    const proof = proofs.get(criterion.trim());
    return `<li>${mark} ${marked(criterion)}${proof === undefined ? "" : `<br><small>${esc(proof)}</small>`}</li>`;
  });
  const touched = scopeLines(scope).map((line) => `<li><small>${esc(line)}</small></li>`);
  const inside = [...criteria, ...touched];
  const state = status === "pending" ? "" : ` <small>(${esc(status.replaceAll("_", " "))})</small>`;
  return `<li><div>${marked(step)}${state}</div>${inside.length === 0 ? "" : `<ul>${inside.join("")}</ul>`}</li>`;
}

function notesHtml(notes: readonly Note[]): string {
  if (notes.length === 0) return "";
  return section("Notes", inPlanOrder(notes).map(noteHtml).join(""));
}

function noteHtml(note: Note): string {
  const { n, kind, by, revision, resolved, anchor, text, replies } = note;
  const state = resolved === null ? "open" : `resolved by ${resolved.by.name}`;
  const head = `n${n} · ${kind} · ${placeName(note)} · ${by.name}, revision ${revision} · ${state}`;
  const quote =
    anchor.on === "plan" || anchor.quote === undefined ? "" : `<blockquote>${esc(anchor.quote.exact)}</blockquote>`;
  const answers = replies.map((reply) => `<p class="text">${esc(reply.by.name)}: ${esc(reply.text)}</p>`);
  return `<article><h3>${esc(head)}</h3>${quote}<p class="text">${esc(text)}</p>${answers.join("")}</article>`;
}

const STYLE = [
  ":root{color-scheme:light dark}",
  "body{font:16px/1.5 system-ui,sans-serif;margin:0;padding:2rem 1rem}",
  "main{max-width:46rem;margin:auto;overflow-wrap:anywhere}",
  "h1{font-size:1.6rem;line-height:1.25}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:.95rem;margin:1rem 0 .25rem}",
  ".text{white-space:pre-wrap}ol>li{margin:.6rem 0}li p{margin:0}li ul{list-style:none;padding-left:.5rem}",
  "h4,h5,h6{font-size:1rem;margin:1rem 0 .25rem}code{font:.9em ui-monospace,monospace}pre{overflow-x:auto;padding:.75rem;background:#8882;border-radius:.4rem}pre code{white-space:pre;overflow-wrap:normal}",
  ".wide{overflow-x:auto}.wide td,.wide th{overflow-wrap:normal}ul.marked{list-style:none;padding-left:.25rem}.d1{padding-left:1.5rem}.d2{padding-left:3rem}.d3,.d4{padding-left:4.5rem}",
  "table{border-collapse:collapse;width:100%}td,th{border:1px solid #8888;padding:.4rem .6rem;text-align:left;vertical-align:top}",
  "blockquote{margin:.25rem 0;padding-left:.75rem;border-left:3px solid #8888}",
  "h1,h2,h3,p,li,td,th,blockquote{unicode-bidi:plaintext}code,pre{direction:ltr;unicode-bidi:isolate}", // words in the direction of their language
  "footer{margin-top:3rem;border-top:1px solid #8888;font-size:.85rem}dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dd{margin:0}",
  "@media print{body{padding:0;font-size:11pt}section,article,li{break-inside:avoid}h2{break-after:avoid}}",
].join("");
