type History = Readonly<Record<string, readonly (readonly unknown[])[]>>;

/**
 * The gates of all releases in one table: each as the newest release that has it says, with the release since which it
 * is gone.
 * @param known the checked-in table
 * @param recorded the gates of one release
 * @param releases those that the checked-in table has, and this one
 */
export function mergedGates(
  known: History,
  recorded: History,
  { release, releases }: { readonly release: string; readonly releases: readonly string[] },
): History {
  const minor = (version: unknown): number => Number(String(version).split('.')[1]);
  const isNewest = releases.every((version) => minor(version) <= minor(release));
  const merged: Record<string, readonly (readonly unknown[])[]> = {};
  for (const name of [...new Set([...Object.keys(known), ...Object.keys(recorded)])].sort()) {
    const there = recorded[name];
    const here = known[name];
    if (there === undefined) {
      const isGone = here?.at(-1)?.length === 1;
      merged[name] = isNewest && !isGone ? [...(here ?? []), [release]] : (here ?? []);
    } else if (isNewest) {
      // Releases that did not know the gate do not, whatever the sources say of its past.
      const first = here?.[0]?.[0] ?? (Object.keys(known).length > 0 ? release : '1.0');
      merged[name] = there.filter(([since]) => minor(since) >= minor(first));
    } else merged[name] = here ?? [...there, [`1.${minor(release) + 1}`]];
  }
  return merged;
}
