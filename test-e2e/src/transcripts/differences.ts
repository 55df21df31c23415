/** The part of a report that is about one transcript. */
export function differencesOf(name: string, report: string): string {
  const lines: string[] = [];
  let inside = false;
  for (const line of report.split('\n')) {
    if (!line.startsWith('     ')) inside = line.startsWith(`FAIL ${name} /`);
    if (inside) lines.push(line);
  }
  return lines.join('\n');
}

/** Whether all differences are numbers of resourceVersions' placeholders. */
export function isShiftOfRevisions(differences: string): boolean {
  const found = differences.split('\n').filter((line) => line.startsWith('     '));
  return found.length > 0 && found.every((line) => /: expected "<rv:\d+>", got "<rv:\d+>"$/.test(line));
}
