/** One metric of an exposition. Samples by name and labels, as they are printed. */
interface Family {
  readonly name: string;
  readonly head: string;
  readonly type: string;
  readonly samples: Map<string, string>;
}

/** What is about the process that shows it, and means nothing as a sum. */
const ofProcess = /^(process|nodejs)_/;

/** What counts metrics themselves: servers have the same flags and mostly the same metrics. */
const ofMetrics = new Set(['disabled_metrics_total', 'hidden_metrics_total', 'registered_metrics_total']);

/**
 * The metrics of several servers as those of one, in Prometheus' text format: the servers of the chain are one API
 * server to whoever looks at it. Counts and histograms that several have under the same labels are added up; of
 * quantiles those of whoever has counted more are told; of gauges, and of what describes a process, the first counts;
 * of counts of metrics the largest.
 */
export function mergeExpositions(texts: readonly string[]): string {
  const [first = '', ...others] = texts;
  if (others.length === 0) return first;
  const families = new Map(parse(first).map((family) => [family.name, family]));
  for (const text of others) {
    for (const family of parse(text)) {
      const known = families.get(family.name);
      if (known === undefined) families.set(family.name, family);
      else if (!ofProcess.test(family.name)) merge(known, family);
    }
  }
  let merged = '';
  for (const { head, samples } of [...families.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    merged += head;
    for (const [sample, value] of samples) merged += `${sample} ${value}\n`;
  }
  return merged;
}

function merge(into: Family, from: Family): void {
  const isOfMetrics = ofMetrics.has(into.name);
  const adds = into.type === 'counter' || into.type === 'histogram' || into.type === 'summary';
  for (const [sample, value] of from.samples) {
    const known = into.samples.get(sample);
    const quantile = from.type === 'summary' ? quantileIn(sample) : undefined;
    if (quantile !== undefined) {
      // Quantiles come before their count, which is each one's own until it is added up.
      const countOf = (family: Family): number => Number(family.samples.get(countAt(sample, quantile)) ?? 0);
      if (known === undefined || countOf(from) > countOf(into)) into.samples.set(sample, value);
    } else if (known === undefined) into.samples.set(sample, value);
    else if (isOfMetrics) into.samples.set(sample, Number(known) < Number(value) ? value : known);
    else if (adds) into.samples.set(sample, String(Number(known) + Number(value)));
  }
}

const quantileLabel = 'quantile="';

/** Where a sample's quantile is, which is its last label; undefined where it is none. */
function quantileIn(sample: string): number | undefined {
  const at = sample.lastIndexOf(quantileLabel);
  return at < 0 ? undefined : at;
}

/** The sample with the count that a quantile belongs to. */
function countAt(sample: string, quantile: number): string {
  const brace = sample.indexOf('{');
  const others = quantile === brace + 1 ? '' : `${sample.slice(brace, quantile - 1)}}`;
  return `${sample.slice(0, brace)}_count${others}`;
}

function parse(text: string): Family[] {
  const families: Family[] = [];
  let head = '';
  let current: Family | undefined;
  for (const line of text.split('\n')) {
    if (line.startsWith('# TYPE ')) {
      const [, , name = '', type = ''] = line.split(' ', 4);
      families.push((current = { name, type, head: `${head}${line}\n`, samples: new Map() }));
      head = '';
    } else if (line.startsWith('#')) head += `${line}\n`;
    else if (line !== '') {
      const space = line.lastIndexOf(' ');
      current?.samples.set(line.slice(0, space), line.slice(space + 1));
    }
  }
  return families;
}
