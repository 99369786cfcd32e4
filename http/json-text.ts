/** The text of a JSON document as it is served: it ends with a newline, for those who read it at a terminal. */
export function jsonText(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
