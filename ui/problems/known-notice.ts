/**
 * Notices of the gateway whose words never change, told in the language of the person. What a plugin or a model's
 * provider says stays as it is: the page cannot know what it means.
 */
import { language, t } from "../i18n/t.ts";
import { visibly } from "../text/visibly.ts";

const COMPLETE =
  /^Plan "(?<title>.*)" is complete: (?<done>\d+) completed, (?<dropped>\d+) cancelled, (?<closed>\d+) of (?<total>\d+) steps closed\.$/;
const UNKNOWN_OUTCOME =
  /^A call of (?<tool>\S+) was under way when .+\. Its outcome is unknown and it was not repeated\.$/;

/** Undefined where the page does not know the notice, or has no texts for it yet. */
export function knownNotice(text: string): string | undefined {
  if (language.get().texts["problems"] === undefined) return undefined;
  const complete = COMPLETE.exec(text)?.groups;
  if (complete !== undefined) {
    const { title = "", done, dropped, closed, total } = complete;
    return t("problems.planComplete", {
      title: visibly(title),
      done: Number(done),
      dropped: Number(dropped),
      closed: Number(closed),
      total: Number(total),
    });
  }
  const tool = UNKNOWN_OUTCOME.exec(text)?.groups?.["tool"];
  return tool === undefined ? undefined : t("problems.outcomeUnknown", { tool: visibly(tool) });
}
