import { expect } from 'chai';
import { internalForm } from './internal-form.ts';

describe('internalForm', () => {
  it("prints all fields under Go's names and in Go's order", () => {
    expect(JSON.stringify(internalForm('networking.ParentReference', { name: 'n', resource: 'foos' }))).to.equal(
      '{"Group":"","Resource":"foos","Namespace":"","Name":"n"}',
    );
  });

  it('tells what is not set from what is zero by the kind of field', () => {
    expect(internalForm('core.ServicePort', { port: 80, protocol: 'TCP' })).to.deep.equal({
      Name: '',
      Protocol: 'TCP',
      AppProtocol: null,
      Port: 80,
      TargetPort: 0,
      NodePort: 0,
    });
  });

  it('prints integers of 64 bits', () => {
    const least = -(2n ** 63n);
    expect(internalForm('core.PodSpec', { terminationGracePeriodSeconds: least })).to.include({
      TerminationGracePeriodSeconds: least,
    });
  });

  it('finds fields that are published under another name', () => {
    expect(internalForm('core.RBDVolumeSource', { monitors: ['m'], image: 'i', pool: 'p', user: 'u' })).to.include({
      RBDImage: 'i',
      RBDPool: 'p',
      RadosUser: 'u',
    });
  });

  it('puts the fields of embedded structs in their place, and metadata as it is published', () => {
    expect(
      JSON.stringify(
        internalForm('core.PodTemplateSpec', {
          metadata: { labels: { b: '2', a: '1' }, name: 'x' },
          spec: { containers: [] },
        }),
      ),
    ).to.match(/^\{"name":"x","labels":\{"a":"1","b":"2"\},"Spec":\{"Volumes":null,/);
    expect(internalForm('core.Volume', { name: 'v', emptyDir: {} }))
      .to.include({ Name: 'v', HostPath: null })
      .and.to.have.property('EmptyDir')
      .that.deep.equals({ Medium: '', SizeLimit: null });
  });

  it('has managed fields in the order of their type, and what they hold as it was sent', () => {
    const managedFields = [{ apiVersion: 'v1', fieldsV1: { b: {}, a: {} }, manager: 'm', operation: 'Apply' }];
    expect(JSON.stringify(internalForm('core.PodTemplateSpec', { metadata: { managedFields } }))).to.contain(
      '{"managedFields":[{"manager":"m","operation":"Apply","apiVersion":"v1","fieldsV1":{"b":{},"a":{}}}],"Spec":',
    );
  });

  it('has the host namespaces of pods in their security context', () => {
    const spec = internalForm('core.PodSpec', {
      hostNetwork: true,
      containers: [{ name: 'c', resources: { requests: { memory: '1Gi', cpu: '1' } } }],
    }) as Record<string, Record<string, unknown>>;
    expect(spec['SecurityContext']).to.include({
      HostNetwork: true,
      HostPID: false,
      ShareProcessNamespace: null,
      RunAsUser: null,
    });
    expect(JSON.stringify(spec['Containers'])).to.contain(
      '"Resources":{"Limits":null,"Requests":{"cpu":"1","memory":"1Gi"},"Claims":null}',
    );
  });
});
