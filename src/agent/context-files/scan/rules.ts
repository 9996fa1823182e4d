/**
 * What an instruction must ask for to be a finding, as combinations of ideas. A strong rule is a finding by itself; a
 * weak one needs a second sign in the same paragraph, such as another weak one of a different kind.
 */
import type { Concept } from "./concept.ts";
import type { FindingKind } from "./finding-kind.ts";

export type Rule = {
  kind: FindingKind;
  strong: boolean;
  /** The idea that the rule is about; negation and order are looked for around it. */
  head: Concept;
  /** From each group one idea, near the head. */
  with: readonly (readonly Concept[])[];
  /** Words between the head and the others. */
  span: number;
  /** In English the head is an order only where orders stand. */
  order: boolean;
  /** A negation anywhere in the sentence makes it harmless. */
  anyNot: boolean;
  /** In English the first of the others is the object: it follows the head in the same clause. */
  object: boolean;
  /** Ideas that make it harmless wherever they stand in the sentence. */
  unless: readonly Concept[];
};

type Given = Partial<Pick<Rule, "strong" | "span" | "order" | "anyNot" | "object" | "unless">> &
  Pick<Rule, "head" | "with">;

const rules = (kind: FindingKind, unless: readonly Concept[], given: readonly Given[]): Rule[] =>
  given.map((one) => ({
    kind,
    strong: true,
    span: 10,
    order: false,
    anyNot: false,
    object: false,
    ...one,
    unless: [...unless, ...(one.unless ?? [])],
  }));

const BY_SOMEBODY_ELSE: readonly Concept[] = ["report"];
const SOMEWHERE_ELSE: readonly Concept[] = ["outside"];
const APPROVAL_LIMITS: readonly Concept[] = ["report", "if", "only", "unless", "after", "before"];
const TELLING_LIMITS: readonly Concept[] = ["report", "if", "only", "unless", "before", "widget"];

