import { assert } from 'chai';
import type { CRDNames, CustomResourceDefinition } from './crd-types.ts';
import { resolveNames } from './naming.ts';

function crd(names: CRDNames, status: CustomResourceDefinition['status'] = {}): CustomResourceDefinition {
  return { metadata: { name: `${names.plural}.x.io` }, spec: { group: 'x.io', scope: 'Namespaced', names, versions: [] }, status };
}
const names: CRDNames = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList', shortNames: ['w'] };

describe('resolveNames', () => {
  it('accepts names that nobody has, and establishes at once', () => {
    const { acceptedNames, established, namesAccepted } = resolveNames(crd(names), []);
    assert.deepEqual(acceptedNames, names);
    assert.deepEqual([namesAccepted.status, namesAccepted.reason, established.status, established.reason], ['True', 'NoConflicts', 'True', 'InitialNamesAccepted']);
  });

  const conflicts: readonly { readonly taken: CRDNames; readonly reason: string; readonly message: string }[] = [
    { taken: { plural: 'others', singular: 'widget', kind: 'Other' }, reason: 'SingularConflict', message: '"widget" is already in use' },
    { taken: { plural: 'w', kind: 'Other' }, reason: 'ShortNamesConflict', message: '"w" is already in use' },
    { taken: { plural: 'others', kind: 'Widget' }, reason: 'KindConflict', message: '"Widget" is already in use' },
    { taken: { plural: 'others', kind: 'Other', listKind: 'WidgetList' }, reason: 'ListKindConflict', message: '"WidgetList" is already in use' },
  ];
  for (const { message, reason, taken } of conflicts) {
    it(`says ${reason}`, () => {
      const { established, namesAccepted } = resolveNames(crd(names), [crd(taken, { acceptedNames: taken })]);
      assert.deepEqual([namesAccepted.status, namesAccepted.reason, namesAccepted.message, established.status, established.reason], ['False', reason, message, 'False', 'NotAccepted']);
    });
  }

  it('keeps what was accepted, and stays established', () => {
    const mine = crd({ ...names, singular: 'gadget' }, { acceptedNames: names, conditions: [{ type: 'Established', status: 'True' }] });
    const { acceptedNames, established } = resolveNames(mine, [crd({ plural: 'gadgets', singular: 'gadget', kind: 'Gadget' }, { acceptedNames: { plural: 'gadgets', singular: 'gadget', kind: 'Gadget' } })]);
    assert.equal(acceptedNames.singular, 'widget');
    assert.equal(established.status, 'True');
  });
});
