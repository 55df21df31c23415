import { FlagSyntaxError } from './flag.ts';
import type { Flag } from './flag.ts';
import { CSVError, parseCSV } from './csv.ts';

/** By metric, then by label: the values that are shown. Others are shown as `unexpected`. */
export type AllowedLabels = ReadonlyMap<string, ReadonlyMap<string, ReadonlySet<string>>>;

const metricName = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const labelName = '[a-zA-Z_][a-zA-Z0-9_]*';
const key = new RegExp(`^${metricName},${labelName}$`);

/**
 * `--allow-metric-labels metric,label=a,b`, or several in quotes of their own: `"m,l=a,b","m,k=c"`. Source:
 * component-base/metrics/options.go and pflag's StringToString, 1.36.
 */
export function metricLabelsFlag(help: string): Flag<ReadonlyMap<string, string>> {
  return {
    default: new Map(),
    help,
    placeholder: 'stringToString',
    defaultText: '[]',
    isBoolean: false,
    parse(text, previous) {
      const pairs = new Map(previous);
      for (const pair of pairsOf(text)) {
        const equals = pair.indexOf('=');
        if (equals < 0) throw new FlagSyntaxError(`${pair} must be formatted as key=value`);
        pairs.set(pair.slice(0, equals), pair.slice(equals + 1));
      }
      const problem = allowedLabelsProblem(pairs);
      if (problem !== undefined) throw new FlagSyntaxError(problem);
      return pairs;
    },
  };
}

/** A single pair may have commas as it is. */
function pairsOf(text: string): readonly string[] {
  if (text.split('=').length === 2) return [withoutQuotes(text)];
  try {
    return parseCSV(text)[0] ?? [];
  } catch (error) {
    if (!(error instanceof CSVError)) throw error;
    throw new FlagSyntaxError(error.message);
  }
}

/** Without the quotes around it, however many. */
function withoutQuotes(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && text[start] === '"') start++;
  while (end > start && text[end - 1] === '"') end--;
  return text.slice(start, end);
}

/** What is wrong with the keys; undefined: nothing. */
export function allowedLabelsProblem(pairs: ReadonlyMap<string, string>): string | undefined {
  return [...pairs.keys()].every((name) => key.test(name))
    ? undefined
    : `must have keys with format \`metricName,labelName\` where metricName matches "${metricName}" and labelName ` +
        `matches "${labelName}"`;
}

/** The values by metric and label. */
export function allowedLabels(pairs: ReadonlyMap<string, string>): AllowedLabels {
  const byMetric = new Map<string, Map<string, ReadonlySet<string>>>();
  for (const [name, values] of pairs) {
    const [metric = '', label = ''] = name.split(',');
    const labels = byMetric.get(metric) ?? new Map<string, ReadonlySet<string>>();
    byMetric.set(metric, labels.set(label, new Set(values.split(','))));
  }
  return byMetric;
}
