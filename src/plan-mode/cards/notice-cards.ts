/** What people should know about how plans pass here without any of them. */
import type { CardAction, NoticeCard } from "../../protocol/card/card.ts";
import { WRITTEN_CHARS_MAX } from "../protocol/command.ts";
import type { Hold, TriedWrite } from "../protocol/hold.ts";
import type { PlanModeSettings } from "../protocol/settings.ts";
import type { PlanModeState } from "../protocol/state.ts";
import type { LocalizedText } from "../../protocol/localized/localized-text.ts";
import { localized } from "../texts/localized.ts";
import { PLAN_MODE_SLICE } from "../machine/gate.ts";
import { cardText, nameOf } from "./card-text.ts";
import type { PlanCardContext } from "./plan-card-context.ts";
import { triedLine } from "./plan-sections.ts";

export const AUTO_NOTICE = "plan-mode.auto";
export const NO_APPROVAL_NOTICE = "plan-mode.no-approval";
const OUTSIDE_NOTICE = "plan-mode.outside";
const UNGATED_NOTICE = "plan-mode.ungated";

export function noticeCards(state: PlanModeState, { settings, session }: PlanCardContext): NoticeCard[] {
  const { auto, now, held } = state;
  const isWithoutPlan = now.phase !== "executing" && now.phase !== "pending";
  const unlocksAtOnce = now.mode === "plan" && !settings.requireApproval;
  return [
    ...(held === undefined ? [] : [holdCard(held, state, settings)]),
    ...(state.ungatedAtMs === undefined ? [] : [ungatedCard(state.ungatedAtMs)]),
    ...(session.kind === "external" && isWithoutPlan ? [outsideCard(state)] : []),
    ...(auto ? [notice(AUTO_NOTICE, localized("autoOn"), [autoOff()])] : []),
    ...(unlocksAtOnce ? [notice(NO_APPROVAL_NOTICE, localized("cardNoApproval"), [])] : []),
  ];
}

const notice = (id: string, words: LocalizedText, actions: CardAction[]): NoticeCard => ({
  kind: "notice",
  id,
  slice: PLAN_MODE_SLICE,
  state: "shown",
  heading: cardText(localized("cardAutoHeading")),
  title: "",
  status: cardText(words),
  sinceMs: 0,
  level: "warning",
  actions,
});

const ungatedCard = (sinceMs: number): NoticeCard => ({
  ...notice(UNGATED_NOTICE, localized("cardUngated"), []),
  heading: cardText(localized("cardUngatedHeading")),
  sinceMs,
});

/** An agent outside may know nothing of plans: then a person writes the plan. */
const outsideCard = ({ tried }: PlanModeState): NoticeCard => ({
  ...notice(OUTSIDE_NOTICE, outsideWords(tried), [
    {
      id: "write",
      label: cardText(localized("cardWritePlan")),
      tone: "other",
      scope: "operator.approvals",
      input: {
        kind: "text",
        field: "text",
        charsMin: 1,
        charsMax: WRITTEN_CHARS_MAX,
        label: cardText(localized("cardWritePlanLabel")),
      },
      patch: { field: "planText", value: {} },
      command: "/plan write",
    },
  ]),
  heading: cardText(localized("cardOutsideHeading")),
  level: "info",
});

const outsideWords = (tried: TriedWrite | undefined): LocalizedText =>
  tried === undefined ? localized("cardOutside") : localized("cardOutsideTried", { file: triedLine(tried) });

/** Named by the hold, so that another hold is another card. */
function holdCard({ id, by, atMs }: Hold, { loosening }: PlanModeState, settings: PlanModeSettings): NoticeCard {
  const { approvers } = settings.approvals;
  const signed = loosening?.what.kind === "lift" ? loosening.signatures.map((signature) => signature.by) : [];
  const lift: CardAction = {
    id: "lift",
    label: cardText(localized("cardLift")),
    tone: "yes",
    scope: "operator.approvals",
    input: { kind: "none" },
    patch: { field: "planApproval", value: { action: "lift", approvalId: id } },
    command: "/plan lift",
    ...(approvers === undefined ? {} : { approvers: [...approvers] }),
    ...(signed.length === 0 ? {} : { signedBy: signed }),
  };
  const words = localized("cardHeld", { name: nameOf(by) });
  return { ...notice(id, words, [lift]), heading: cardText(localized("cardHeldHeading")), sinceMs: atMs };
}

/** Switching it on is a decision of another kind and stands on no card. */
const autoOff = (): CardAction => ({
  id: "auto-off",
  label: cardText(localized("cardAutoOff")),
  tone: "no",
  scope: "operator.approvals",
  input: { kind: "none" },
  patch: { field: "planApproval", value: { action: "auto", enabled: false } },
  command: "/plan auto off",
});
