interface Operation {
  readonly op: 'add' | 'remove';
  readonly path: string;
  readonly value?: unknown;
}

/** The JSON patch that changes finalizers as a stage says; empty when there is nothing to change. */
export function finalizerPatch(
  present: readonly string[],
  {
    add,
    empty,
    remove,
  }: { readonly add: readonly string[]; readonly remove: readonly string[]; readonly empty: boolean },
): readonly Operation[] {
  const kept = empty ? [] : present.filter((name) => !remove.includes(name));
  const wanted = [...kept, ...add.filter((name) => !kept.includes(name))];
  const path = '/metadata/finalizers';
  if (wanted.length === present.length && wanted.every((name, index) => name === present[index])) return [];
  if (wanted.length === 0) return [{ op: 'remove', path }];
  return [{ op: 'add', path, value: wanted }];
}
