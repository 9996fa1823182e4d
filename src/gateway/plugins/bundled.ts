/** The plugins of the house, for who asks while no gateway runs. A test holds this list against a gateway that does. */
export const BUNDLED_PLUGINS: readonly { id: string; name: string; description: string }[] = [
  "house-commands",
  "plan-mode",
  "scheduler",
  "sub-agents",
].map((id) => ({ id, name: id, description: "Part of the gateway." }));
