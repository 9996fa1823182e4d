/** Where ripgrep is; empty where its package has none for this system: then grep says so, and the other tools work. */
export async function ripgrepPath(): Promise<string> {
  try {
    return (await import("@vscode/ripgrep")).rgPath; // only when it is needed: it looks for its binary as it loads
  } catch {
    return "";
  }
}
