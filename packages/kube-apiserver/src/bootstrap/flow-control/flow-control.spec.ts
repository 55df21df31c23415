import { builtinRelease, systemClock } from '@kubechain/apimachinery';
import type { KubeObject } from '@kubechain/apimachinery';
import type { FlowSchema } from '@kubechain/apimachinery/types/flowcontrol/v1';
import {
  builtinResourceSpec,
  createResource,
  defaultFlowSchemas,
  everything,
  internalContext,
  OwnWrites,
} from '@kubechain/apiserver/resources';
import type { Store } from '@kubechain/apiserver/resources';
import { MemoryStorage } from '@kubechain/shared-storage/testing';
import { expect } from 'chai';
import { setTimeout as delay } from 'node:timers/promises';
import { flowSchemaStrategy } from '../../registry/flowcontrol/flowschema/strategy.ts';
import { priorityLevelConfigurationStrategy } from '../../registry/flowcontrol/prioritylevelconfiguration/strategy.ts';
import { ensureFlowControlConfiguration, type FlowControlStores } from './ensure-configuration.ts';
import { danglingCondition } from './dangling-condition.ts';
import { FlowSchemaStatusKeeper } from './flow-schema-status.ts';
import { reviseConfiguration } from './revise-configuration.ts';

const annotation = 'apf.kubernetes.io/autoupdate-spec';
const group = 'flowcontrol.apiserver.k8s.io';
const signal = new AbortController().signal;

describe('reviseConfiguration', () => {
  const object = (
    name: string,
    fields: { readonly marked?: string; readonly generation?: number; readonly spec?: KubeObject },
  ): KubeObject => ({
    metadata: {
      name,
      generation: fields.generation ?? 1,
      ...(fields.marked === undefined ? {} : { annotations: { [annotation]: fields.marked } }),
    },
    spec: fields.spec ?? { a: 1 },
  });
  const rows: readonly (readonly [
    name: string,
    current: KubeObject,
    expected: readonly [marked: string, spec: KubeObject] | undefined,
  ])[] = [
    ['leaves alone what is good', object('system', { marked: 'true' }), undefined],
    [
      'puts right what is kept up to date',
      object('system', { marked: 'true', generation: 3, spec: { a: 2 } }),
      ['true', { a: 1 }],
    ],
    [
      'leaves alone what an administrator has taken over',
      object('system', { marked: 'false', spec: { a: 2 } }),
      undefined,
    ],
    [
      'takes an unmarked object over whose spec never changed',
      object('system', { spec: { a: 2 } }),
      ['true', { a: 1 }],
    ],
    [
      'marks an object whose spec was changed as taken over',
      object('system', { generation: 2, spec: { a: 2 } }),
      ['false', { a: 2 }],
    ],
    [
      'marks anew what is marked with nonsense',
      object('system', { marked: 'perhaps', generation: 2 }),
      ['false', { a: 1 }],
    ],
    [
      'always puts mandatory objects right',
      object('catch-all', { marked: 'false', generation: 9, spec: { a: 2 } }),
      ['true', { a: 1 }],
    ],
  ];
  for (const [name, current, expected] of rows) {
    it(name, () => {
      const revised = reviseConfiguration(current, { spec: { a: 1 } });
      expect(
        revised === undefined ? undefined : [revised.metadata?.annotations?.[annotation], revised['spec']],
      ).to.deep.equal(expected);
    });
  }

  it('leaves the seats of the exempt level to administrators', () => {
    const wanted = { spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 0 } } };
    expect(
      reviseConfiguration(
        object('exempt', { marked: 'true', spec: { type: 'Exempt', exempt: { nominalConcurrencyShares: 9 } } }),
        wanted,
      ),
    ).to.equal(undefined);
    expect(
      reviseConfiguration(object('exempt', { marked: 'true', spec: { type: 'Exempt' } }), wanted)?.['spec'],
    ).to.deep.equal(wanted.spec);
  });
});

describe('danglingCondition', () => {
  const schema: FlowSchema = { metadata: { name: 's' }, spec: { priorityLevelConfiguration: { name: 'l' } } };
  const found = {
    type: 'Dangling',
    status: 'False',
    reason: 'Found',
    message: 'This FlowSchema references the PriorityLevelConfiguration object named "l" and it exists',
  };
  const missing = {
    type: 'Dangling',
    status: 'True',
    reason: 'NotFound',
    message: 'This FlowSchema references the PriorityLevelConfiguration object named "l" but there is no such object',
  };

  it('tells whether the level exists', () => {
    expect([danglingCondition(schema, () => true), danglingCondition(schema, () => false)]).to.deep.equal([
      found,
      missing,
    ]);
  });
  it('tells nothing new', () => {
    expect(
      danglingCondition(
        { ...schema, status: { conditions: [{ ...found, lastTransitionTime: 'long ago' }] } },
        () => true,
      ),
    ).to.equal(undefined);
  });
});

