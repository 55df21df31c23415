import { builtinScheme, nameIsAnything, nameIsLongName, required, StatusError } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { ObjectRecord } from '@kubechain/shared-storage';
import { expect } from 'chai';
import { MemoryStorage } from '@kubechain/shared-storage/testing';
import { refusal } from '../../testing/refusal.ts';
import { internalContext } from '../rest/internal-context.ts';
import { isRecord } from '../rest/result.ts';
import { everything } from '../rest/selection-predicate.ts';
import type { DeleteOptions, RESTContext, RESTResult, UpdatedObjectInfo } from '../rest/storage.ts';
import { resourceCodec } from './resource-codec.ts';
import type { ResourceSpec } from './resource-spec.ts';
import { Store } from './store.ts';

const core = { group: '', version: 'v1' };
const context = internalContext({ groupResource: { group: '', resource: 'configmaps' }, namespace: 'a' });
const accept = (): void => undefined;
const write = { dryRun: false, fieldManager: '', fieldValidation: 'Strict' };
const configMap = (name: string, more: KubeObject = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  ...more,
  metadata: { name, ...more.metadata },
});
const objectOf = (result: RESTResult): KubeObject => (isRecord(result) ? result.object() : result);
const becomes = (object: KubeObject): UpdatedObjectInfo => ({
  preconditions: undefined,
  updatedObject: () => structuredClone(object),
});

