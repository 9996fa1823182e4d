/** SQL that both databases understand: values travel apart from the text, and each database numbers its own places. */
export type SqlValue = string | number | null;
export type Statement = { texts: string[]; values: SqlValue[] };

export function sql(parts: TemplateStringsArray, ...holes: (SqlValue | Statement)[]): Statement {
  const texts = [parts[0] ?? ""];
  const values: SqlValue[] = [];
  holes.forEach((hole, index) => {
    const after = parts[index + 1] ?? "";
    if (typeof hole === "object" && hole !== null) {
      texts.push(`${texts.pop()}${hole.texts[0]}`, ...hole.texts.slice(1));
      values.push(...hole.values);
      texts.push(`${texts.pop()}${after}`);
    } else {
      texts.push(after);
      values.push(hole);
    }
  });
  return { texts, values };
}
