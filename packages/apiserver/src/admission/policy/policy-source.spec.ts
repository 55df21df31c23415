import type { GroupVersionKind } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { ListedStorages } from '../testing/listed-storages.ts';
import { PolicySource } from './policy-source.ts';
import type { PolicySpec } from './stored-policy.ts';

describe('PolicySource', () => {
  it('has the policies that something is bound to, compiled when they are needed', async () => {
    const storages = new ListedStorages();
    const compiled: string[] = [],
      kinds: (readonly GroupVersionKind[])[] = [];
    const source = new PolicySource<PolicySpec, { readonly name: string }>({
      policies: 'validatingadmissionpolicies',
      bindings: 'validatingadmissionpolicybindings',
      storages,
      onError: (error) => {
        throw error;
      },
      *compile(name) {
        compiled.push(name);
        yield;
        return { name };
      },
      onParamKinds: (given) => {
        kinds.push(given);
      },
    });
    expect(source.hasSynced).to.equal(false);
    await source.waitForSync();
    expect(source.hooks()).to.deep.equal([]);

    storages.set('validatingadmissionpolicies', {
      metadata: { name: 'b' },
      spec: { paramKind: { apiVersion: 'x.io/v1', kind: 'Box' } },
    });
    storages.set('validatingadmissionpolicies', { metadata: { name: 'a' }, spec: {} });
    storages.set('validatingadmissionpolicies', { metadata: { name: 'unbound' }, spec: {} });
    for (const [name, policyName] of [
      ['z', 'b'],
      ['y', 'b'],
      ['x', 'a'],
      ['w', 'missing'],
    ])
      storages.set('validatingadmissionpolicybindings', { metadata: { name: name ?? '' }, spec: { policyName } });
    expect(source.hooks().map(({ bindings, name }) => [name, bindings.map((binding) => binding.name)])).to.deep.equal([
      ['a', ['x']],
      ['b', ['y', 'z']],
    ]);
    expect(source.hooks()).to.equal(source.hooks());
    expect(kinds.at(-1)).to.deep.equal([{ group: 'x.io', version: 'v1', kind: 'Box' }]);
    expect(compiled).to.deep.equal([]);
    for (let i = 0; i < 2; i++)
      expect(source.hooks().map(({ evaluator }) => evaluator.makeNow().name)).to.deep.equal(['a', 'b']);
    expect(compiled).to.deep.equal(['a', 'b']);

    storages.delete('validatingadmissionpolicies', { metadata: { name: 'b' } });
    expect(source.hooks().map(({ name }) => name)).to.deep.equal(['a']);
    expect(kinds.at(-1)).to.deep.equal([]);
    source.stop();
  });
});
