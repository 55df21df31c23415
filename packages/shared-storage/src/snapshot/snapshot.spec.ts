import { expect } from 'chai';
import { MemoryEtcd } from '../testing/memory-etcd.ts';
import { readSnapshot, serviceAccountKeyIn, SnapshotFileError, snapshotText } from './snapshot-file.ts';
import { restoreSnapshot, takeSnapshot } from './snapshot.ts';

const value = (text: string): Buffer => Buffer.from(text);

describe('a snapshot of a store', () => {
  it('is put back by as few writes as are needed, at higher revisions', async () => {
    const etcd = new MemoryEtcd();
    for (const key of ['/a', '/b', '/c']) await etcd.put({ key, value: value(key) });
    const snapshot = await takeSnapshot(etcd);
    await etcd.put({ key: '/b', value: value('other') });
    await etcd.delete({ key: '/c' });
    const { revision: before } = await etcd.put({ key: '/new', value: value('x') });
    const restored = await restoreSnapshot(etcd, snapshot);
    expect(restored).to.deep.include({ written: 2, deleted: 1 });
    expect(restored.revision).to.be.greaterThan(before);
    const after = await takeSnapshot(etcd);
    expect(after.keys).to.deep.equal(snapshot.keys);
    expect(await restoreSnapshot(etcd, snapshot)).to.deep.equal({ written: 0, deleted: 0, revision: after.revision });
  });

  it('may be of more keys than one transaction has operations', async () => {
    const etcd = new MemoryEtcd();
    for (let i = 0; i < 400; i++) await etcd.put({ key: `/k/${i}`, value: value(String(i)) });
    const snapshot = await takeSnapshot(etcd);
    await etcd.delete({ key: '/k/', rangeEnd: '/k0' });
    expect(await restoreSnapshot(etcd, snapshot)).to.deep.include({ written: 400, deleted: 0 });
    expect((await takeSnapshot(etcd)).keys).to.deep.equal(snapshot.keys);
  });
});

describe('the file of a snapshot', () => {
  it('says what it was made of, text as text', () => {
    const snapshot = {
      revision: 7,
      keys: [
        { key: '/a', value: value('{"kind":"größe"}') },
        { key: '/b', value: Buffer.from([0xff, 0, 1]) },
        { key: '/c', value: value(''), ttlSeconds: 30 },
      ],
    };
    const text = snapshotText(snapshot);
    expect(text.split('\n')[1]).to.equal('{"key":"/a","text":"{\\"kind\\":\\"größe\\"}"}');
    expect(readSnapshot(text)).to.deep.equal(snapshot);
  });

  it('tells the key of service accounts where it is given one', () => {
    const snapshot = { revision: 7, keys: [{ key: '/a', value: value('a') }] };
    const text = snapshotText(snapshot, 'PEM\n');
    expect(serviceAccountKeyIn(text)).to.equal('PEM\n');
    expect(readSnapshot(text)).to.deep.equal(snapshot);
    expect(serviceAccountKeyIn(snapshotText(snapshot))).to.equal(undefined);
    expect(() => serviceAccountKeyIn('{"kind":"List"}')).to.throw(SnapshotFileError, 'this is not a snapshot');
  });

  const head = '{"kind":"KubechainSnapshot","version":1,"revision":1,"keys":1}';
  const refused: readonly (readonly [what: string, text: string, error: string])[] = [
    ['empty', '', 'line 1: no JSON object'],
    ['of something else', '{"kind":"List"}', 'line 1: this is not a snapshot of kubechain'],
    ['of a version to come', '{"kind":"KubechainSnapshot","version":2}', 'line 1: version 2 is not known'],
    ['cut short', head, '1 keys were saved, 0 are there'],
    ['with a broken line', `${head}\n{"key":`, 'line 2: no JSON object'],
    ['with a line without a value', `${head}\n{"key":"/a"}`, 'line 2: a key and its text or base64 are needed'],
  ];
  for (const [what, text, error] of refused)
    it(`is refused when it is ${what}`, () => {
      expect(() => readSnapshot(text)).to.throw(SnapshotFileError, error);
    });
});
