import { assert } from 'chai';
import type { CRDNames, CustomResourceDefinition } from './crd-types.ts';
import { resolveNames, takenNames } from './naming.ts';

function crd(names: CRDNames, status: CustomResourceDefinition['status'] = {}): CustomResourceDefinition {
  return {
    metadata: { name: `${names.plural}.x.io` },
    spec: { group: 'x.io', scope: 'Namespaced', names, versions: [] },
    status,
  };
}
const names: CRDNames = {
  plural: 'widgets',
  singular: 'widget',
  kind: 'Widget',
  listKind: 'WidgetList',
  shortNames: ['w'],
};
const nobody = takenNames([]);

/** Conditions as `status reason`. */
function resolved(
  mine: CustomResourceDefinition,
  ...accepted: readonly CRDNames[]
):
  | { readonly names: CRDNames; readonly accepted: string; readonly established: string; readonly message: string }
  | undefined {
  const result = resolveNames(mine, takenNames([mine.status?.acceptedNames, ...accepted]));
  if (result === undefined) return undefined;
  const { acceptedNames, established, namesAccepted } = result;
  return {
    names: acceptedNames,
    accepted: `${namesAccepted.status} ${namesAccepted.reason ?? ''}`,
    established: `${established.status} ${established.reason ?? ''}`,
    message: namesAccepted.message ?? '',
  };
}

describe('resolveNames', () => {
  it('accepts names that nobody has; establishing comes later', () => {
    assert.deepEqual(resolved(crd(names)), {
      names,
      accepted: 'True NoConflicts',
      established: 'False Installing',
      message: 'no conflicts found',
    });
  });

  const conflicts: readonly { readonly taken: CRDNames; readonly reason: string; readonly message: string }[] = [
    { taken: { plural: 'widgets', kind: 'Other' }, reason: 'PluralConflict', message: '"widgets" is already in use' },
    {
      taken: { plural: 'others', singular: 'widget', kind: 'Other' },
      reason: 'SingularConflict',
      message: '"widget" is already in use',
    },
    { taken: { plural: 'w', kind: 'Other' }, reason: 'ShortNamesConflict', message: '"w" is already in use' },
    { taken: { plural: 'others', kind: 'Widget' }, reason: 'KindConflict', message: '"Widget" is already in use' },
    {
      taken: { plural: 'others', kind: 'Other', listKind: 'WidgetList' },
      reason: 'ListKindConflict',
      message: '"WidgetList" is already in use',
    },
  ];
  for (const { message, reason, taken } of conflicts) {
    it(`says ${reason}`, () => {
      const result = resolved(crd(names), taken);
      assert.deepEqual(
        [result?.accepted, result?.message, result?.established],
        [`False ${reason}`, message, 'False NotAccepted'],
      );
    });
  }

  it('names the last conflict only, and every short name once', () => {
    const mine = crd({ ...names, shortNames: ['a', 'b', 'a'] });
    assert.equal(
      resolved(mine, { plural: 'a', singular: 'b', kind: 'X' })?.message,
      '["a" is already in use, "b" is already in use]',
    );
    assert.equal(resolved(mine, { plural: 'a', kind: 'Widget' })?.accepted, 'False KindConflict');
  });

  it('accepts the names that are free beside one that is not', () => {
    assert.deepEqual(resolved(crd(names), { plural: 'others', kind: 'Widget' })?.names, {
      plural: 'widgets',
      singular: 'widget',
      kind: '',
      listKind: 'WidgetList',
      shortNames: ['w'],
    });
  });

  it('keeps what was accepted, and stays established', () => {
    const established = { type: 'Established', status: 'True', reason: 'InitialNamesAccepted' } as const;
    const result = resolved(
      crd({ ...names, singular: 'gadget' }, { acceptedNames: names, conditions: [established] }),
      { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' },
    );
    assert.deepEqual([result?.names.singular, result?.established], ['widget', 'True InitialNamesAccepted']);
  });

  it('does not give a CRD a name that it has in another role', () => {
    const mine = crd({ ...names, shortNames: ['w', 'widget'] }, { acceptedNames: names });
    assert.deepEqual(
      [resolved(mine)?.accepted, resolved(mine)?.message],
      ['False ShortNamesConflict', '"widget" is already in use'],
    );
  });

  it('has nothing to say where the names are accepted, whatever the conditions say', () => {
    assert.isUndefined(
      resolveNames(
        crd(names, {
          acceptedNames: { ...names, categories: [] },
          conditions: [{ type: 'NamesAccepted', status: 'False', reason: 'Nonsense' }],
        }),
        nobody,
      ),
    );
  });

  it('has nothing to say where a refusal is known', () => {
    const taken: CRDNames = { plural: 'others', kind: 'Widget' };
    const first = resolveNames(crd(names), takenNames([taken]));
    const again = crd(names, {
      acceptedNames: first?.acceptedNames ?? names,
      conditions: first === undefined ? [] : [first.namesAccepted, first.established],
    });
    assert.isUndefined(resolveNames(again, takenNames([again.status?.acceptedNames, taken])));
  });
});
