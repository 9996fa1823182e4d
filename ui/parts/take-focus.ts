/** Hands the focus to an element that knows where in it to put it. */

/** Of elements whose code is loaded later than this. */
export function takeFocus(element: unknown): void {
  if (element instanceof HTMLElement && "takeFocus" in element && typeof element.takeFocus === "function")
    element.takeFocus();
}