describe('Store', () => {
  let nowMs: number;
  let random: () => number;
  let storage: MemoryStorage;

  const newStore = (overrides: Partial<ResourceSpec> = {}, resourcePrefix?: string): Store => {
    const spec: ResourceSpec = {
      scheme: builtinScheme(),
      group: '',
      plural: 'configmaps',
      singular: 'configmap',
      kind: 'ConfigMap',
      namespaced: true,
      memoryVersion: core,
      ...overrides,
    };
    storage = new MemoryStorage(resourceCodec(spec));
    let uids = 0;
    return new Store({
      spec,
      storage,
      keyRoot: '/registry/configmaps',
      ...(resourcePrefix === undefined ? {} : { resourcePrefix }),
      enableGarbageCollection: true,
      deleteCollectionWorkers: 3,
      environment: { clock: { now: () => nowMs }, newUID: () => `uid-${++uids}`, random: () => random() },
    });
  };
  const create = (store: Store, object: KubeObject, dryRun = false): Promise<RESTResult> =>
    store.create(context, '', object, { ...write, dryRun, validate: accept });
  const update = (
    store: Store,
    object: KubeObject,
    options: { name?: string; forceAllowCreate?: boolean; dryRun?: boolean } = {},
  ): Promise<{ result: RESTResult; created: boolean }> =>
    store.update(context, options.name ?? object.metadata?.name ?? '', becomes(object), {
      ...write,
      dryRun: options.dryRun ?? false,
      forceAllowCreate: options.forceAllowCreate ?? false,
      validateCreate: accept,
      validateUpdate: accept,
    });
  const remove = (
    store: Store,
    name: string,
    options: Partial<DeleteOptions> = {},
  ): Promise<{ result: RESTResult; deleted: boolean }> =>
    store.delete(context, name, accept, { dryRun: false, ...options });
  const stored = async (name: string): Promise<KubeObject | undefined> =>
    (await storage.get(`/registry/configmaps/a/${name}`, { ignoreNotFound: true }))?.object();

  beforeEach(() => {
    nowMs = Date.parse('2026-01-01T00:00:00Z');
    random = () => 0.5;
  });

  describe('create', () => {
    it('asks whether it is its turn right before the rules: many at once would all find that it is', async () => {
      const steps: string[] = [];
      const rules = (): [] => {
        steps.push('rules');
        return [];
      };
      const store = newStore({ strategy: { validate: rules, validateUpdate: rules } });
      const next = (): undefined => {
        steps.push('turn');
      };
      const here: RESTContext = { ...context, turns: { next, before: () => undefined, beginWith: () => undefined } };
      const names = ['a', 'b'];
      await Promise.all(names.map((name) => store.create(here, '', configMap(name), { ...write, validate: accept })));
      const options = { ...write, forceAllowCreate: false, validateCreate: accept, validateUpdate: accept };
      const changed = (name: string): UpdatedObjectInfo =>
        becomes(configMap(name, { metadata: { labels: { a: 'b' } } }));
      await Promise.all(names.map((name) => store.update(here, name, changed(name), options)));
      expect(steps).to.deep.equal(['turn', 'rules', 'turn', 'rules', 'turn', 'rules', 'turn', 'rules']);
    });

    it('sets what the server owns and stores the object under its key', async () => {
      const created = objectOf(await create(newStore(), configMap('x', { data: { k: 'v' } })));
      expect(created).to.deep.equal({
        kind: 'ConfigMap',
        apiVersion: 'v1',
        data: { k: 'v' },
        metadata: {
          name: 'x',
          namespace: 'a',
          uid: 'uid-1',
          resourceVersion: '2',
          creationTimestamp: '2026-01-01T00:00:00Z',
        },
      });
      expect(await stored('x')).to.deep.equal(created);
    });

    it('tries other names while generated ones are taken', async () => {
      const store = newStore();
      await create(store, configMap('p-bbbbb'));
      const draws = [0, 0, 0, 0, 0, 0.04, 0.04, 0.04, 0.04, 0.04];
      random = () => draws.shift() ?? 0.99;
      const made = objectOf(
        await create(store, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'p-' } }),
      );
      expect(made.metadata?.name).to.equal('p-ccccc');
    });

    it('tells of a generated name by the group that objects are kept in', async () => {
      const store = newStore({ group: 'events.k8s.io' });
      await create(store, configMap('p-bbbbb'));
      random = () => 0;
      const error = await refusal(() =>
        create(store, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'p-' } }),
      );
      expect(error.message).to.match(/^configmaps "p-bbbbb" already exists/);
    });

    it('gives up after eight attempts, and says so', async () => {
      const store = newStore();
      random = () => 0;
      await create(store, configMap('p-bbbbb'));
      const error = await refusal(() =>
        create(store, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'p-' } }),
      );
      expect(error.status).to.deep.include({
        code: 409,
        reason: 'AlreadyExists',
        message:
          'configmaps "p-bbbbb" already exists, the server was not able to generate a unique name for the object',
      });
    });

    it('says when the holder of a name is being deleted', async () => {
      const store = newStore();
      await create(store, configMap('x', { metadata: { finalizers: ['example.com/f'] } }));
      expect((await refusal(() => create(store, configMap('x')))).message).to.equal('configmaps "x" already exists');
      await remove(store, 'x');
      expect((await refusal(() => create(store, configMap('x')))).message).to.equal(
        'object is being deleted: configmaps "x" already exists',
      );
    });

    it('validates metadata and the resource together', async () => {
      const store = newStore();
      expect((await refusal(() => create(store, configMap('X')))).status).to.deep.include({
        code: 422,
        reason: 'Invalid',
      });
      expect(
        (await refusal(() => create(store, configMap('x', { metadata: { finalizers: ['plain'] } })))).message,
      ).to.contain('neither a standard finalizer name nor is it fully qualified');
      await create(newStore({ anyFinalizers: true }), configMap('x', { metadata: { finalizers: ['plain'] } }));
      expect(
        (await refusal(() => create(store, configMap('x', { metadata: { resourceVersion: '5' } })))).status,
      ).to.deep.include({ code: 500, message: 'resourceVersion should not be set on objects to be created' });
    });

    it('writes nothing on a dry run, which refuses what a real one would', async () => {
      const store = newStore();
      const made = objectOf(await create(store, configMap('x'), true));
      expect(made.metadata).to.deep.equal({
        name: 'x',
        namespace: 'a',
        uid: 'uid-1',
        creationTimestamp: '2026-01-01T00:00:00Z',
      });
      expect(await stored('x')).to.equal(undefined);
      await create(store, configMap('x'));
      expect((await refusal(() => create(store, configMap('x'), true))).reason).to.equal('AlreadyExists');
    });

    it('answers a dry run with what would be read from the version that is stored', async () => {
      const v1beta1 = { group: '', version: 'v1beta1' };
      const builtin = builtinScheme();
      const store = newStore({
        storageVersion: v1beta1,
        scheme: {
          kind: (gvk) => builtin.kind(gvk),
          versions: (name) => builtin.versions(name),
          kinds: () => builtin.kinds(),
          applyDefaults: () => undefined,
          // The stored version has no room for data.
          convert: ({ data: _data, ...rest }, { version }) => ({ ...rest, apiVersion: version }),
        },
      });
      const given = configMap('x', { data: { a: 'b' } });
      for (const made of [
        await create(store, structuredClone(given), true),
        (await update(store, given, { forceAllowCreate: true, dryRun: true })).result,
      ])
        expect(objectOf(made)).to.deep.include({ apiVersion: 'v1', kind: 'ConfigMap' }).and.not.to.have.key('data');
    });

    it(
      'looks at names that may be anything after the rules of the kind, and at the beginning of long names not ' +
        'at all',
      async () => {
        const anything = newStore({
          strategy: {
            validateName: nameIsAnything,
            validate: (object) => (object['data'] === undefined ? [required('data')] : []),
          },
        });
        expect((await refusal(() => create(anything, configMap('a/b')))).message).to.equal(
          'ConfigMap "a/b" is invalid: data: Required value',
        );
        expect((await refusal(() => create(anything, configMap('a/b', { data: {} })))).message).to.equal(
          `ConfigMap "a/b" is invalid: metadata.name: Invalid value: "a/b": may not contain '/'`,
        );
        const long = newStore({ strategy: { validateName: nameIsLongName } });
        expect((await refusal(() => create(long, configMap('a'.repeat(254))))).message).to.match(
          /must be no more than 253 bytes$/,
        );
        await create(long, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'x', generateName: 'X_' } });
      },
    );

    it('finishes what a hook has begun, whatever comes of it', async () => {
      const finished: boolean[] = [];
      const store = newStore({
        hooks: {
          beginCreate: () => (success) => {
            finished.push(success);
          },
        },
      });
      await create(store, configMap('x'));
      await refusal(() => create(store, configMap('x')));
      await refusal(() => create(store, configMap('X')));
      expect(finished).to.deep.equal([true, false, false]);
    });
  });

  describe('update', () => {
    it('keeps what a hook has begun when the write has won, and gives it back when it lost or failed', async () => {
      const events: string[] = [];
      let runs = 0;
      const store = newStore({
        hooks: {
          beginUpdate: () => {
            const run = ++runs;
            events.push(`begin ${run}`);
            return (success) => {
              events.push(`${success ? 'keep' : 'give back'} ${run}`);
            };
          },
        },
      });
      await create(store, configMap('x'));
      let raced = false;
      const racing: UpdatedObjectInfo = {
        preconditions: undefined,
        updatedObject: async (_context, old) => {
          if (!raced)
            await storage.guaranteedUpdate('/registry/configmaps/a/x', ({ object }) => ({
              object: { ...object, data: { by: 'another' } },
            }));
          raced = true;
          return { ...structuredClone(old), data: { by: 'us' }, metadata: { name: 'x' } };
        },
      };
      await store.update(context, 'x', racing, {
        ...write,
        forceAllowCreate: false,
        validateCreate: accept,
        validateUpdate: accept,
      });
      await refusal(() => update(store, configMap('x', { metadata: { labels: { '!': '' } } })));
      expect(events).to.deep.equal(['begin 1', 'give back 1', 'begin 2', 'keep 2', 'begin 3', 'give back 3']);
    });

    it('keeps what an update cannot change', async () => {
      const store = newStore();
      await create(store, configMap('x', { metadata: { generation: 3 } }));
      nowMs += 60_000;
      const { result } = await update(
        store,
        configMap('x', { data: { k: 'v' }, metadata: { creationTimestamp: '2020-01-01T00:00:00Z', generation: 9 } }),
      );
      expect(objectOf(result).metadata).to.deep.equal({
        name: 'x',
        namespace: 'a',
        uid: 'uid-1',
        resourceVersion: '3',
        generation: 3,
        creationTimestamp: '2026-01-01T00:00:00Z',
      });
    });

    it('compares resource versions, and takes none for the current one where the strategy allows', async () => {
      const store = newStore();
      await create(store, configMap('x'));
      const stale = await refusal(() => update(store, configMap('x', { metadata: { resourceVersion: '1' } })));
      expect(stale.status).to.deep.include({
        code: 409,
        message:
          'Operation cannot be fulfilled on configmaps "x": the object has been modified; please apply your ' +
          'changes to the latest version and try again',
      });
      expect(
        (await refusal(() => update(store, configMap('x', { metadata: { resourceVersion: 'abc' } })))).status,
      ).to.deep.include({ code: 500, message: 'strconv.ParseUint: parsing "abc": invalid syntax' });
      const strict = newStore({ strategy: { allowUnconditionalUpdate: false } });
      await create(strict, configMap('x'));
      expect((await refusal(() => update(strict, configMap('x')))).message).to.equal(
        'configmaps "x" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
      );
    });

    it('writes nothing when nothing changes', async () => {
      const store = newStore();
      const before = (await create(store, configMap('x', { data: { k: 'v' } }))) as ObjectRecord;
      const { result } = await update(store, configMap('x', { data: { k: 'v' } }));
      expect((result as ObjectRecord).revision).to.equal(before.revision);
    });

    it('creates only where it may', async () => {
      const store = newStore();
      expect((await refusal(() => update(store, configMap('x')))).message).to.equal('configmaps "x" not found');
      expect((await update(store, configMap('x'), { forceAllowCreate: true })).created).to.equal(true);
      const lenient = newStore({ strategy: { allowCreateOnUpdate: true } });
      expect((await update(lenient, configMap('y'))).created).to.equal(true);
      expect(await stored('y')).to.have.nested.property('metadata.uid');
    });

    it(
      'says once per check of the metadata what is wrong with ' + 'finalizers, in the order in which the kind checks',
      async () => {
        const wrong = 'metadata.finalizers[0]: neither';
        const orders = [
          [['update'], [wrong, 'data', 'change']],
          [
            ['object', 'rules', 'update'],
            [wrong, 'data', wrong, 'change'],
          ],
          [
            ['update', 'changes', 'object', 'rules'],
            [wrong, 'change', wrong, 'data'],
          ],
          [[], ['data', 'change']],
        ] as const;
        for (const [updateChecksMetadata, expected] of orders) {
          const store = newStore({
            strategy: {
              updateChecksMetadata,
              validateUpdate: () => [required('data')],
              validateChange: () => [required('change')],
            },
          });
          await create(store, configMap('x'));
          const { status } = await refusal(() =>
            update(store, configMap('x', { metadata: { finalizers: ['plain'] } })),
          );
          expect(
            status.details?.causes?.map(({ field, message }) =>
              message?.includes('neither') === true ? `${field}: neither` : field,
            ),
          ).to.deep.equal(expected);
        }
      },
    );

    it('writes an object that is stored bare by its first update, whatever that changes', async () => {
      const store = newStore({ isStoredBare: () => true });
      await create(store, configMap('x'));
      const revisions: (string | undefined)[] = [];
      for (let i = 0; i < 2; i++)
        revisions.push(objectOf((await update(store, configMap('x'))).result).metadata?.resourceVersion);
      expect(revisions[1]).to.equal(revisions[0]);
      expect(Number(revisions[0])).to.be.greaterThan(2);
    });

    it('says first what a kind looks at before the metadata of a new object', async () => {
      const store = newStore({
        strategy: { validateFirst: () => [required('first')], validate: () => [required('data')] },
      });
      const { status } = await refusal(() => create(store, configMap('x', { metadata: { finalizers: ['plain'] } })));
      expect(status.details?.causes?.map(({ field }) => field)).to.deep.equal([
        'first',
        'metadata.finalizers[0]',
        'data',
      ]);
    });

    it('names the key of the resource alone when a dry run does not meet its preconditions', async () => {
      const store = newStore({}, '/configmaps');
      await create(store, configMap('x'));
      const other: UpdatedObjectInfo = { ...becomes(configMap('x')), preconditions: { uid: 'other' } };
      const keyOf = async (dryRun: boolean): Promise<string | undefined> =>
        /Key: ([^,]*)/.exec(
          (
            await refusal(() =>
              store.update(context, 'x', other, {
                ...write,
                dryRun,
                forceAllowCreate: false,
                validateCreate: accept,
                validateUpdate: accept,
              }),
            )
          ).message,
        )?.[1];
      expect([await keyOf(true), await keyOf(false)]).to.deep.equal(['/configmaps/a/x', '/registry/configmaps/a/x']);
    });

    it('deletes a dying object whose last finalizer it removes, unless the resource objects', async () => {
      for (const allowed of [true, false]) {
        const store = newStore({ hooks: { shouldDeleteDuringUpdate: () => allowed } });
        await create(store, configMap('x', { metadata: { finalizers: ['example.com/f'] } }));
        await remove(store, 'x');
        expect((await update(store, configMap('x'), { dryRun: true })).created).to.equal(false);
        expect(await stored('x')).to.not.equal(undefined);
        await update(store, configMap('x'));
        expect((await stored('x')) === undefined).to.equal(allowed);
      }
    });

    it('runs again on the newest object when somebody was faster', async () => {
      const store = newStore();
      await create(store, configMap('x', { data: { n: '0' } }));
      const increment: UpdatedObjectInfo = {
        preconditions: undefined,
        updatedObject: async (_context, old) => {
          const object = structuredClone(old);
          const data = object['data'] as { n: string };
          data.n = String(Number(data.n) + 1);
          await new Promise((resolve) => {
            setImmediate(resolve);
          });
          return object;
        },
      };
      await Promise.all(
        Array.from({ length: 5 }, () =>
          store.update(context, 'x', increment, {
            ...write,
            forceAllowCreate: false,
            validateCreate: accept,
            validateUpdate: accept,
          }),
        ),
      );
      expect((await stored('x'))?.['data']).to.deep.equal({ n: '5' });
    });
  });

  describe('delete', () => {
    it('answers with a Status, or the object where the resource returns it', async () => {
      const store = newStore();
      await create(store, configMap('x'));
      const { result, deleted } = await remove(store, 'x');
      expect(result).to.deep.equal({
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        status: 'Success',
        details: { name: 'x', kind: 'configmaps', uid: 'uid-1' },
      });
      expect(deleted).to.equal(true);
      const returning = newStore({ returnDeletedObject: true });
      await create(returning, configMap('x'));
      expect(objectOf((await remove(returning, 'x')).result)).to.have.nested.property('metadata.resourceVersion', '3');
      expect((await refusal(() => remove(store, 'y'))).message).to.equal('configmaps "y" not found');
    });

    it('marks objects with finalizers and changes nothing the second time', async () => {
      const store = newStore();
      await create(store, configMap('x', { metadata: { finalizers: ['example.com/f'], generation: 1 } }));
      const first = objectOf((await remove(store, 'x')).result);
      expect(first.metadata).to.deep.include({
        deletionTimestamp: '2026-01-01T00:00:00Z',
        deletionGracePeriodSeconds: 0,
        generation: 2,
      });
      nowMs += 60_000;
      expect(objectOf((await remove(store, 'x')).result)).to.deep.equal(first);
    });

    it('adds the garbage collector’s finalizers as asked', async () => {
      const store = newStore();
      const finalizersAfter = async (
        name: string,
        options: Partial<DeleteOptions>,
      ): Promise<readonly string[] | undefined> => {
        await create(store, configMap(name));
        await remove(store, name, options);
        return (await stored(name))?.metadata?.finalizers;
      };
      expect(await finalizersAfter('a', { propagationPolicy: 'Orphan' })).to.deep.equal(['orphan']);
      expect(await finalizersAfter('b', { propagationPolicy: 'Foreground' })).to.deep.equal(['foregroundDeletion']);
      expect(await finalizersAfter('c', { propagationPolicy: 'Background' })).to.equal(undefined);
      expect(await finalizersAfter('d', { orphanDependents: true })).to.deep.equal(['orphan']);
    });

    it('tells of preconditions in the group whose types it works with', async () => {
      const store = newStore({ group: 'events.k8s.io', kind: 'Event', plural: 'events' });
      await create(store, configMap('x', { apiVersion: 'v1', kind: 'Event' }));
      expect((await refusal(() => remove(store, 'x', { preconditions: { uid: 'other' } }))).message).to.contain(
        'Operation cannot be fulfilled on Event "x"',
      );
    });

    it('does not delete with a resourceVersion where it takes the last finalizers itself', async () => {
      const store = newStore();
      await create(store, configMap('x', { metadata: { finalizers: ['orphan'] } }));
      const options = { propagationPolicy: 'Background', preconditions: { resourceVersion: '2' } } as const;
      const { status } = await refusal(() => remove(store, 'x', options));
      expect(status.code).to.equal(409);
      expect(status.message).to.contain('ResourceVersion in precondition: , ResourceVersion in object meta: ');
    });

    it('shows nothing of an object of which a dry run would take the last finalizers itself', async () => {
      const store = newStore();
      await create(store, configMap('x', { metadata: { finalizers: ['orphan'] } }));
      const { result } = await remove(store, 'x', { propagationPolicy: 'Background', dryRun: true });
      expect(objectOf(result)).to.deep.equal({ apiVersion: 'v1', kind: 'ConfigMap', metadata: {} });
    });

    it('checks preconditions in both places', async () => {
      const store = newStore();
      await create(store, configMap('x'));
      expect((await refusal(() => remove(store, 'x', { preconditions: { uid: 'other' } }))).message).to.equal(
        'Operation cannot be fulfilled on ConfigMap "x": the UID in the precondition (other) does not match ' +
          'the UID in record (uid-1). The object might have been deleted and then recreated',
      );
      await remove(store, 'x', { preconditions: { uid: 'uid-1', resourceVersion: '2' } });
      expect(await stored('x')).to.equal(undefined);
    });

    it('tells admission the grace period that the strategy settled', async () => {
      const store = newStore({
        strategy: {
          checkGracefulDelete: (_object, options) => {
            options.gracePeriodSeconds ??= 30;
            return true;
          },
        },
      });
      await create(store, configMap('a'));
      const told: unknown[] = [];
      await store.delete(
        context,
        'a',
        (_object, effective) => {
          told.push(effective?.gracePeriodSeconds);
        },
        { dryRun: false },
      );
      expect(told).to.deep.equal([30]);
    });

    it('deletes gracefully where the strategy can, and only ever sooner', async () => {
      const store = newStore({
        strategy: {
          checkGracefulDelete: (_object, options) => {
            options.gracePeriodSeconds ??= 30;
            return true;
          },
        },
        returnDeletedObject: true,
      });
      await create(store, configMap('x'));
      expect(objectOf((await remove(store, 'x')).result).metadata).to.deep.include({
        deletionTimestamp: '2026-01-01T00:00:30Z',
        deletionGracePeriodSeconds: 30,
      });
      expect(objectOf((await remove(store, 'x', { gracePeriodSeconds: 60 })).result).metadata).to.deep.include({
        deletionGracePeriodSeconds: 30,
      });
      expect(objectOf((await remove(store, 'x', { gracePeriodSeconds: 10 })).result).metadata).to.deep.include({
        deletionTimestamp: '2026-01-01T00:00:10Z',
        deletionGracePeriodSeconds: 10,
      });
      nowMs += 20_000;
      expect(objectOf((await remove(store, 'x', { gracePeriodSeconds: 5 })).result).metadata).to.deep.include({
        deletionTimestamp: '2026-01-01T00:00:20Z',
        deletionGracePeriodSeconds: 1,
      });
      expect((await remove(store, 'x', { gracePeriodSeconds: 0 })).deleted).to.equal(true);
      expect(await stored('x')).to.equal(undefined);
    });

    it('removes nothing on a dry run', async () => {
      const store = newStore();
      await create(store, configMap('x'));
      await remove(store, 'x', { dryRun: true });
      await remove(store, 'x', { dryRun: true, propagationPolicy: 'Orphan' });
      expect((await stored('x'))?.metadata?.finalizers).to.equal(undefined);
    });
  });

  describe('deleteCollection', () => {
    const list = {
      predicate: everything,
      resourceVersion: '',
      resourceVersionMatch: '' as const,
      limit: 0,
      continue: '',
    };

    it('deletes what the list selects and answers with it', async () => {
      const store = newStore();
      for (let i = 0; i < 10; i++) await create(store, configMap(`x${i}`));
      const result = await store.deleteCollection(context, accept, { dryRun: false }, list);
      expect(result.items).to.have.length(10);
      expect(await storage.count('/registry/configmaps/')).to.equal(0);
    });

    it('stops at the first refusal', async () => {
      const store = newStore();
      for (let i = 0; i < 10; i++) await create(store, configMap(`x${i}`));
      const error = await refusal(() =>
        store.deleteCollection(
          context,
          (object) => {
            if (object.metadata?.name === 'x2')
              throw new StatusError({ status: 'Failure', code: 403, reason: 'Forbidden', message: 'no' });
          },
          { dryRun: false },
          list,
        ),
      );
      expect(error.code).to.equal(403);
      expect(await stored('x9')).to.not.equal(undefined);
    });
  });

  it('narrows lists and watches to one key where a selector names one object', async () => {
    const store = newStore();
    await create(store, configMap('x'));
    await create(store, configMap('y'));
    const { items } = await store.list(context, {
      predicate: everything,
      resourceVersion: '',
      resourceVersionMatch: '',
      limit: 0,
      continue: '',
      name: 'x',
    });
    expect(items.map(({ key }) => key)).to.deep.equal(['/registry/configmaps/a/x']);
  });

  it('refuses names that are no part of a key', async () => {
    const error = await refusal(() => newStore().get(context, 'a/b', {}));
    expect(error.status).to.deep.include({
      code: 400,
      message: 'Name parameter invalid: "a/b": may not contain \'/\'',
    });
  });
});
