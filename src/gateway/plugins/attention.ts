/** Present problems of plugins for operators: the latest for each plugin, removed when it is well again. */
const LINES_MAX = 200;
const CHARS_MAX = 1_000;

export type Attention = {
  add(pluginId: string, text: string): void;
  clear(pluginId: string): void;
  lines(): string[];
};

export function createAttention(): Attention {
  const words = new Map<string, string>();
  return {
    add(pluginId, text) {
      words.delete(pluginId);
      if (words.size < LINES_MAX) words.set(pluginId, text.slice(0, CHARS_MAX));
    },
    clear: (pluginId) => void words.delete(pluginId),
    lines: () => [...words].map(([pluginId, text]) => `Plugin ${pluginId}: ${text}`),
  };
}
