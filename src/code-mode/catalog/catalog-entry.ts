/** One tool in `ALL_TOOLS` and in what a search finds. */
import type { ToolOrigin } from "../../plugins/sdk.ts";

/** As a program sees it, without its schema. */
export type CatalogEntry = {
  id: string;
  name: string;
  description: string;
  source: ToolOrigin["source"];
  sourceName?: string;
};
