import { expect } from 'chai';
import type { Pod } from '@kubechain/apimachinery/types/core/v1';
import type { DeviceClass } from '@kubechain/apimachinery/types/resource/v1';
import { classBehind, extendedClaim } from './extended-resources.ts';

const gpu = 'example.com/gpu';
const kind = (name: string, extendedResourceName?: string, creationTimestamp?: string): DeviceClass =>
  ({ metadata: { name, creationTimestamp }, spec: { extendedResourceName } }) as DeviceClass;
const container = (name: string, count: string, restartPolicy?: string): object => ({
  name,
  restartPolicy,
  resources: { requests: { cpu: '1', [gpu]: count } },
});
const requestsOf = (spec: object): readonly (readonly [string, number | undefined])[] =>
  (
    extendedClaim({ metadata: { name: 'p' }, spec } as unknown as Pod, new Map([[gpu, 'gpus']]))?.claim.spec.devices
      ?.requests ?? []
  ).map(({ exactly, name }) => [name, exactly?.count] as const);

describe('extended resources that devices stand behind', () => {
  it('are of the newest class that names them, or of the one in their name', () => {
    const classes = [kind('old', gpu, '2025-01-01T00:00:00Z'), kind('new', gpu, '2026-01-01T00:00:00Z'), kind('x')];
    expect(classBehind(gpu, classes)?.metadata?.name).to.equal('new');
    expect(classBehind('deviceclass.resource.kubernetes.io/x', classes)?.metadata?.name).to.equal('x');
    expect(classBehind('example.com/other', classes)).to.equal(undefined);
  });

  it('are asked for by each container that stays', () => {
    expect(requestsOf({ containers: [container('a', '1'), container('b', '2')] })).to.deep.equal([
      ['container-0-request-1', 1],
      ['container-1-request-1', 2],
    ]);
  });

  it('are used before by containers that only begin, which ask for what is lacking', () => {
    const containers = [container('c', '1')];
    expect(requestsOf({ initContainers: [container('i', '1')], containers })).to.deep.equal([
      ['container-1-request-1', 1],
    ]);
    expect(requestsOf({ initContainers: [container('i', '3'), container('j', '2')], containers })).to.deep.equal([
      ['container-0-request-1', 2],
      ['container-2-request-1', 1],
    ]);
    expect(requestsOf({ initContainers: [container('s', '1', 'Always')], containers })).to.deep.equal([
      ['container-0-request-1', 1],
      ['container-1-request-1', 1],
    ]);
  });

  it('need no claim where nobody asks for them', () => {
    expect(
      extendedClaim({ spec: { containers: [container('c', '0')] } } as unknown as Pod, new Map([[gpu, 'g']])),
    ).to.equal(undefined);
  });
});
