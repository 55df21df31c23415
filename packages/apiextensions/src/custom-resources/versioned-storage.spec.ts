import { parseFieldSelector } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import { selectionPredicate } from '@kubechain/apiserver/resources';
import type { ObjectRecord, ResourceCodec, StorageInterface, WatchEvent, WatchSink } from '@kubechain/shared-storage';
import { expect } from 'chai';
import type { CustomResourceDefinition } from '../definition/crd-types.ts';
import type { ObjectConverter } from '../conversion/object-converter.ts';
import { noneConverter } from '../conversion/object-converter.ts';
import { customCodec } from './custom-codec.ts';
import { VersionedStorage } from './versioned-storage.ts';
import { VersionSchemas } from './version-schema.ts';

const properties = (...names: readonly string[]): object =>
  Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
const version = (name: string, storage: boolean, fields: object): object => ({
  name,
  served: true,
  storage,
  schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', properties: fields } } } },
});
/** Of each item of a list; two hundred and fifty of them are more than a body may have. */
const thousand = Object.fromEntries(
  Array.from({ length: 1_000 }, (_, i) => [`k${i}`, { type: 'string', default: '' }]),
);
const crd = {
  metadata: { name: 'widgets.x.io' },
  spec: {
    group: 'x.io',
    scope: 'Namespaced',
    names: { plural: 'widgets', kind: 'Widget' },
    versions: [
      version('v1', false, { ...properties('a', 'only1'), d: { type: 'string', default: 'one' } }),
      version('v2', true, {
        ...properties('a', 'only2'),
        list: { type: 'array', items: { type: 'object', properties: thousand } },
      }),
    ],
  },
} as unknown as CustomResourceDefinition;
const schemas = new VersionSchemas(crd, () => crd).byVersion;
const attributesOf = (object: KubeObject): ObjectRecord['attributes'] => ({
  name: object.metadata?.name ?? '',
  namespace: '',
  labels: undefined,
  fields: {},
});
const codec: ResourceCodec = customCodec(schemas, attributesOf, { cbor: false });
const key = '/registry/x.io/widgets/ns/one';

/** The part of a storage that views need, over one key. */
function oneObject(first: KubeObject): { readonly stored: StorageInterface; readonly bytes: () => string } {
  let value = Buffer.from(JSON.stringify(first));
  let revision = 1;
  const record = (): ObjectRecord => codec.decode(key, value, revision);
  const parts: Partial<StorageInterface> = {
    get: () => Promise.resolve(record()),
    getList: () => Promise.resolve({ items: [record()], resourceVersion: '1', continue: '' }),
    guaranteedUpdate: async (_key, update) => {
      const { object } = await update({ object: record().object(), record: record() });
      value = Buffer.from(codec.encode(object));
      revision++;
      return record();
    },
  };
  return { stored: parts as StorageInterface, bytes: () => value.toString() };
}

function view(
  stored: StorageInterface,
  apiVersion: string,
  converter: ObjectConverter = noneConverter,
): VersionedStorage {
  return new VersionedStorage(apiVersion, {
    stored,
    schemas,
    converter,
    storageVersion: 'x.io/v2',
    watches: new Set(),
    attributesOf,
  });
}

const object = (apiVersion: string, spec: object): KubeObject => ({
  apiVersion,
  kind: 'Widget',
  metadata: { name: 'one', generation: 1 },
  spec,
});

