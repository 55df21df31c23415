const minimumWidth = 8;

/**
 * Rows as Go's tabwriter aligns cells that end in a comma and a tab: padded to a column's widest one and a space, but
 * for the last.
 */
export function tabTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows)
    for (const [i, cell] of row.entries())
      if (i < row.length - 1) widths[i] = Math.max(widths[i] ?? minimumWidth, cell.length + 2);
  return rows
    .map((row) => `${row.map((cell, i) => (i < row.length - 1 ? `${cell},`.padEnd(widths[i] ?? 0) : cell)).join('')}\n`)
    .join('');
}
