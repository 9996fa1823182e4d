/** Icons as strokes on a 24 by 24 grid, in the colour of the text around them. They decorate; the words stand beside. */
import { svg, type SVGTemplateResult } from "lit";

const PATHS = {
  add: "M12 5v14M5 12h14",
  agent: "M12 3l2.2 5.8L20 11l-5.8 2.2L12 19l-2.2-5.8L4 11l5.8-2.2z",
  archive: "M4 5h16v4H4zM6 9v10h12V9M10 13h4",
  attach:
    "M19 11.5l-7.4 7.4a4.6 4.6 0 0 1-6.5-6.5l7.8-7.8a3.1 3.1 0 0 1 4.4 4.4l-7.7 7.7a1.5 1.5 0 0 1-2.2-2.2l6.9-6.9",
  back: "M15 5l-7 7 7 7",
  bad: "M6 6l12 12M18 6L6 18",
  brand: "M7 3.5v13M17 3.5v13M7 10h10M5 21h14",
  check: "M5 12.5l4.5 4.5L19 7.5",
  clock: "M12 7v5l3 2M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18z",
  down: "M6 9.5l6 6 6-6",
  file: "M6 3h8l4 4v14H6zM14 3v4h4M9 12h6M9 16h6",
  globe: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM3 12h18M12 3c3 3 3 15 0 18c-3-3-3-15 0-18",
  inbox: "M4 13l2.5-8h11L20 13v6H4zM4 13h4.5a3.5 3.5 0 0 0 7 0H20",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  note: "M4 5h16v11H9l-5 4zM8 9h8M8 12.5h5",
  pane: "M4 5h16v14H4zM14 5v14",
  pending: "M12 18.5a6.5 6.5 0 1 1 0-13 6.5 6.5 0 0 1 0 13z",
  plan: "M5 4h14v16H5zM9 9h6M9 13h6M9 17h3",
  question: "M12 21a9 9 0 1 1 0-18 9 9 0 0 1 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.7M12 16.5h.01",
  redo: "M15 7l5 5-5 5M20 12H10a6 6 0 0 0-6 6",
  record: "M5 12h3l2-6 4 12 2-6h3",
  search: "M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14zM16 16l4.5 4.5",
  send: "M5 12h13M12 5.5l6.5 6.5-6.5 6.5",
  settings: "M4 7h9M17 7h3M15 4.5v5M4 17h3M11 17h9M9 14.5v5",
  sign: "M4 20h16M6 15.5L16.5 5l2.5 2.5L8.5 18H6z",
  stop: "M7 7h10v10H7z",
  terminal: "M3 5h18v14H3zM7 9.5l3 2.5-3 2.5M13 15h4",
  tool: "M14.5 6.5a4 4 0 0 0-5.3 5L4 16.7 7.3 20l5.2-5.2a4 4 0 0 0 5-5.3l-2.6 2.6-2.4-.6-.6-2.4z",
  up: "M6 14.5l6-6 6 6",
  waiting: "M7 3h10M7 21h10M8 3v4l4 5 4-5V3M8 21v-4l4-5 4 5v4",
} as const;

export type IconName = keyof typeof PATHS;

export const icon = (name: IconName, size = 18): SVGTemplateResult => stroke(PATHS[name], size);

export function stroke(path: string, size: number): SVGTemplateResult {
  return svg`<svg
    class="icon" width=${size} height=${size} viewBox="0 0 24 24" fill="none" stroke="currentColor"
    stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true" focusable="false"
  ><path d=${path}></path></svg>`;
}
