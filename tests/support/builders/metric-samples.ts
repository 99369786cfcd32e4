// The samples of a scrape in the text format of Prometheus, and whether the selector of a query selects one of them.

export type Sample = { name: string; labels: Readonly<Record<string, string>>; value: number };

/** The samples of a scrape. No value of our labels has a comma or a quotation mark. */
export function samplesIn(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name = '', labels = '', value = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === '') throw new Error(`no sample: ${line}`);
    const pairs = [...labels.matchAll(/([a-z_]+)="([^"]*)"/g)].map(([, label = '', of = '']) => [label, of] as const);
    return { name, labels: Object.fromEntries(pairs), value: Number(value) };
  });
}

/** The selectors of our series in queries, each once: `name`, or `name{label="value"}`. */
export function selectorsOf(queries: string): string[] {
  const found = queries.matchAll(/\b(?:sds|http_server|db_client|nodejs|process)_[a-z0-9_]+\b(?:\{[^}]*\})?/g);
  return [...new Set([...found].map(([selector]) => selector))];
}

/** Whether a selector selects a sample; it compares labels by `=`, `=~` and `!~`. */
export function selects(selector: string, { name, labels }: Sample): boolean {
  const [named, matchers = ''] = selector.split(/[{}]/);
  if (named !== name) return false;
  return [...matchers.matchAll(/([a-z_]+)(=~?|!~)"([^"]*)"/g)].every(([, label = '', how, wanted = '']) => {
    const value = labels[label] ?? '';
    return how === '=' ? value === wanted : new RegExp(`^(?:${wanted})$`).test(value) === (how === '=~');
  });
}
