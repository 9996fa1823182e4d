/** What benches run inside of the page: how an element is found through shadow roots, and when a frame was drawn. */

/**
 * `deep(root, selector, isIt)`: the first such element, or undefined; `inside(host, selector, isIt)`: the same in the shadow
 * root of an element; `frame()`: the next frame. Where a host stood is remembered: to walk through every shadow root of a
 * long plan in every frame takes longer than what is measured.
 */
export const IN_PAGE = `
  const deep = (root, selector, isIt = () => true) => {
    const found = [...root.querySelectorAll(selector)].find(isIt);
    if (found !== undefined) return found;
    for (const { shadowRoot } of root.querySelectorAll("*")) {
      const within = shadowRoot === null ? undefined : deep(shadowRoot, selector, isIt);
      if (within !== undefined) return within;
    }
    return undefined;
  };
  const hosts = new Map();
  const hostOf = (host) => {
    const known = hosts.get(host);
    if (known?.isConnected) return known;
    const found = deep(document, host);
    if (found !== undefined) hosts.set(host, found);
    return found;
  };
  const inside = (host, selector, isIt) => {
    const root = hostOf(host)?.shadowRoot;
    return root === undefined ? undefined : deep(root, selector, isIt);
  };
  const frame = () => new Promise(requestAnimationFrame);
  const until = async (find) => {
    for (;;) {
      const found = find();
      if (found !== undefined) return found;
      await frame();
    }
  };
  const named = (words) => (button) => button.textContent.trim() === words && !button.disabled;
`;
