import { expect, it } from "vitest";
import { packedStyles } from "./pack-styles.ts";

it("[UI-01] styles go to browsers without comments and indents, and nothing else in a module changes", () => {
  const module = 'const a = "/* no  style */";\nconst b = css`\n  /* why */\n  .a > b {\n    color: ${c};\n  }\n`;\n';
  expect(packedStyles(module)).toBe('const a = "/* no  style */";\nconst b = css` .a > b { color: ${c}; } `;\n');
});
