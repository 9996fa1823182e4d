/** What people and policies learn about a tool besides its own declaration. */
export type ToolRisk = "low" | "medium" | "high";

/** For the plugin's own tools; for another plugin's tool only `effect: "write"`, which makes it stricter. */
export type ToolMetadata = {
  toolName: string;
  effect?: "read" | "write";
  displayName?: string;
  risk?: ToolRisk;
  tags?: readonly string[];
};
