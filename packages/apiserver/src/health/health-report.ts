import type { HealthCheckResult } from './health-check.ts';

/** Reads the verbose text of a health endpoint; what is no check line is left out. */
export function parseHealthReport(text: string): HealthCheckResult[] {
  const results: HealthCheckResult[] = [];
  for (const line of text.split('\n')) {
    const sign = line.slice(0, 3);
    if (sign !== '[+]' && sign !== '[-]') continue;
    const end = endOfName(line);
    if (end > 3) results.push({ name: line.slice(3, end), ok: sign === '[+]' });
  }
  return results;
}

/** Where what is said of a check begins; -1 in a line of another kind. */
function endOfName(line: string): number {
  for (const said of [' excluded: ok', ' failed: reason withheld'])
    if (line.endsWith(said)) return line.length - said.length;
  if (!line.endsWith(' ok')) return -1;
  const excluded = line.endsWith(': ok') ? line.indexOf(' excluded with ') : -1;
  return excluded >= 0 ? excluded : line.length - ' ok'.length;
}

/** How a report is asked for. */
export interface HealthReportOptions {
  readonly endpoint: string;
  readonly excluded: ReadonlySet<string>;
}

/** The verbose text without its last line, and the names of checks that failed (healthz.go handleRootHealth). */
export function renderHealthReport(
  results: readonly HealthCheckResult[],
  { excluded }: HealthReportOptions,
): { readonly text: string; readonly failed: readonly HealthCheckResult[] } {
  const unknown = new Set(excluded);
  const failed: HealthCheckResult[] = [];
  let text = '';
  for (const result of results) {
    if (excluded.has(result.name)) {
      unknown.delete(result.name);
      text += `[+]${result.name} excluded: ok\n`;
    } else if (result.group !== undefined && excluded.has(result.group)) {
      unknown.delete(result.group);
      text += `[+]${result.name} excluded with ${result.group}: ok\n`;
    } else if (result.ok) {
      text += `[+]${result.name} ok\n`;
    } else {
      failed.push(result);
      text += `[-]${result.name} failed: reason withheld\n`;
    }
  }
  if (unknown.size > 0)
    text += `warn: some health checks cannot be excluded: no matches for ${[...unknown]
      .sort()
      .map((name) => JSON.stringify(name))
      .join(', ')}\n`;
  return { text, failed };
}
