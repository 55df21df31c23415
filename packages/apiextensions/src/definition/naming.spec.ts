import { expect } from 'chai';
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
    expect(resolved(crd(names))).to.deep.equal({
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
      expect([result?.accepted, result?.message, result?.established]).to.deep.equal([
        `False ${reason}`,
        message,
        'False NotAccepted',
      ]);
    });
  }

  it('names the last conflict only, and every short name once', () => {
    const mine = crd({ ...names, shortNames: ['a', 'b', 'a'] });
    expect(resolved(mine, { plural: 'a', singular: 'b', kind: 'X' })?.message).to.equal(
      '["a" is already in use, "b" is already in use]',
    );
    expect(resolved(mine, { plural: 'a', kind: 'Widget' })?.accepted).to.equal('False KindConflict');
  });

  it('accepts the names that are free beside one that is not', () => {
    expect(resolved(crd(names), { plural: 'others', kind: 'Widget' })?.names).to.deep.equal({
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
    expect([result?.names.singular, result?.established]).to.deep.equal(['widget', 'True InitialNamesAccepted']);
  });

  it('does not give a CRD a name that it has in another role', () => {
    const mine = crd({ ...names, shortNames: ['w', 'widget'] }, { acceptedNames: names });
    expect([resolved(mine)?.accepted, resolved(mine)?.message]).to.deep.equal([
      'False ShortNamesConflict',
      '"widget" is already in use',
    ]);
  });

  it('has nothing to say where the names are accepted, whatever the conditions say', () => {
    expect(
      resolveNames(
        crd(names, {
          acceptedNames: { ...names, categories: [] },
          conditions: [{ type: 'NamesAccepted', status: 'False', reason: 'Nonsense' }],
        }),
        nobody,
      ),
    ).to.equal(undefined);
  });

  it('has nothing to say where a refusal is known', () => {
    const taken: CRDNames = { plural: 'others', kind: 'Widget' };
    const first = resolveNames(crd(names), takenNames([taken]));
    const again = crd(names, {
      acceptedNames: first?.acceptedNames ?? names,
      conditions: first === undefined ? [] : [first.namesAccepted, first.established],
    });
    expect(resolveNames(again, takenNames([again.status?.acceptedNames, taken]))).to.equal(undefined);
  });
});
