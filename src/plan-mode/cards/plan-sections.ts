/** A plan's text as a card carries it: its steps, and what it says besides them where the whole text is at hand. */
import type { CardCriterion, CardSection, CardStep } from "../../protocol/card/card.ts";
import type { PlanBody, PlanStep } from "../protocol/plan.ts";
import type { PlanJob } from "../protocol/job/plan-job.ts";
import { planJobLine } from "../protocol/job/plan-job-line.ts";
import type { TriedWrite } from "../protocol/hold.ts";
import type { Note, PlanSection } from "../protocol/review.ts";
import type { Amendment, StepScope } from "../protocol/step/scope.ts";
import { evidenceFor, type Seen, standingOf } from "../protocol/step/proof-standing.ts";
import { evidenceLine, proofLine, SCOPE_PARTS } from "../protocol/step/step-lines.ts";
import { localized } from "../texts/localized.ts";
import { isCritics } from "../machine/critic/critic-notes.ts";
import { placeName } from "../machine/note/notes-text.ts";
import { oneLine, revealHidden } from "../../plugins/sdk.ts";
import { declaredBy } from "../machine/scope/plan-scope.ts";
import { cardText } from "./card-text.ts";

export function planSections(body: PlanBody): CardSection[] {
  const pairs = (body.risks ?? []).map(({ risk, mitigation }) => ({ text: risk, answer: mitigation }));
  return [
    ...written("summary", body.summary),
    ...written("analysis", body.analysis),
    ...listed("assumptions", body.assumptions),
    ...(pairs.length === 0 ? [] : [{ ...headed("risks"), pairs }]),
    ...listed("verification", body.verification),
    ...listed("references", body.references),
    ...jobSections(body.jobs),
  ];
}

/** The scheduled jobs that stay when the plan ends. */
export const jobSections = (jobs: readonly PlanJob[] = []): CardSection[] => listed("jobs", jobs.map(planJobLine));

/** What the critic noted, wherever its notes come in: also after the card was shown first. */
export function criticSections(notes: readonly Note[]): CardSection[] {
  const items = notes.filter(isCritics).map((note) => oneLine(`${placeName(note)}: ${note.text}`));
  return items.length === 0 ? [] : [{ id: CRITIC_SECTION, heading: cardText(localized("cardCritic")), items }];
}

export const CRITIC_SECTION = "critic";

/** What the kernel refused a held run, so that people see what it wants before they sign. */
export function triedSections(tried: TriedWrite | undefined): CardSection[] {
  if (tried === undefined) return [];
  const { others } = tried;
  const heading = others === 0 ? localized("cardTried") : localized("cardTriedMore", { count: others + 1 });
  return [{ id: "tried", heading: cardText(heading), items: [triedLine(tried)] }];
}

export const triedLine = ({ path, program }: TriedWrite): string =>
  revealHidden(oneLine(program === "" ? path : `${path} (${program})`));

const headed = (id: PlanSection): Pick<CardSection, "id" | "heading"> => ({
  id,
  heading: cardText(localized(`section_${id}`)),
});

const written = (id: PlanSection, text = ""): CardSection[] => (text.trim() === "" ? [] : [{ ...headed(id), text }]);

const listed = (id: PlanSection, items: string[] = []): CardSection[] =>
  items.length === 0 ? [] : [{ ...headed(id), items }];

/** Of lists of steps that ask for no proof: such a list is drawn the same for as long as it is there. */
const drawn = new WeakMap<readonly PlanStep[], CardStep[]>();

/** `seen`: what was seen of the criteria, once the plan is carried out. The list is shared: not to be changed. */
export function cardSteps(steps: readonly PlanStep[], seen?: Seen): CardStep[] {
  const known = drawn.get(steps);
  if (known !== undefined) return known;
  const numbers = new Map(steps.flatMap(({ id }, index) => (id === undefined ? [] : [[id, index + 1] as const])));
  const made = steps.map((step) => cardStep(step, numbers, seen));
  if (steps.every(({ proof }) => proof === undefined)) drawn.set(steps, made);
  return made;
}

function proofOf({ step, proof = [] }: PlanStep, criterion: string, seen: Seen | undefined): Partial<CardCriterion> {
  const one = proof.find((found) => found.criterion === criterion.trim());
  if (one === undefined) return {};
  if (seen === undefined) return { proof: proofLine(one) };
  const found = evidenceFor(seen, step, one.criterion);
  const standing = standingOf(seen, step, one.criterion);
  return { proof: proofLine(one), standing, ...(found === undefined ? {} : { seen: evidenceLine(found) }) };
}

function cardStep(given: PlanStep, numbers: ReadonlyMap<string, number>, seen: Seen | undefined): CardStep {
  const { step, status, activeForm, acceptanceCriteria = [], verifiedCriteria = [] } = given;
  const { dependsOn = [], scope } = given;
  const verified = new Set(verifiedCriteria.map((criterion) => criterion.trim()));
  const after = dependsOn.flatMap((id) => numbers.get(id) ?? []);
  return {
    text: step,
    status,
    ...(activeForm === undefined ? {} : { activeForm }),
    criteria: acceptanceCriteria.map((text) => ({
      text,
      verified: verified.has(text.trim()),
      ...proofOf(given, text, seen),
    })),
    ...(after.length === 0 ? {} : { after }),
    ...(scope === undefined ? {} : { scope }),
  };
}

type Declared = { added: readonly Amendment[]; isLimit: boolean };

/** Of lists of steps that nothing was added to, as a limit and as what is open: the same for as long as the list is there. */
const declared = {
  limit: new WeakMap<readonly PlanStep[], CardSection[]>(),
  open: new WeakMap<readonly PlanStep[], CardSection[]>(),
};

/** Everything that the plan declares, in one place before the signature; `isLimit`: nothing else is unlocked. */
export function declaredSections(steps: readonly PlanStep[], { added, isLimit }: Declared): CardSection[] {
  const known = isLimit ? declared.limit : declared.open;
  const found = added.length === 0 ? known.get(steps) : undefined;
  if (found !== undefined) return found;
  const made = scopeSections([...steps.flatMap(declaredBy), ...added.map(({ add }) => add)], isLimit);
  if (added.length === 0) known.set(steps, made);
  return made;
}

function scopeSections(scopes: readonly StepScope[], isLimit: boolean): CardSection[] {
  const sections = SCOPE_PARTS.flatMap((part): CardSection[] => {
    const items = [...new Set(scopes.flatMap((scope) => scope[part] ?? []))];
    const heading = cardText(localized(isLimit ? `scope_only_${part}` : `scope_${part}`));
    return items.length === 0 ? [] : [{ id: `scope_${part}`, heading, items: items.slice(0, SECTION_ITEMS_MAX) }];
  });
  if (!isLimit || sections.length > 0) return sections;
  return [{ id: "scope", heading: cardText(localized("scope_nothing")) }];
}

/** As many as a card takes; the steps hold them all. */
const SECTION_ITEMS_MAX = 200;
