import type { ResultRecord } from './record.ts';

/** The results as a table of Markdown, by area, each test with how its last try ended. */
export function conformanceTable(tests: readonly string[], record: ResultRecord): string {
  const areas = Map.groupBy(tests.toSorted(), (test) => /^\[([^\]]+)\]/.exec(test)?.[1] ?? 'other');
  const passed = (of: readonly string[]): number => of.filter((test) => record.last(test)?.state === 'passed').length;
  const lines = ['| area | tests | passed |', '| --- | --- | --- |'];
  for (const [area, of] of areas) lines.push(`| ${area} | ${of.length} | ${passed(of)} |`);
  lines.push(`| all | ${tests.length} | ${passed(tests)} |`, '');
  for (const [area, of] of areas) {
    lines.push(`### ${area}`, '', '| test | |', '| --- | --- |');
    for (const test of of) lines.push(`| ${cell(nameWithin(test))} | ${cell(verdict(test, record))} |`);
    lines.push('');
  }
  return lines.join('\n');
}

/** Without the area, which stands above, and without what all of them have. */
function nameWithin(test: string): string {
  return test.replace(/^\[[^\]]+\] /, '').replace(' [Conformance]', '');
}

function verdict(test: string, record: ResultRecord): string {
  const tries = record.tries(test);
  const last = tries.at(-1);
  if (last === undefined) return 'not run';
  if (last.state === 'passed') return tries.length === 1 ? 'passed' : `passed when tried again`;
  return `${last.state}: ${(last.reason ?? '').split('\n')[0]}`;
}

function cell(text: string): string {
  return text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;');
}