export const RULES: readonly Rule[] = [
  ...rules(
    "override",
    [...BY_SOMEBODY_ELSE, "if", "unless", "elsewhere"],
    [
      { head: "discard", with: [["instruction"], ["earlier"]], order: true },
      { head: "discard", with: [["instruction"], ["your"]], order: true },
      { head: "discard", with: [["instruction"], ["all"]], order: true, span: 6, unless: SOMEWHERE_ELSE },
      { head: "discard", with: [["rule"], ["earlier", "your"]], order: true, span: 7, unless: SOMEWHERE_ELSE },
      { head: "discard", with: [["setting"], ["earlier", "your"]], order: true, span: 7, strong: false },
      { head: "discard", with: [["system"]], order: true },
      { head: "discard", with: [["told"]], order: true },
      { head: "skip", with: [["system"], ["all", "your"]], order: true, object: true, span: 5 },
      {
        head: "unfollow",
        with: [
          ["instruction", "rule"],
          ["earlier", "your", "system"],
        ],
        unless: SOMEWHERE_ELSE,
      },
      { head: "unfollow", with: [["system", "told"]], unless: SOMEWHERE_ELSE },
      { head: "void", with: [["system"], ["your", "self", "all", "now"]] },
      { head: "void", with: [["system"]], strong: false },
      { head: "void", with: [["instruction", "rule"], ["your"]], span: 8, unless: SOMEWHERE_ELSE },
      { head: "void", with: [["instruction"], ["earlier", "all"]], strong: false },
      { head: "void", with: [["told"]] },
      { head: "discard", with: [["self"]], order: true, span: 2, strong: false },
      { head: "void", with: [["rule"], ["earlier"]], strong: false },
      { head: "newSystem", with: [] },
      { head: "newTask", with: [], strong: false },
      { head: "supreme", with: [["instruction", "rule", "system", "self"]], span: 14 },
      { head: "supreme", with: [], strong: false },
    ],
  ),
  ...rules("identity", BY_SOMEBODY_ELSE, [
    { head: "free", with: [["become"]], span: 8, unless: ["if"] },
    { head: "free", with: [["reidentify"]], span: 14 },
    { head: "unbound", with: [], unless: ["if", "after"] },
    { head: "jailbreak", with: [["become", "instruction", "rule", "your", "now", "all", "void"]], span: 8 },
    { head: "jailbreak", with: [], strong: false },
    { head: "reidentify", with: [], strong: false, unless: ["if"] },
    { head: "free", with: [["your", "instruction", "rule"]], strong: false, span: 6, unless: ["if"] },
  ]),
  ...rules("forged-approval", APPROVAL_LIMITS, [
    { head: "isApproved", with: [["work", "person", "danger", "all", "approval"]], span: 9 },
    { head: "hasApproved", with: [["person"]], span: 4 },
    {
      head: "assume",
      with: [
        ["approved", "isApproved", "hasApproved", "approval"],
        ["person", "work", "silence", "your"],
      ],
      order: true,
      span: 9,
    },
    { head: "silence", with: [["approval", "approved", "isApproved"]], span: 8, anyNot: true },
    { head: "skip", with: [["gate"]], order: true, object: true, span: 5, unless: ["tooling"] },
    {
      head: "skip",
      with: [["approval"], ["all", "danger", "now", "person", "your"]],
      order: true,
      object: true,
      span: 7,
      unless: ["safe"],
    },
    {
      head: "skip",
      with: [["approval"]],
      order: true,
      object: true,
      span: 5,
      strong: false,
      unless: ["safe", "tooling"],
    },
    {
      head: "skipAsk",
      with: [
        ["all", "now"],
        ["danger", "work", "person", "approval", "proceed", "run"],
      ],
      span: 12,
      unless: ["safe"],
    },
    {
      head: "skipAsk",
      with: [
        ["danger", "proceed"],
        ["person", "now", "all"],
      ],
      span: 10,
      unless: ["safe"],
    },
    { head: "skipAsk", with: [], strong: false, unless: ["safe"] },
    { head: "now", with: [["danger"], ["all"]], span: 5, strong: false, unless: ["safe"] },
    { head: "approve", with: [["selfAct"], ["work", "all", "person"]], order: true, span: 7 },
    { head: "void", with: [["gate"]], span: 8 },
    { head: "void", with: [["approval"], ["all", "danger", "now", "person", "work"]], span: 9, strong: false },
    { head: "approved", with: [["proceed"], ["already"], ["work", "person"]], span: 10 },
  ]),
  ...rules(
    "forged-approval",
    [...BY_SOMEBODY_ELSE, "unless"],
    [
      { head: "autoApprove", with: [], order: true, unless: ["safe", "outside"] },
      { head: "approve", with: [["actFor"]], order: true, span: 6 },
    ],
  ),
  ...rules("concealment", TELLING_LIMITS, [
    { head: "noTell", with: [["person"], ["self"]], span: 9 },
    { head: "noTell", with: [["record"], ["self"]], span: 9 },
    { head: "noTell", with: [["person"], ["danger", "run", "send"]], span: 10 },
    { head: "noTell", with: [["self"], ["asked"]], span: 16 },
    { head: "noTell", with: [["person"]], span: 7, strong: false },
    { head: "noTell", with: [["self"]], span: 5, strong: false },
    { head: "hide", with: [["person"], ["self"]], span: 8, order: true },
    { head: "hide", with: [["record"], ["self", "person"]], span: 9, order: true },
    { head: "hide", with: [["person"]], span: 7, order: true, strong: false },
    { head: "covert", with: [["person"], ["danger", "run", "send", "skip", "self", "grab"]], span: 10 },
    { head: "covert", with: [["secret"], ["send", "grab"]], span: 12 },
    { head: "covert", with: [["send", "skip", "grab", "person"]], span: 8, strong: false },
    { head: "tracks", with: [] },
    { head: "hideFrom", with: [], order: true },
  ]),
  ...rules(
    "exfiltration",
    [...BY_SOMEBODY_ELSE, "protocol"],
    [
      { head: "send", with: [["secret"], ["url", "badUrl", "out"]], order: true, span: 14 },
      { head: "send", with: [["secret"], ["grab"]], span: 14, strong: false },
      { head: "send", with: [["secret"], ["covert", "trigger", "noTell", "skipAsk"]], span: 14 },
      { head: "reveal", with: [["system"], ["verbatim", "your", "all"]], order: true, object: true, span: 6 },
      { head: "include", with: [["secret"], ["publicPlace"]], order: true, object: true, span: 13, unless: ["only"] },
    ],
  ),
  ...rules("remote-code", BY_SOMEBODY_ELSE, [
    { head: "run", with: [["badUrl"]], span: 14 },
    { head: "fetch", with: [["badUrl"]], order: true, span: 12, strong: false },
    { head: "run", with: [["url"], ["fetch"], ["trigger", "blind", "skipAsk", "covert"]], span: 14 },
    { head: "run", with: [["url"], ["blind", "skipAsk", "covert"]], span: 14 },
    { head: "fetch", with: [["url"], ["run"]], order: true, span: 12, strong: false },
    { head: "decode", with: [["run", "follow"], ["encoded"]], span: 12 },
    { head: "decode", with: [["run", "follow"]], span: 6, strong: false },
  ]),
  ...rules("forged-voice", BY_SOMEBODY_ELSE, [{ head: "authority", with: [], strong: false }]),
];

/** Signs that make a weak rule of another kind a finding, and are none by themselves. */
export const SIGN_KINDS: ReadonlySet<FindingKind> = new Set<FindingKind>(["forged-voice", "hidden-comment"]);