describe('VersionedStorage', () => {
  it('defaults by the version that was stored and prunes by the version that is read', async () => {
    const { stored } = oneObject(object('x.io/v1', { a: 'x', only1: 'y' }));
    expect((await view(stored, 'x.io/v1').get(key))?.object()['spec']).to.deep.equal({ a: 'x', only1: 'y', d: 'one' });
    expect((await view(stored, 'x.io/v2').get(key))?.object()['spec']).to.deep.equal({ a: 'x' });
  });

  it('reads what was stored before its defaults were so many that a request may not have them', async () => {
    const items = (count: number): object => ({ list: Array.from({ length: count }, () => ({})) });
    const { stored } = oneObject(object('x.io/v2', items(251)));
    const read = (await view(stored, 'x.io/v2').get(key))?.object()['spec'] as { readonly list: readonly object[] };
    expect(Object.keys(read.list[250] ?? {}).length).to.equal(1_000);
    expect(await view(stored, 'x.io/v1').asRead(object('x.io/v1', items(251)))).to.not.equal(undefined);
    expect(() => {
      schemas.get('x.io/v2')?.applyDefaults(object('x.io/v2', items(251)));
    }).to.throw('limit is 250000 values');
    const { stored: larger } = oneObject(object('x.io/v2', items(501)));
    const error = await view(larger, 'x.io/v2')
      .get(key)
      .then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
    expect(String(error)).to.include('the defaults of the definition make the object too large');
  });

  it('writes the storage version, pruned by its schema', async () => {
    const { bytes, stored } = oneObject(object('x.io/v1', { a: 'x' }));
    const written = await view(stored, 'x.io/v1').guaranteedUpdate(key, ({ object: current }) => ({
      object: { ...current, spec: { a: 'z', only1: 'y' } },
    }));
    expect(JSON.parse(bytes())).to.deep.equal({
      kind: 'Widget',
      apiVersion: 'x.io/v2',
      metadata: { name: 'one', generation: 1 },
      spec: { a: 'z' },
    });
    expect([written.object().apiVersion, written.object().metadata?.resourceVersion]).to.deep.equal(['x.io/v1', '2']);
  });

  it('tells what would be read of an object, through the version that is stored', async () => {
    const { bytes, stored } = oneObject(object('x.io/v2', {}));
    const before = bytes();
    const given = object('x.io/v1', { a: 'x', only1: 'y' });
    const read = await view(stored, 'x.io/v1').asRead(given);
    expect(read).to.deep.equal(object('x.io/v1', { a: 'x' }));
    expect([given['spec'], bytes()]).to.deep.equal([{ a: 'x', only1: 'y' }, before]);
    expect(view(stored, 'x.io/v2').asRead(object('x.io/v2', { only2: 'z' }))).to.equal(undefined);
  });

  it('gives records of its own version as they are', async () => {
    const { stored } = oneObject(object('x.io/v2', { a: 'x' }));
    const json = Buffer.from((await view(stored, 'x.io/v2').get(key))?.json ?? []).toString();
    expect(json.startsWith('{"apiVersion":"x.io/v2","kind":"Widget","metadata":{'), json).to.equal(true);
  });

  it('converts what a list needs once, and each single read', async () => {
    const { stored } = oneObject(object('x.io/v2', { a: 'x' }));
    const kept = await stored.getList(key);
    const shared = { ...stored, getList: () => Promise.resolve(kept) };
    let conversions = 0;
    const converter: ObjectConverter = {
      convert: (objects, apiVersion) => {
        conversions++;
        return Promise.resolve(noneConverter.convert(objects, apiVersion));
      },
    };
    const v1 = view(shared, 'x.io/v1', converter);
    const [first, second] = [await v1.getList(key), await v1.getList(key)];
    expect(first.items[0]).to.equal(second.items[0]);
    expect(conversions).to.equal(1);
    await v1.get(key);
    await v1.get(key);
    expect(conversions).to.equal(3);
  });

  it('passes a failed conversion on', async () => {
    const { stored } = oneObject(object('x.io/v2', { a: 'x' }));
    const failing: ObjectConverter = { convert: () => Promise.reject(new TypeError('webhook says no')) };
    let message = '';
    await view(stored, 'x.io/v1', failing)
      .get(key)
      .catch((error: unknown) => {
        message = (error as Error).message;
      });
    expect(message).to.equal('webhook says no');
  });

  describe('selection by fields that a webhook makes', () => {
    /** What v1 calls only1 is a in v2, which is stored. */
    const webhook: ObjectConverter = {
      convert: (objects, apiVersion) =>
        Promise.resolve(
          objects.map(({ metadata, spec }) => ({
            apiVersion,
            kind: 'Widget',
            ...(metadata === undefined ? {} : { metadata }),
            spec: { only1: `host-${(spec as { a: string }).a}` },
          })),
        ),
    };
    const storedAs = (name: string, a: string, revision: number): ObjectRecord =>
      codec.decode(
        `/registry/x.io/widgets/ns/${name}`,
        Buffer.from(JSON.stringify({ ...object('x.io/v2', { a }), metadata: { name } })),
        revision,
      );
    const selection = selectionPredicate(undefined, parseFieldSelector('spec.only1=host-x'));
    const selecting = (stored: Partial<StorageInterface>): VersionedStorage =>
      new VersionedStorage('x.io/v1', {
        stored: stored as StorageInterface,
        schemas,
        converter: webhook,
        storageVersion: 'x.io/v2',
        watches: new Set(),
        attributesOf: (made) => ({
          ...attributesOf(made),
          fields: { 'spec.only1': (made['spec'] as { only1?: string }).only1 ?? '' },
        }),
      });
    const nameOf = ({ attributes }: ObjectRecord): string => attributes.name;
    /** The same, of the objects whose revision is even. */
    const ofShard = selectionPredicate(undefined, selection.field, {
      text: 'even',
      matches: ({ revision }) => revision % 2 === 0,
    });

    it('reads further pages until one is full, and goes on where it stopped', async () => {
      const all = ['x', 'y', 'y', 'x', 'y', 'x'].map((a, i) => storedAs(`o${i}`, a, i + 1));
      const limits: (number | undefined)[] = [];
      const storage = selecting({
        getList: (_key, options = {}) => {
          limits.push(options.limit);
          const from = Number(options.continue ?? 0);
          const to = from + ((options.limit ?? 0) === 0 ? all.length : (options.limit ?? 0));
          return Promise.resolve({
            items: all.slice(from, to).filter(({ attributes }) => options.predicate?.matches(attributes) ?? true),
            resourceVersion: '9',
            continue: to < all.length ? String(to) : '',
          });
        },
      });
      const whole = await storage.getList('/', { predicate: selection });
      expect([whole.items.map(nameOf), whole.resourceVersion, whole.continue]).to.deep.equal([
        ['o0', 'o3', 'o5'],
        '9',
        '',
      ]);
      expect(whole.items[0]?.object()['spec']).to.deep.equal({ only1: 'host-x' });
      limits.length = 0;
      const first = await storage.getList('/', { predicate: selection, limit: 2 });
      expect([first.items.map(nameOf), first.continue, limits]).to.deep.equal([['o0', 'o3'], '4', [2, 1, 1]]);
      const second = await storage.getList('/', { predicate: selection, limit: 2, continue: first.continue });
      expect([second.items.map(nameOf), second.continue]).to.deep.equal([['o5'], '']);
    });

    it('selects objects of a shard alone', async () => {
      const items = [1, 2, 3, 4].map((revision) => storedAs(`o${revision}`, 'x', revision));
      let source: WatchSink | undefined;
      const storage = selecting({
        getList: () => Promise.resolve({ items, resourceVersion: '9', continue: '' }),
        watch: (_key, _options, sink) => {
          source = sink;
          return Promise.resolve({ stop: () => undefined, drained: () => undefined });
        },
      });
      expect((await storage.getList('/', { predicate: ofShard })).items.map(nameOf)).to.deep.equal(['o2', 'o4']);
      const seen: string[] = [];
      const event = (told: WatchEvent): boolean => {
        seen.push('record' in told ? `${told.type} ${nameOf(told.record)}` : told.type);
        return true;
      };
      await storage.watch('/', { predicate: ofShard }, { event, end: () => undefined });
      for (const record of items) source?.event({ type: 'ADDED', record });
      // Of the shard that it was in: real ones do not change it.
      source?.event({ type: 'MODIFIED', record: storedAs('left', 'x', 7), previous: storedAs('left', 'x', 6) });
      source?.event({ type: 'MODIFIED', record: storedAs('never', 'x', 9), previous: storedAs('never', 'x', 5) });
      for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
      expect(seen).to.deep.equal(['ADDED o2', 'ADDED o4', 'DELETED left']);
    });

    it('tells watches what came into the selection, changed in it and left it', async () => {
      let source: WatchSink | undefined;
      const seen: string[] = [];
      const storage = selecting({
        watch: (_key, options, sink) => {
          expect(
            options.predicate?.empty,
            'a store that is not asked to select may leave out what was before',
          ).to.equal(false);
          source = sink;
          return Promise.resolve({ stop: () => undefined, drained: () => undefined });
        },
      });
      await storage.watch(
        '/',
        { predicate: selection },
        {
          event: (event) => {
            seen.push(
              'record' in event
                ? `${event.type} ${nameOf(event.record)} ` +
                    `${event.record.object().metadata?.resourceVersion ?? ''} ` +
                    `${JSON.stringify(event.record.object()['spec'])}`
                : event.type,
            );
            return true;
          },
          end: () => undefined,
        },
      );
      const changed = (before: string, after: string, revision: number): WatchEvent => ({
        type: 'MODIFIED',
        record: storedAs('o', after, revision),
        previous: storedAs('o', before, revision - 1),
      });
      const events: WatchEvent[] = [
        { type: 'ADDED', record: storedAs('other', 'y', 1) },
        { type: 'ADDED', record: storedAs('mine', 'x', 2) },
        changed('y', 'x', 3),
        changed('x', 'x', 4),
        changed('x', 'y', 5),
        changed('y', 'y', 6),
        { type: 'DELETED', record: storedAs('other', 'y', 7) },
        { type: 'DELETED', record: storedAs('mine', 'x', 8) },
      ];
      for (const event of events) {
        source?.event(event);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
      const spec = '{"only1":"host-x"}';
      expect(seen).to.deep.equal([
        `ADDED mine 2 ${spec}`,
        `ADDED o 3 ${spec}`,
        `MODIFIED o 4 ${spec}`,
        `DELETED o 5 ${spec}`,
        `DELETED mine 8 ${spec}`,
      ]);
    });
  });
});

describe('VersionedStorage over objects that cannot be converted', () => {
  const broken: ObjectConverter = {
    convert: () => Promise.reject(new Error('no way')),
  };
  const open = (told: boolean): VersionedStorage =>
    new VersionedStorage('x.io/v2', {
      stored: oneObject(object('x.io/v1', {})).stored,
      schemas,
      converter: broken,
      storageVersion: 'x.io/v2',
      watches: new Set(),
      attributesOf,
      ...(told
        ? {
            unreadable: { keyRoot: '/registry/x.io/widgets', resourcePrefix: '/x.io/widgets', unsafeDeletion: true },
          }
        : {}),
    });
  const messageOf = async (promise: Promise<unknown>): Promise<string> => {
    try {
      await promise;
      return 'done';
    } catch (error) {
      return (error as Error).message;
    }
  };

  it('tells of a read that the object is corrupt, where objects may be deleted unread', async () => {
    expect(await messageOf(open(true).get(key))).to.equal(
      'StorageError: corrupt object, Code: 7, Key: /x.io/widgets/ns/one, ResourceVersion: 0, AdditionalErrorMsg: ' +
        'object not decodable revision=1: no way',
    );
  });

  it('tells of an update what could not be decoded', async () => {
    const update = (): never => {
      throw new Error('not to be called');
    };
    expect(await messageOf(open(true).guaranteedUpdate(key, update))).to.equal(
      'object not decodable revision=1: no way',
    );
  });

  it('says what the converter says otherwise', async () => {
    expect(await messageOf(open(false).get(key))).to.equal('no way');
  });
});
