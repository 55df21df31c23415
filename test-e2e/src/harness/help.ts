import { readFileSync } from 'node:fs';

/**
 * With `--help` among its arguments a command prints what stands at the head of its file, where its arguments are told
 * of, and ends.
 */
export function helpFrom(file: string): void {
  if (!process.argv.includes('--help')) return;
  process.stdout.write(headOf(readFileSync(file, 'utf8')));
  process.exit(0);
}

/** The comment that a source begins with, without its signs. */
export function headOf(source: string): string {
  const lines = source.split('\n');
  const block = lines[0]?.startsWith('/**') === true;
  const end = lines.findIndex((line) => (block ? line.includes('*/') : !line.startsWith('//')));
  const head = lines.slice(0, block ? end + 1 : end);
  return head
    .map((line) => line.replace(/^\/\/ ?|^\/\*\* ?|^ \*\/|^ \* ?/, '').replace(/ ?\*\/$/, ''))
    .join('\n')
    .trim()
    .concat('\n');
}
