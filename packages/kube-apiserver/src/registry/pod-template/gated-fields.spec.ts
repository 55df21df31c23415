import { expect } from 'chai';
import type { PodSpec } from '@kubechain/apimachinery/types/core/v1';
import { capabilitiesOf } from '../capabilities.ts';
import { dropGatedFields } from '../gated-fields.ts';
import { gatedPodFields } from './gated-fields.ts';

const { enabled } = capabilitiesOf({ allowPrivileged: true });

const spec = (fields: object): PodSpec => ({ containers: [], ...fields });

describe('fields of pods behind gates that are off', () => {
  const rows: readonly (readonly [name: string, given: object, kept: object])[] = [
    ['responders to evictions', { evictionResponders: [{ name: 'x' }] }, {}],
    ['modes of empty volumes', { volumes: [{ emptyDir: { mode: 7 } }] }, { volumes: [{ emptyDir: {} }] }],
    [
      'owners of written files',
      {
        volumes: [
          { secret: { defaultUser: 1, items: [{ key: 'k', user: 2 }] } },
          { projected: { defaultUser: 1, sources: [{ serviceAccountToken: { path: 't', user: 3 } }] } },
        ],
      },
      {
        volumes: [
          { secret: { items: [{ key: 'k' }] } },
          { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
        ],
      },
    ],
    [
      'protocols of probes and hooks',
      { containers: [{ livenessProbe: { httpGet: { protocol: 'H' } }, readinessProbe: { grpc: { mode: 'TLS' } } }] },
      { containers: [{ livenessProbe: { httpGet: {} }, readinessProbe: { grpc: {} } }] },
    ],
    [
      'options of mounts',
      { initContainers: [{ volumeMounts: [{ bindMountOptions: ['noexec'] }] }] },
      { initContainers: [{ volumeMounts: [{}] }] },
    ],
  ];
  for (const [name, given, kept] of rows) {
    it(`go: ${name}`, () => {
      const pod = spec(structuredClone(given));
      dropGatedFields(gatedPodFields, pod, { enabled, old: undefined });
      expect(pod).to.deep.equal(spec(kept));
    });

    it(`stay where they were: ${name}`, () => {
      const pod = spec(structuredClone(given));
      dropGatedFields(gatedPodFields, pod, { enabled, old: spec(given) });
      expect(pod).to.deep.equal(spec(given));
    });
  }
});
