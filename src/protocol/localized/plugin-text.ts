/** The keys of a plugin's texts beside those of the gateway: `lamp/dark`. The page reads this file too. */
const keyOf = (pluginId: string): string => `${pluginId}/`;

export const pluginTextKey = (pluginId: string, key: string): string =>
  key.startsWith(keyOf(pluginId)) ? key : `${keyOf(pluginId)}${key}`;