describe('flow control configuration in storage', () => {
  let stores: FlowControlStores;
  let now: number;
  const clock = { ...systemClock, now: () => now };

  beforeEach(() => {
    now = Date.parse('2026-01-02T03:04:05Z');
    const make = (plural: string, strategy: typeof flowSchemaStrategy): Store =>
      createResource(builtinResourceSpec({ group, plural, strategy }), {
        getRESTOptions: () => ({
          decorator: ({ codec }) => new MemoryStorage(codec),
          resourcePrefix: `/${plural}`,
          keyRoot: `/registry/${plural}`,
          enableGarbageCollection: false,
          deleteCollectionWorkers: 1,
        }),
      });
    stores = {
      schemas: make('flowschemas', flowSchemaStrategy),
      levels: make('prioritylevelconfigurations', priorityLevelConfigurationStrategy(builtinRelease)),
    };
  });

  const listed = async (store: Store): Promise<KubeObject[]> => {
    const { items } = await store.list(internalContext({ groupResource: { group, resource: store.spec.plural } }), {
      predicate: everything,
      resourceVersion: '',
      resourceVersionMatch: '',
      limit: 0,
      continue: '',
    });
    return items.map((item) => item.object());
  };
  const write = async (store: Store, verb: 'create' | 'update', object: KubeObject): Promise<void> => {
    await new OwnWrites(store, { scheme: store.spec.scheme, manager: 'admin' })[verb](
      internalContext({ groupResource: { group, resource: store.spec.plural } }),
      object,
    );
  };
  const schemaFor = (name: string, level: string, metadata: object = {}): KubeObject => ({
    apiVersion: `${group}/v1`,
    kind: 'FlowSchema',
    metadata: { name, ...metadata },
    spec: { priorityLevelConfiguration: { name: level }, matchingPrecedence: 5 },
  });

  it('is created whole, and a second look writes nothing', async () => {
    await ensureFlowControlConfiguration(stores, signal);
    const first = await listed(stores.schemas);
    expect(first.map(({ metadata }) => metadata?.name)).to.have.members(defaultFlowSchemas.map(([name]) => name));
    expect(first[0]?.metadata?.managedFields?.[0]?.manager).to.equal('api-priority-and-fairness-config-producer-v1');
    await ensureFlowControlConfiguration(stores, signal);
    expect(await listed(stores.schemas)).to.deep.equal(first);
  });

  it('comes back when it is deleted or changed, and loses what older servers left', async () => {
    await write(stores.schemas, 'create', schemaFor('of-old', 'system', { annotations: { [annotation]: 'true' } }));
    await write(stores.schemas, 'create', schemaFor('of-an-administrator', 'system'));
    await ensureFlowControlConfiguration(stores, signal);
    const probes = (await listed(stores.schemas)).find(({ metadata }) => metadata?.name === 'probes') as KubeObject;
    await write(stores.schemas, 'update', {
      ...structuredClone(probes),
      spec: { ...(probes['spec'] as object), matchingPrecedence: 77 },
    });
    await stores.schemas.delete(
      internalContext({ groupResource: { group, resource: 'flowschemas' } }),
      'catch-all',
      () => undefined,
      { dryRun: false },
    );
    await ensureFlowControlConfiguration(stores, signal);
    const after = new Map((await listed(stores.schemas)).map((object) => [object.metadata?.name, object]));
    expect((after.get('probes') as FlowSchema).spec?.matchingPrecedence).to.equal(2);
    expect([after.has('catch-all'), after.has('of-old'), after.has('of-an-administrator')]).to.deep.equal([
      true,
      false,
      true,
    ]);
  });

  it('has true conditions, written once', async () => {
    const errors: unknown[] = [];
    const keeper = new FlowSchemaStatusKeeper({
      ...stores,
      clock,
      random: () => 0,
      onError: (error) => errors.push(error),
    });
    const status = async (): Promise<string> => {
      await delay(20);
      const [schema] = (await listed(stores.schemas)) as FlowSchema[];
      return (
        `${schema?.status?.conditions?.[0]?.status} ${schema?.status?.conditions?.[0]?.reason} since ` +
        `${schema?.status?.conditions?.[0]?.lastTransitionTime}`
      );
    };
    try {
      await write(stores.schemas, 'create', schemaFor('s', 'late'));
      keeper.start();
      expect(await status()).to.equal('True NotFound since 2026-01-02T03:04:05Z');
      const [{ metadata } = {}] = await listed(stores.schemas);
      expect(metadata?.managedFields?.find(({ subresource }) => subresource === 'status')?.manager).to.equal(
        'api-priority-and-fairness-config-consumer-v1',
      );
      now += 1_000;
      await write(stores.levels, 'create', {
        apiVersion: `${group}/v1`,
        kind: 'PriorityLevelConfiguration',
        metadata: { name: 'late' },
        spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } },
      });
      expect(await status()).to.equal('False Found since 2026-01-02T03:04:06Z');
      const [{ metadata: after } = {}] = await listed(stores.schemas);
      now += 1_000;
      await delay(20);
      const [{ metadata: later } = {}] = await listed(stores.schemas);
      expect([later?.resourceVersion, errors]).to.deep.equal([after?.resourceVersion, []]);
    } finally {
      keeper.stop();
    }
  });

  it('is not written for ever where somebody disagrees', async () => {
    const keeper = new FlowSchemaStatusKeeper({ ...stores, clock, random: () => 0, onError: () => undefined });
    try {
      await write(stores.schemas, 'create', schemaFor('s', 'missing'));
      keeper.start();
      for (let i = 0; i < 10; i++) {
        await delay(10);
        const [schema] = (await listed(stores.schemas)) as FlowSchema[];
        if (schema?.status?.conditions?.[0]?.status !== 'True') continue;
        // Straight into storage: another server that sees the level.
        await stores.schemas.storage.guaranteedUpdate('/registry/flowschemas/s', () => ({
          object: {
            ...structuredClone(schema),
            status: { conditions: [{ type: 'Dangling', status: 'False', reason: `round ${i}` }] },
          } as KubeObject,
        }));
      }
      await delay(20);
      const [last] = (await listed(stores.schemas)) as FlowSchema[];
      expect(last?.status?.conditions?.[0]?.status).to.equal('False');
    } finally {
      keeper.stop();
    }
  });
});
