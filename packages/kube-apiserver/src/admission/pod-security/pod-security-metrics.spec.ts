import { expect } from 'chai';
import type { AdmissionAttributes } from '@kubechain/apiserver/resources';
import { MetricRegistry } from '@kubechain/shared-storage/metrics';
import { PodSecurityMetrics } from './pod-security-metrics.ts';

describe('metrics of pod security', () => {
  const registry = new MetricRegistry();
  const metrics = new PodSecurityMetrics(registry, '1.36');
  const told = (name: string): readonly string[] =>
    registry
      .samples(`pod_security_${name}_total`)
      .map(({ labels, value }) => [...Object.values(labels), value].join(' '));
  const of = (resource: string, group = ''): Pick<AdmissionAttributes, 'operation' | 'resource' | 'subresource'> => ({
    operation: 'CREATE',
    resource: { group, version: 'v1', resource },
    subresource: '',
  });

  it('are there before anything has been counted, where it is met most', () => {
    expect([told('evaluations'), told('exemptions'), told('errors')]).to.deep.equal([
      ['allow privileged latest enforce create pod  0', 'allow privileged latest enforce update pod  0'],
      ['create pod  0', 'create controller  0', 'update pod  0', 'update controller  0'],
      [],
    ]);
  });
  it('count evaluations by policy, with versions of the future as one', () => {
    const deny = { decision: 'deny', mode: 'enforce' } as const;
    metrics.evaluated(of('pods'), { ...deny, policy: { level: 'baseline', version: 'v1.36' } });
    metrics.evaluated(of('pods'), { ...deny, policy: { level: 'baseline', version: 'v1.37' } });
    metrics.evaluated(of('pods'), { ...deny, policy: { level: 'privileged', version: 'v1.20' } });
    expect(told('evaluations').slice(2)).to.deep.equal([
      'deny baseline v1.36 enforce create pod  1',
      'deny baseline future enforce create pod  1',
      'deny privileged latest enforce create pod  1',
    ]);
  });
  it('count exemptions and errors by what is made', () => {
    metrics.exempted(of('deployments', 'apps'));
    metrics.failed(of('pods'), true);
    expect(told('exemptions')).to.include('create controller  1');
    expect(told('errors')).to.deep.equal(['true create pod  1']);
  });
});
