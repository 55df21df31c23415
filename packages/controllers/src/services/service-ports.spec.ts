import { expect } from 'chai';
import type { Pod, Service } from '@kubechain/apimachinery/types/core/v1';
import { ServicePorts } from './service-ports.ts';

const service = (ports: readonly object[]): Service => ({ spec: { ports } }) as unknown as Service;
const pod = (...ports: readonly object[]): Pod => ({ spec: { containers: [{ name: 'c', ports }] } }) as unknown as Pod;
const numbers = (of: Service): ServicePorts<number> => new ServicePorts(of, (_, number) => number);

describe('ports of a service on its pods', () => {
  it('are their target, or their own', () => {
    const ports = numbers(service([{ port: 80 }, { port: 81, targetPort: 0 }, { port: 82, targetPort: 8082 }]));
    expect(ports.of(pod())).to.deep.equal([80, 81, 8082]);
  });

  it('are what the pod calls by their names, of the first of one name and protocol', () => {
    const ports = numbers(
      service([
        { port: 1, targetPort: 'web' },
        { port: 2, protocol: 'UDP', targetPort: 'web' },
      ]),
    );
    const web = { name: 'web', containerPort: 8080 };
    expect(ports.of(pod(web, { ...web, containerPort: 9 }))).to.deep.equal([8080]);
    expect(ports.of(pod(web, { ...web, protocol: 'UDP', containerPort: 53 }))).to.deep.equal([8080, 53]);
    const sidecar = { name: 's', restartPolicy: 'Always', ports: [web] };
    expect(ports.of({ spec: { containers: [], initContainers: [sidecar] } } as unknown as Pod)).to.deep.equal([8080]);
    const other = { ...sidecar, restartPolicy: undefined };
    expect(ports.of({ spec: { containers: [], initContainers: [other] } } as unknown as Pod)).to.deep.equal([]);
  });

  it('are one list for all pods with the same ones', () => {
    const ports = numbers(
      service(Array.from({ length: 20_000 }, (_, i) => ({ port: i + 1, targetPort: `p${i % 2}` }))),
    );
    const first = ports.of(pod({ name: 'p0', containerPort: 7 }));
    expect(first).to.have.length(10_000);
    expect(ports.of(pod({ name: 'p0', containerPort: 7 }, { name: 'other', containerPort: 8 }))).to.equal(first);
    expect(ports.of(pod({ name: 'p0', containerPort: 8 }))).to.not.equal(first);
  });
});
