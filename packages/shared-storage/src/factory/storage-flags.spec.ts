import { expect } from 'chai';
import { StorageFlagError, parseEtcdServersOverrides, parseWatchCacheSizes } from './storage-flags.ts';

describe('storage flags', () => {
  it('reads --etcd-servers-overrides', () => {
    expect(
      parseEtcdServersOverrides(['/pods#http://etcd4:2379;http://etcd5:2379', 'apps/deployments#https://e:1']),
    ).to.deep.equal([
      { resource: { group: '', resource: 'pods' }, servers: ['http://etcd4:2379', 'http://etcd5:2379'] },
      { resource: { group: 'apps', resource: 'deployments' }, servers: ['https://e:1'] },
    ]);
  });

  for (const value of ['', 'pods#http://e', '/pods', '/pods#', '/pods#a#b', 'a/b/c#d', '/pods#a;']) {
    it(`refuses --etcd-servers-overrides=${value}`, () => {
      expect(() => parseEtcdServersOverrides([value])).to.throw(
        StorageFlagError,
        'must be of format: group/resource#servers',
      );
    });
  }

  it('reads --watch-cache-sizes', () => {
    expect([...parseWatchCacheSizes(['pods#0', 'deployments.apps#100'])]).to.deep.equal([
      ['pods', 0],
      ['deployments.apps', 100],
    ]);
  });

  const sizes: readonly (readonly [string, string])[] = [
    ['pods', 'invalid value of watch cache size: pods'],
    ['pods#a', 'invalid size of watch cache size: pods#a'],
    ['pods#-1', 'watch cache size cannot be negative: pods#-1'],
    ['pods#1#2', 'invalid value of watch cache size: pods#1#2'],
  ];
  for (const [value, message] of sizes) {
    it(`refuses --watch-cache-sizes=${value}`, () => {
      expect(() => parseWatchCacheSizes([value])).to.throw(StorageFlagError, message);
    });
  }
});
