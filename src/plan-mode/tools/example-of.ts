/** An error that ends with arguments that would do, so that the next call can be right. */
import type { JsonObject } from "../../protocol/json.ts";

export const exampleOf = (tool: string, example: JsonObject): string => `Example: ${tool} ${JSON.stringify(example)}`;
