import type { APIGroupDiscovery, APIVersionDiscovery } from '@kubechain/apiserver/servers';
import { expect } from 'chai';
import { mergeDiscovery } from './merge-discovery.ts';

type Resource = APIVersionDiscovery['resources'][number];

function resource(name: string, verbs: readonly string[] = ['get'], subresources: readonly string[] = []): Resource {
  const responseKind = { group: '', version: '', kind: name };
  return {
    resource: name,
    responseKind,
    scope: 'Cluster',
    singularResource: name,
    verbs,
    ...(subresources.length === 0
      ? {}
      : { subresources: subresources.map((subresource) => ({ subresource, responseKind, verbs: ['get'] })) }),
  };
}

function group(name: string, versions: Readonly<Record<string, readonly Resource[]>>): APIGroupDiscovery {
  return {
    metadata: { name },
    versions: Object.entries(versions).map(([version, resources]) => ({ version, resources, freshness: 'Current' })),
  };
}

describe('mergeDiscovery', () => {
  const merged = (...lists: readonly (readonly APIGroupDiscovery[])[]): readonly APIGroupDiscovery[] =>
    mergeDiscovery(new Map(lists.map((list, i) => [`server-${i}`, list])));

  it('has the groups of all, in the order of all', () => {
    const one = [group('a', { v1: [] }), group('c', { v1: [] })];
    const other = [group('a', { v1: [] }), group('b', { v1: [] }), group('c', { v1: [] })];
    expect(merged(one, other).map(({ metadata }) => metadata.name)).to.deep.equal(['a', 'b', 'c']);
  });

  it('has the versions and resources of all in one group', () => {
    const one = group('a', { v1: [resource('x')] });
    const other = group('a', { v2: [resource('x')], v1: [resource('x'), resource('y')] });
    expect(merged([one], [other])).to.deep.equal([other]);
  });

  it('has the verbs and subresources of all of one resource, by their letters', () => {
    const one = group('a', { v1: [resource('x', ['watch', 'get'], ['status'])] });
    const other = group('a', { v1: [resource('x', ['list'], ['scale'])] });
    expect(merged([one], [other])).to.deep.equal([
      group('a', { v1: [resource('x', ['get', 'list', 'watch'], ['scale', 'status'])] }),
    ]);
  });

  it('leaves verbs as they are where all say the same', () => {
    const one = group('a', { v1: [resource('x', ['watch', 'get'])] });
    expect(merged([one], [one])).to.deep.equal([one]);
  });

  it('takes the words of the server whose identity comes first', () => {
    const one = group('a', { v1: [{ ...resource('x'), singularResource: 'ours' }] });
    const other = group('a', { v1: [{ ...resource('x'), singularResource: 'theirs' }] });
    const both = mergeDiscovery(
      new Map([
        ['b', [one]],
        ['a', [other]],
      ]),
    );
    expect(both[0]?.versions[0]?.resources[0]?.singularResource).to.equal('theirs');
  });
});
