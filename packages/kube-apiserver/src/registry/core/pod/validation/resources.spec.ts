import { FieldPath } from '@kubechain/apimachinery';
import type { ResourceRequirements } from '@kubechain/apimachinery/types/core/v1';
import { expect } from 'chai';
import { unforgiving } from '../../../capabilities.ts';
import { validateResources } from './resources.ts';

const told = (resources: ResourceRequirements): string[] =>
  validateResources(resources, FieldPath.of('resources'), { claims: new Set(), ...unforgiving }).map(String);

describe('validateResources', () => {
  const pages = { 'hugepages-2Mi': '4Mi' };

  it('wants cpu or memory beside huge pages, whichever of requests and limits has them', () => {
    expect(told({ limits: pages, requests: pages })).to.deep.equal([
      'resources: Forbidden: HugePages require cpu or memory',
    ]);
    expect(told({ limits: { ...pages, cpu: '1' }, requests: pages })).to.deep.equal([]);
    expect(told({ limits: pages, requests: { ...pages, memory: '1Mi' } })).to.deep.equal([]);
    expect(told({ limits: { 'ephemeral-storage': '1Gi' } })).to.deep.equal([]);
  });

  it('holds requests against the limits of the same name', () => {
    expect(told({ limits: { cpu: '1' }, requests: { cpu: '2' } })).to.deep.equal([
      'resources.requests: Invalid value: "2": must be less than or equal to cpu limit of 1',
    ]);
    expect(told({ limits: { cpu: '1' }, requests: { 'example.com/a': '1' } })).to.deep.equal([
      'resources.limits: Required value: Limit must be set for non overcommitable resources',
    ]);
    expect(told({ limits: { 'example.com/a': '2' }, requests: { 'example.com/a': '1' } })).to.deep.equal([
      'resources.requests: Invalid value: "1": must be equal to example.com/a limit of 2',
    ]);
    expect(told({ limits: { 'example.com/a': '1500m' } })).to.deep.equal([
      'resources.limits[example.com/a]: Invalid value: "1500m": must be an integer',
    ]);
  });
});
