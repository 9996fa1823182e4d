/** Lit's own styleMap writes a style attribute, which the page's policy forbids; this sets custom properties instead. */
import { noChange } from "lit";
import { type AttributePart, Directive, directive } from "lit/directive.js";

type Vars = { readonly [name: `--${string}`]: string | number };

class CssVars extends Directive {
  override render(_vars: Vars): typeof noChange {
    return noChange;
  }

  override update(part: AttributePart, [vars]: [Vars]): typeof noChange {
    for (const [name, value] of Object.entries(vars)) {
      if (part.element instanceof HTMLElement) part.element.style.setProperty(name, String(value));
    }
    return this.render(vars);
  }
}

/** `<div style=${cssVars({ "--done": 0.4 })}>` */
export const cssVars = directive(CssVars);
