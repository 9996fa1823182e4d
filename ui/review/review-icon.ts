/** Icons that only the review draws, so that no other view waits for them. */
import type { SVGTemplateResult } from "lit";
import { stroke } from "../parts/icon.ts";

const PATHS = {
  copy: "M9 9h11v11H9zM5 15H4V4h11v1",
  drag: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  fold: "M7 4l5 5 5-5M7 20l5-5 5 5",
  share:
    "M9 12a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM21 6a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM21 18a3 3 0 1 1-6 0 3 3 0 0 1 6 0zM8.7 10.7l6.6-3.4M8.7 13.3l6.6 3.4",
} as const;

export const reviewIcon = (name: keyof typeof PATHS, size = 16): SVGTemplateResult => stroke(PATHS[name], size);
