// The series and labels that queries may name: those the service declares, those of Prometheus' client library, and
// those of recording rules.
import { counters, gauges, histograms } from '../../../schemas/metrics/metrics.ts';

/** The client library's own metrics that our queries use. */
const ofLibrary: Readonly<Record<string, readonly string[]>> = {
  process_resident_memory_bytes: [],
  process_cpu_seconds_total: [],
};

/** The labels that a scrape adds to each series. */
const ofScrape = ['instance', 'job'];

/** The labels of each series, by its name. */
export function knownSeries(): ReadonlyMap<string, ReadonlySet<string>> {
  const series = new Map<string, ReadonlySet<string>>();
  const add = (name: string, labels: readonly string[]) => series.set(name, new Set([...labels, ...ofScrape]));
  for (const [name, { labels }] of Object.entries({ ...counters, ...gauges })) add(name, labels);
  for (const [name, { labels }] of Object.entries(histograms)) {
    for (const part of ['count', 'sum']) add(`${name}_${part}`, labels);
    add(`${name}_bucket`, [...labels, 'le']);
  }
  for (const [name, labels] of Object.entries(ofLibrary)) add(name, labels);
  return series;
}

/** What is wrong with an expression: series that do not exist, labels that none of its series has, bounds of one spelling. */
export function faultsOfQuery(query: string, series = knownSeries()): string[] {
  const bare = query.replaceAll(/"[^"]*"/g, '""');
  const names = [...bare.matchAll(/\b(?:sds|http_server|db_client|nodejs|process)_[a-z0-9_]+\b/g)].map(
    ([name]) => name,
  );
  const faults = names.filter((name) => !series.has(name)).map((name) => `${name} does not exist`);
  const labels = new Set(names.flatMap((name) => [...(series.get(name) ?? [])]));
  const named = [
    ...[...bare.matchAll(/\b(?:by|without) \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(',')),
    ...[...bare.matchAll(/([a-z_]+)\s*(?:=~|!=|!~|=)\s*""/g)].map(([, label = '']) => label),
  ].map((label) => label.trim());
  return [
    ...faults,
    ...named.filter((label) => !labels.has(label)).map((label) => `no series has ${label}: ${query}`),
    ...boundsOfOneSpelling(query),
  ];
}

/** Selections of a whole number, which the client library writes as `5`, and Prometheus stores so up to 2, and as `5.0` from 3. */
function boundsOfOneSpelling(query: string): string[] {
  const selections = [...query.matchAll(/\b(?:le|quantile)\s*(?:=~|!=|!~|=)\s*"([^"]*)"/g)];
  const inBoth = /^(?:\+Inf|\d+\.\d*[1-9]|\d+\(\\\\\.0\)\?)$/;
  return selections.filter(([, bound = '']) => !inBoth.test(bound)).map(([text]) => `${text} is of one spelling`);
}
