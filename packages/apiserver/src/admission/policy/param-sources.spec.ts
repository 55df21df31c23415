import { everyLabel, selectorFromObject } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { expect } from 'chai';
import { ListedStorages } from '../testing/listed-storages.ts';
import { FollowedParams } from './param-sources.ts';

const definition = (version: string, served: boolean): KubeObject => ({
  metadata: { name: 'boxes.x.io' },
  spec: {
    group: 'x.io',
    scope: 'Cluster',
    names: { plural: 'boxes', kind: 'Box' },
    versions: [{ name: version, served }],
  },
});
const configMap = { group: '', version: 'v1', kind: 'ConfigMap' },
  box = { group: 'x.io', version: 'v1', kind: 'Box' };

describe('params of policies', () => {
  let storages: ListedStorages, custom: ListedStorages, params: FollowedParams;
  beforeEach(() => {
    storages = new ListedStorages();
    custom = new ListedStorages();
    params = new FollowedParams({
      storages,
      customStorages: custom,
      onError: (error) => {
        throw error;
      },
    });
  });
  afterEach(() => {
    params.stop();
  });

  it('are built-in objects', async () => {
    storages.set('configmaps', { metadata: { name: 'b', namespace: 'ns', labels: { a: 'x' } } });
    storages.set('configmaps', { metadata: { name: 'a', namespace: 'ns' } });
    storages.set('configmaps', { metadata: { name: 'a', namespace: 'other', labels: { a: 'x' } } });
    const source = await params.find(configMap);
    expect(source?.namespaced).to.equal(true);
    expect(await source?.ready()).to.equal(true);
    expect(source?.get('ns', 'a')).to.deep.equal({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'a', namespace: 'ns' },
    });
    expect(source?.get('ns', 'c')).to.equal(undefined);
    expect(source?.list('ns', everyLabel)).to.have.length(2);
    expect(source?.list('ns', selectorFromObject({ matchLabels: { a: 'x' } }))).to.have.length(1);
  });

  it('are custom resources of versions that are served', async () => {
    custom.set('customresourcedefinitions', definition('v1', true));
    custom.set('boxes', { metadata: { name: 'a' }, apiVersion: 'x.io/v0', kind: 'Box' });
    const source = await params.find(box);
    expect(source?.namespaced).to.equal(false);
    expect(await source?.ready()).to.equal(true);
    expect(source?.get('', 'a')).to.include({ apiVersion: 'x.io/v1' });
    expect(await params.resourceOf(box)).to.deep.include({ resource: 'boxes' });
    expect(await params.find({ ...box, version: 'v2' })).to.equal(undefined);
  });

  it('are nothing where the definition goes', async () => {
    custom.set('customresourcedefinitions', definition('v1', true));
    expect(await params.find(box)).not.to.equal(undefined);
    expect(custom.followers('boxes')).to.equal(1);
    custom.set('customresourcedefinitions', definition('v1', false));
    expect(await params.find(box)).to.equal(undefined);
    await Promise.resolve();
    expect(custom.followers('boxes')).to.equal(0);
  });

  it('are followed once, as long as a policy names them', async () => {
    const first = await params.find(configMap);
    expect(await params.find(configMap)).to.equal(first);
    await first?.ready();
    params.retain([configMap]);
    expect(storages.followers('configmaps')).to.equal(1);
    params.retain([]);
    expect(storages.followers('configmaps')).to.equal(0);
  });

  it('have built-in kinds without a look at definitions', async () => {
    expect(await params.resourceOf({ group: 'apps', version: 'v1', kind: 'Deployment' })).to.deep.include({
      resource: 'deployments',
      namespaced: true,
    });
    expect(custom.followers('customresourcedefinitions')).to.equal(0);
  });
});
