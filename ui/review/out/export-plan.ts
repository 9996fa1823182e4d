/** A plan as a file. The gateway writes it; the browser saves it. */
import type { PlanId } from "../../../src/protocol/ids.ts";
import type { App } from "../../app/app.ts";
import { t } from "../../i18n/t.ts";
import type { MenuItem } from "../../parts/menu.ts";
import { saveFile } from "../../parts/save-file.ts";

const FORMATS = ["markdown", "json", "html"] as const;

export const exportItems = (): MenuItem[] => FORMATS.map((id) => ({ id, label: t(`review.export_${id}`) }));

/** Answers with the file's name, once the browser has it. */
export async function exportPlan(app: App, planId: PlanId, wanted: string): Promise<string | undefined> {
  const format = FORMATS.find((id) => id === wanted);
  if (format === undefined) return undefined;
  const file = await app.attempt(() => app.call("plans.export", { planId, format }));
  if (file === undefined) return undefined;
  saveFile(file);
  return file.filename;
}
