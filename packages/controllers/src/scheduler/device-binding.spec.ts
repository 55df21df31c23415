import { FakeClock } from '@kubechain/apimachinery/testing';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { ResourceClaim } from '@kubechain/apimachinery/types/resource/v1';
import { expect } from 'chai';
import { resources } from '../client/resources.ts';
import type { ControllerContext } from '../controller/controller.ts';
import type { InformerHandlers } from '../informers/shared-informer.ts';
import { DeviceBinding } from './device-binding.ts';

const claim = (version: number, status: ResourceClaim['status'] = {}): ResourceClaim => ({
  metadata: { namespace: 'n', name: 'c', uid: 'c', resourceVersion: String(version), finalizers: [] },
  spec: {},
  status,
});
const pod = (uid: string): Pod => ({
  metadata: { namespace: 'n', name: uid, uid },
  spec: { containers: [], resourceClaims: [{ name: 'c', resourceClaimName: 'c' }] },
});

describe('DeviceBinding', () => {
  // The pod's claim had devices for ever that somebody had taken back.
  for (const [name, isQuicker] of [
    ['after the write was answered', false],
    ['before', true],
  ] as const)
    it(`believes a newer version than the one that it wrote, which is shown ${name}`, async () => {
      let shown = claim(1);
      const handlers: InformerHandlers<ResourceClaim>[] = [];
      const show = (newer: ResourceClaim): void => {
        const before = shown;
        shown = newer;
        for (const { onUpdate } of handlers) onUpdate?.(newer, before);
      };
      let version = 1;
      const update = (written: ResourceClaim): Promise<ResourceClaim> => {
        version++;
        if (isQuicker && written.status?.allocation !== undefined) show(claim(9));
        return Promise.resolve({ ...written, metadata: { ...written.metadata, resourceVersion: String(version) } });
      };
      const context = {
        client: { resource: () => ({ update }) },
        informers: {
          informer: (type: unknown) => ({
            addHandlers: (added: InformerHandlers<ResourceClaim>) =>
              type === resources.resourceclaims && handlers.push(added),
            get: () => shown,
            list: () => (type === resources.resourceclaims ? [shown] : []),
          }),
        },
        clock: new FakeClock(),
        random: () => 0,
        signal: new AbortController().signal,
      } as unknown as ControllerContext;
      const binding = new DeviceBinding(context, () => undefined);
      await binding.bind({ claims: [{ claim: shown, allocation: {} }] }, pod('p'), () => undefined);
      if (!isQuicker) expect(binding.devicesOf(pod('p'))?.claimsToFree()).to.have.length(1);
      show(claim(9));
      expect(binding.devicesOf(pod('p'))?.claimsToFree()).to.deep.equal([]);
    });
});
