import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import { expect } from 'chai';
import { resources } from '../client/resources.ts';
import { resourceKey, type ResourceType } from '../client/resource-type.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { Indexer, type IndexFunction } from '../informers/indexer.ts';
import { keyOf } from '../informers/object-key.ts';
import type { InformerHandlers } from '../informers/shared-informer.ts';
import type { WithMetadata } from '../informers/with-metadata.ts';
import { Scheduler } from './scheduler.ts';

interface Held extends WithMetadata {
  readonly [name: string]: unknown;
}

/** What an informer shows. */
class Shown {
  readonly name = '';
  readonly hasSynced = true;
  readonly #handlers: InformerHandlers<Held>[] = [];
  readonly #objects = new Indexer<Held>();
  /** Told of each look at an object. */
  onGet: () => void = () => undefined;

  addHandlers(handlers: InformerHandlers<Held>): void {
    this.#handlers.push(handlers);
    for (const object of this.list()) handlers.onAdd?.(object);
  }
  addIndex(name: string, of: IndexFunction<Held>): void {
    this.#objects.addIndex(name, of);
  }
  byIndex(name: string, value: string): Held[] {
    return this.#objects.byIndex(name, value);
  }
  list(): Held[] {
    return [...this.#objects.values()];
  }
  get(key: string): Held | undefined {
    this.onGet();
    return this.#objects.get(key);
  }
  waitForSync(): Promise<void> {
    return Promise.resolve();
  }
  set(object: Held): void {
    const before = this.#objects.get(keyOf(object));
    this.#objects.set(keyOf(object), object);
    for (const { onAdd, onUpdate } of this.#handlers)
      if (before === undefined) onAdd?.(object);
      else onUpdate?.(object, before);
  }
  delete(key: string): void {
    const before = this.#objects.get(key)!;
    this.#objects.delete(key);
    for (const { onDelete } of this.#handlers) onDelete?.(before);
  }
}

const node = (name: string): Held => ({
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  status: { allocatable: { cpu: '4', pods: '10' } },
});
const pod = (name: string, spec: object = {}): Held => ({
  metadata: { name, namespace: 'n', uid: name, generation: 1, labels: { app: name } },
  spec: { containers: [{ name: 'c' }], ...spec },
});
/** Of which namespace its pods are is looked up. */
const webTerm = {
  topologyKey: 'kubernetes.io/hostname',
  labelSelector: { matchLabels: { app: 'web' } },
  namespaceSelector: { matchLabels: { a: 'b' } },
};
const prefers = {
  affinity: {
    podAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: webTerm }] },
  },
};
const avoids = { affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [webTerm] } } };

describe('Scheduler', () => {
  let informers: Map<string, Shown>;
  let bound: unknown[];
  let clock: FakeClock;
  /** Answers a binding. */
  let bind: (binding: object) => Promise<unknown>;
  const shown = (type: ResourceType<unknown>): Shown => {
    const key = resourceKey(type);
    return informers.get(key) ?? informers.set(key, new Shown()).get(key)!;
  };
  /** Does something once affinity is looked at. */
  const meanwhile = (change: () => void): void => {
    const namespaces = shown(resources.namespaces);
    namespaces.onGet = () => {
      namespaces.onGet = () => undefined;
      change();
    };
  };

  beforeEach(() => {
    informers = new Map();
    bound = [];
    clock = new FakeClock();
    bind = (binding) => Promise.resolve(binding);
    shown(resources.namespaces).set({ metadata: { name: 'n', labels: { a: 'b' } } });
    for (const name of ['a', 'b']) shown(resources.nodes).set(node(name));
  });

  /** Where pods that wait are put. */
  const schedule = async (during?: () => Promise<void>): Promise<unknown[]> => {
    const stop = new AbortController();
    const answer = (object: unknown): Promise<unknown> => Promise.resolve(object);
    const context = {
      client: {
        resource: () => ({
          create: (object: { target?: { name: string } }) => {
            if (object.target === undefined) return answer(object);
            bound.push(object.target.name);
            return bind(object);
          },
          patch: answer,
          update: answer,
        }),
      },
      informers: { informer: shown },
      clock,
      random: () => 0,
      log: { error: (_: string, error: unknown) => bound.push(error) },
      signal: stop.signal,
    } as unknown as ControllerContext;
    const scheduler = new Scheduler(context);
    const running = scheduler.run(stop.signal);
    for (let i = 0; i < 5; i++) await settle();
    await during?.();
    stop.abort();
    await running;
    return bound;
  };

  it('puts a pod on a node', async () => {
    shown(resources.pods).set(pod('p', prefers));
    shown(resources.pods).set(pod('web', { nodeName: 'b' }));
    expect(await schedule()).to.deep.equal(['b']);
  });

  // The binding was to a node that was not there any more.
  it('looks again where the node has gone that was the best', async () => {
    shown(resources.pods).set(pod('p', prefers));
    shown(resources.pods).set(pod('web', { nodeName: 'b' }));
    meanwhile(() => shown(resources.nodes).delete('b'));
    expect(await schedule()).to.deep.equal(['a']);
  });

  // It was bound all the same, and its claim to nothing.
  it('does not put a pod where somebody else has taken its volume', async () => {
    const claim = { metadata: { namespace: 'n', name: 'c', uid: 'c' }, spec: { storageClassName: 'local' } };
    const volume = { metadata: { name: 'v' }, spec: { storageClassName: 'local' }, status: { phase: 'Available' } };
    shown(resources.storageclasses).set({
      metadata: { name: 'local' },
      provisioner: 'kubernetes.io/no-provisioner',
      volumeBindingMode: 'WaitForFirstConsumer',
    });
    shown(resources.persistentvolumeclaims).set(claim);
    shown(resources.persistentvolumes).set(volume);
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'c' } }];
    shown(resources.pods).set(pod('p', { ...prefers, volumes }));
    shown(resources.pods).set(pod('web', { nodeName: 'b' }));
    meanwhile(() =>
      shown(resources.persistentvolumes).set({
        ...volume,
        spec: { ...volume.spec, claimRef: { namespace: 'm', name: 'd' } },
      }),
    );
    expect(await schedule()).to.deep.equal([]);
  });

  // Of who was on it nothing was known.
  it('does not put a pod on a node that has come while others were held against it', async () => {
    shown(resources.pods).set(pod('p', avoids));
    for (const name of ['a', 'b', 'd'])
      shown(resources.pods).set({
        ...pod(name, { nodeName: name }),
        metadata: { name, namespace: 'n', uid: name, labels: { app: 'web' } },
      });
    meanwhile(() => shown(resources.nodes).set(node('d')));
    expect(await schedule()).to.deep.equal([]);
  });

  // The other was forgotten, and waited for ever.
  it('does not try again, in the place of another of its name, a pod that has gone', async () => {
    const { promise, reject } = Promise.withResolvers<unknown>();
    bind = () => promise;
    const pods = shown(resources.pods);
    pods.set(pod('p'));
    const wants = { containers: [{ name: 'c', resources: { requests: { cpu: '100' } } }] };
    const large = { ...node('c'), status: { allocatable: { cpu: '200', pods: '10' } } };
    const found = await schedule(async () => {
      pods.delete('n/p');
      pods.set({ ...pod('p', wants), metadata: { name: 'p', namespace: 'n', uid: 'other' } });
      await settle();
      shown(resources.nodes).set(large);
      bind = (binding) => Promise.resolve(binding);
      reject(new Error('unreachable'));
      await settle();
      await clock.advance(20_000);
      await settle();
    });
    expect(found).to.deep.equal(['a', 'c']);
  });
});
