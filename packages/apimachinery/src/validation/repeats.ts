/** Of each value of a list, whether it stands in it before: in linear time, whatever a client has sent. */
export function repeats(values: readonly unknown[]): readonly boolean[] {
  const seen = new Set<unknown>();
  return values.map((value) => {
    const known = seen.has(value);
    seen.add(value);
    return known;
  });
}
