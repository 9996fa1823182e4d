/** What people and policies are told about a tool beside what the tool says itself. */
export type ToolRisk = "low" | "medium" | "high";

/** Of the plugin's own tools; of another's only what makes it stricter, which is `effect: "write"`. */
export type ToolMetadata = {
  toolName: string;
  effect?: "read" | "write";
  displayName?: string;
  risk?: ToolRisk;
  tags?: readonly string[];
};
