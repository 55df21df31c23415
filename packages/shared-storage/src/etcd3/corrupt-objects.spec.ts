import { expect } from 'chai';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedEtcd } from '@kubechain/embedded-etcd';
import type { EmbeddedEtcd } from '@kubechain/embedded-etcd';
import { namesOf, pod, podCodec } from '../testing/contract/pods.ts';
import { rejection } from '../testing/contract/rejection.ts';
import { WatchRecorder } from '../testing/contract/watch-recorder.ts';
import { isStorageError } from '../storage/errors.ts';
import { TransformError } from '../value/transform-error.ts';
import type { ValueTransformer } from '../value/transformer.ts';
import type { EtcdClient } from '../etcd-client/etcd-client.ts';
import { createEtcdClient } from '../etcd-client/etcd3-client.ts';
import { Etcd3Store } from './store.ts';

/** Reads everything but what begins with `lost`. */
const transformer: ValueTransformer = {
  fromStorage: (value) => {
    if (Buffer.from(value).toString('latin1').startsWith('lost'))
      throw new TransformError('no matching key was found for the provided AES transformer');
    return { value, stale: false };
  },
  toStorage: (value) => value,
};

describe('objects that cannot be read', () => {
  const keyRoot = '/registry/pods';
  let folder: string;
  let etcd: EmbeddedEtcd;
  let client: EtcdClient;
  let storage: Etcd3Store;
  const open = (unsafeDeletion: boolean): Etcd3Store =>
    new Etcd3Store({
      client,
      codec: podCodec,
      keyRoot,
      resourcePrefix: '/pods',
      transformer,
      unsafeDeletion,
      groupResource: { group: '', resource: 'pods' },
    });
  const put = async (name: string, value: string): Promise<number> =>
    (await client.put({ key: `${keyRoot}/ns/${name}`, value: Buffer.from(value) })).revision;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'kubechain-corrupt-'));
    etcd = await startEmbeddedEtcd({ dataFile: join(folder, 'etcd.db'), unsafeNoFsync: true });
    client = createEtcdClient({ endpoints: [etcd.endpoint] });
    storage = open(true);
  });
  afterEach(async () => {
    await storage.close();
    await client.close();
    await etcd.close();
    await rm(folder, { recursive: true });
  });

  it('are named by reads of one', async () => {
    await put('lost', 'lost');
    const untransformable = await rejection(storage.get(`${keyRoot}/ns/lost`), 'CorruptObject');
    expect(untransformable.message).to.equal(
      'StorageError: corrupt object, Code: 7, Key: /pods/ns/lost, ResourceVersion: 0, AdditionalErrorMsg: ' +
        'data from the storage is not transformable revision=0: no matching key was found for the provided AES ' +
        'transformer',
    );
    const revision = await put('broken', '{"kind":');
    const undecodable = await rejection(storage.get(`${keyRoot}/ns/broken`), 'CorruptObject');
    expect(undecodable.message).to.match(
      new RegExp(
        '^StorageError: corrupt object, Code: 7, Key: /pods/ns/broken, ResourceVersion: 0, ' +
          `AdditionalErrorMsg: object not decodable revision=${revision}: .+`,
      ),
    );
    expect(undecodable.undecodable, 'a read wraps what the decoder said').to.not.equal(true);
    const update = await rejection(
      storage.guaranteedUpdate(`${keyRoot}/ns/broken`, ({ object }) => ({ object: object ?? {} })),
      'CorruptObject',
    );
    expect(update.message).to.match(/^object not decodable revision=/);
    expect(update.undecodable).to.equal(true);
  });

  it('are all named by a list', async () => {
    await storage.create(`${keyRoot}/ns/a`, pod('a'));
    await put('b', 'lost');
    await storage.create(`${keyRoot}/ns/c`, pod('c'));
    const revision = await put('d', 'nonsense');
    const { unreadable = [] } = await rejection(storage.getList(`${keyRoot}/`), 'StoreReadError');
    expect(unreadable.map(({ key }) => key)).to.deep.equal([`${keyRoot}/ns/b`, `${keyRoot}/ns/d`]);
    expect(unreadable[0]?.message).to.equal(
      `StorageError: corrupt object, Code: 7, Key: ${keyRoot}/ns/b, ResourceVersion: 0, AdditionalErrorMsg: ` +
        'data from the storage is not transformable revision=0: no matching key was found for the provided AES ' +
        'transformer',
    );
    expect(unreadable[1]?.message).to.include(`AdditionalErrorMsg: object not decodable revision=${revision}: `);
    await storage.delete(`${keyRoot}/ns/b`, { ignoreStoreReadError: true });
    await storage.delete(`${keyRoot}/ns/d`, { ignoreStoreReadError: true });
    expect(namesOf((await storage.getList(`${keyRoot}/`)).items)).to.deep.equal(['a', 'c']);
  });

  it('are named up to a hundred', async () => {
    for (let i = 0; i < 102; i++) await put(`p${i}`, 'lost');
    const { unreadable = [] } = await rejection(storage.getList(`${keyRoot}/`), 'StoreReadError');
    expect(unreadable).to.have.lengthOf(101);
    expect(unreadable[100]).to.deep.equal({ key: undefined, message: 'too many errors, the list is truncated' });
  });

  it('end a watch when they are deleted', async () => {
    const revision = await put('b', 'lost');
    const events = new WatchRecorder();
    await storage.watch(`${keyRoot}/`, { resourceVersion: String(revision) }, events);
    await storage.delete(`${keyRoot}/ns/b`, { ignoreStoreReadError: true });
    const failed = await events.find((event) => event.type === 'ERROR');
    const error = failed.type === 'ERROR' ? failed.error : undefined;
    expect(isStorageError(error, 'StoreReadError')).to.equal(true);
    expect(error?.message).to.equal(
      'saw a DELETED event, but object data is corrupt - data from the storage is not transformable ' +
        'revision=0: no matching key was found for the provided AES transformer',
    );
  });

  it('are what transformer and decoder say without the feature gate', async () => {
    await put('b', 'lost');
    const plain = open(false);
    expect((await rejection(plain.get(`${keyRoot}/ns/b`), 'CorruptObject')).message).to.equal(
      'no matching key was found for the provided AES transformer',
    );
    expect((await rejection(plain.getList(`${keyRoot}/`), 'CorruptObject')).message).to.equal(
      `unable to transform key "${keyRoot}/ns/b": no matching key was found for the provided AES transformer`,
    );
    await plain.close();
  });

  it('are what somebody else has encrypted where nothing is configured', async () => {
    await put('b', 'k8s:enc:aescbc:v1:key:...');
    const plain = new Etcd3Store({ client, codec: podCodec, keyRoot, groupResource: { group: '', resource: 'pods' } });
    expect((await rejection(plain.get(`${keyRoot}/ns/b`), 'CorruptObject')).message).to.equal(
      'identity transformer tried to read encrypted data',
    );
    await plain.close();
  });
});
