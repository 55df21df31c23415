/** Prints rows of text in columns as wide as their widest cell; the first column is left-aligned. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const widths: number[] = [];
  for (const row of rows) for (const [i, cell] of row.entries()) widths[i] = Math.max(widths[i] ?? 0, cell.length);
  for (const row of rows) {
    const cells = row.map((cell, i) =>
      i === 0 || i === row.length - 1 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!),
    );
    process.stdout.write(`${cells.join('  ').trimEnd()}\n`);
  }
}
