/** Icons that only the review and its neighbours draw, so that the first view does not wait for them. */
import type { SVGTemplateResult } from "lit";
import { stroke } from "../parts/icon.ts";

const PATHS = {
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  download: "M12 4v11M7 10.5l5 5 5-5M5 20h14",
  drag: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  expand: "M14 4h6v6M20 4l-7 7M10 20H4v-6M4 20l7-7",
  fold: "M7 4l5 5 5-5M7 20l5-5 5 5",
  share:
    "M9 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM21 6a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM21 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM8.7 10.7l6.6-3.4M8.7 13.3l6.6 3.4",
  undo: "M9 7L4 12l5 5M4 12h10a6 6 0 0 1 6 6",
} as const;

export const reviewIcon = (name: keyof typeof PATHS, size = 16): SVGTemplateResult => stroke(PATHS[name], size);
