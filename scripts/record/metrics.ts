/** `name type` of every family of an exposition, by name. */
export function metricNames(exposition: string): string {
  const names = [...exposition.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => `${name} ${type}`);
  return `${names.toSorted((a, b) => (a < b ? -1 : 1)).join('\n')}\n`;
}
