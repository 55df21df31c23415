/** What tells one state of a file from another; empty for a file that is not there. */
export function fileStamp(
  stats: { readonly mtimeMs: number; readonly size: number; readonly ino: number } | undefined,
): string {
  return stats === undefined ? '' : `${stats.mtimeMs} ${stats.size} ${stats.ino}`;
}
