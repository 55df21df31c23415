import { conflict } from '@kubechain/apimachinery';
import { FakeClock, settle } from '@kubechain/apimachinery/testing';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import type { DeleteOptions, ObjectName } from '../client/resource-client.ts';
import type { ControllerContext } from '../controller/controller.ts';
import { PodGCController } from './pod-gc-controller.ts';

describe('PodGCController', () => {
  const look = async (pods: readonly Pod[], stored: ReadonlyMap<string, string>) => {
    const kept = new Map(stored);
    const errors: unknown[] = [];
    const context = {
      client: {
        resource: () => ({
          delete({ name }: ObjectName, { preconditions }: DeleteOptions = {}): Promise<void> {
            const { uid } = preconditions ?? {};
            if (uid !== undefined && uid !== kept.get(name))
              return Promise.reject(conflict({ group: '', resource: 'pods' }, name, 'the UID in the precondition'));
            kept.delete(name);
            return Promise.resolve();
          },
        }),
      },
      informers: { informer: () => ({ waitForSync: () => Promise.resolve(), list: () => pods, get: () => undefined }) },
      clock: new FakeClock(),
      random: () => 0,
      log: { error: (_: string, error: unknown) => errors.push(error) },
      flags: { lifecycle: { 'terminated-pod-gc-threshold': 0 } },
    } as unknown as ControllerContext;
    const stop = new AbortController();
    const running = new PodGCController(context).run(stop.signal);
    await settle();
    stop.abort();
    await running;
    return { kept: [...kept.keys()], errors };
  };

  it('deletes the pods that it has seen, and none that was made again under its name', async () => {
    const pod = (name: string): Pod => ({
      metadata: { namespace: 'default', name, uid: `${name}-1`, deletionTimestamp: '2026-01-01T00:00:00Z' },
      status: { phase: 'Succeeded' },
    });
    const stored = new Map([
      ['a', 'a-1'],
      ['b', 'b-2'],
    ]);
    expect(await look([pod('a'), pod('b')], stored)).to.deep.equal({ kept: ['b'], errors: [] });
  });
});
