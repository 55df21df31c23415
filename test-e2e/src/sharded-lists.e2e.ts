import { expect } from 'chai';
import { startAllInOne, type AllInOne } from 'kubechain/all-in-one';
import { Client } from './harness/client.ts';

const namespaces = '/api/v1/namespaces';
const [zero, half, above] = ['0x0000000000000000', '0x8000000000000000', '0x10000000000000000'];
const shard = (field: string, start = zero, end = above): string =>
  `shardRange(object.metadata.${field}, '${start}', '${end}')`;
const within = (selector: string): string => `shardSelector=${encodeURIComponent(selector)}`;

describe('lists and watches of a shard', () => {
  let cluster: AllInOne;
  let client: Client;
  before(async () => {
    cluster = await startAllInOne({ flags: ['--feature-gates=ShardedListAndWatch=true'] });
    client = Client.fromKubeconfig(cluster.kubeconfig);
  });
  after(async () => {
    client.close();
    await cluster.close();
  });
  const names = async (query: string): Promise<string[]> =>
    (await client.get(`${namespaces}?${query}`)).body.items.map(
      (item: { metadata: { name: string } }) => item.metadata.name,
    );

  it('have what is in it, and say which it is', async () => {
    const [lower, upper] = [shard('uid', zero, half), shard('uid', half)];
    const all = await names('');
    const parts = [await names(within(lower)), await names(within(upper))];
    expect(parts.flat().toSorted()).to.deep.equal(all);
    expect((await names(within(`${lower}||${upper}`))).toSorted()).to.deep.equal(all);
    const { body } = await client.get(`${namespaces}?limit=1&${within(shard('uid'))}`);
    expect(body.metadata).to.deep.include({
      shardInfo: { selector: shard('uid') },
      remainingItemCount: all.length - 1,
    });
    const table = await client.get(`${namespaces}?${within(lower)}`, {
      headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
    });
    expect(table.body.metadata.shardInfo).to.deep.equal({ selector: lower });
    const headers = { accept: 'application/vnd.kubernetes.protobuf' };
    expect((await client.get(`${namespaces}?${within(lower)}`, { headers })).bytes.includes(lower)).to.equal(true);
    const configMaps = '/api/v1/namespaces/default/configmaps';
    expect((await client.post(configMaps, { metadata: { name: 'a' } })).status).to.equal(201);
    const counts = await Promise.all(
      [shard('namespace', zero, half), shard('namespace', half)].map(
        async (selector) => (await client.get(`${configMaps}?${within(selector)}`)).body.items.length as number,
      ),
    );
    expect(counts).to.have.members([0, 1]);
  });

  it('are told of changes in it alone', async () => {
    const before = await client.get(namespaces);
    const from = `watch=true&timeoutSeconds=2&resourceVersion=${before.body.metadata.resourceVersion}`;
    const halves = [shard('uid', zero, half), shard('uid', half)].map((selector) =>
      client.get(`${namespaces}?${from}&${within(selector)}`),
    );
    for (let i = 0; i < 8; i++) await client.post(namespaces, { metadata: { name: `n${i}` } });
    const seen = (await Promise.all(halves)).map(
      ({ text }) => new Set([...text.matchAll(/"name":"(n\d)"/g)].map(([, name]) => name)),
    );
    const [first = new Set(), second = new Set()] = seen;
    expect([...first].filter((name) => second.has(name))).to.deep.equal([]);
    expect(first.size + second.size).to.equal(8);
    const lower = await names(within(shard('uid', zero, half)));
    expect([...first]).to.have.members(lower.filter((name) => /^n\d$/.test(name)));
  });

  const hex = 'hexStart must be a 0x-prefixed 16-digit hex value';
  for (const [selector, message] of [
    [' ', 'empty shard selector is not allowed; omit the parameter for unfiltered lists'],
    ['x', 'unexpected expression kind 3; expected shardRange() call or || operator'],
    ['foo(1)', 'unsupported function "foo"; only shardRange() and || are allowed'],
    [`${shard('uid')} && ${shard('uid')}`, 'unsupported function "_&&_"; only shardRange() and || are allowed'],
    [
      `${shard('uid')} || ${shard('namespace')}`,
      'all shard ranges must use the same field, got "object.metadata.uid" and "object.metadata.namespace"',
    ],
    [
      shard('name'),
      'unsupported field path "object.metadata.name"; supported: object.metadata.uid, object.metadata.namespace',
    ],
    [shard('uid', '0x0'), `${hex}, got "0x0" (did you mean "${zero}"?)`],
    [shard('uid', half, zero), `shard range start ${half} must be less than end ${zero}`],
    ["shardRange(object.metadata.uid, 1, '0x')", 'hexStart must be a string literal, got int64'],
    [`shardRange(object.metadata.uid, '${zero}')`, 'shardRange() requires exactly 3 arguments, got 2'],
  ] as const)
    it(`refuse ${selector}`, async () => {
      for (const query of ['', 'watch=true&']) {
        const { body, status } = await client.get(`${namespaces}?${query}${within(selector)}`);
        expect([status, body.message]).to.deep.equal([500, `invalid shard selector: ${message}`]);
      }
    });
});
