import type { FieldError } from '@kubechain/apimachinery';
import type { Node, NodeSpec, NodeStatus, Service } from '@kubechain/apimachinery/types/core/v1';
import type { Ingress, IngressSpec } from '@kubechain/apimachinery/types/networking/v1';
import { expect } from 'chai';
import { capabilitiesOf } from '../capabilities.ts';
import { validateNode, validateNodeUpdate } from '../core/node/validation.ts';
import { serviceStrategy } from '../core/service/strategy.ts';
import { validateIngress, validateIngressUpdate } from '../networking/ingress/validation.ts';
import { ingressStatusWarnings } from '../networking/ingress/warnings.ts';

const node = (spec: NodeSpec = {}, status?: object, annotations: Record<string, string> = {}): Node => ({
  metadata: { annotations },
  spec,
  ...(status === undefined ? {} : { status: status as NodeStatus }),
});
const avoiding = (...preferAvoidPods: object[]): Node =>
  node({}, undefined, { 'scheduler.alpha.kubernetes.io/preferAvoidPods': JSON.stringify({ preferAvoidPods }) });
const dual = (...podCIDRs: string[]): Node => node({ podCIDRs });
const ingress = (spec: IngressSpec): Ingress => ({
  spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } }, ...spec },
});
const hosted = (host: string): IngressSpec => ({
  rules: [
    {
      host,
      http: { paths: [{ path: 'bar', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }] },
    },
  ],
});
const backend = 'must be an absolute path';

const rows: readonly (readonly [name: string, errors: () => readonly FieldError[], ...expected: string[]])[] = [
  [
    'a node that avoids pods of nobody',
    () => validateNode(avoiding({}, { podSignature: { podController: { controller: true } } })),
    'metadata.annotations.scheduler.alpha.kubernetes.io/preferAvoidPods[0].PodSignature: Required value',
  ],
  [
    'a node that avoids pods of no controller',
    () => validateNode(avoiding({ podSignature: { podController: {} } })),
    'metadata.annotations.scheduler.alpha.kubernetes.io/' +
      'preferAvoidPods[0].PodSignature.PodController.Controller: Invalid value: false: must point to a controller',
  ],
  [
    'a node with no swap where there is some',
    () => validateNode(node({}, { nodeInfo: { swap: { capacity: 0 } } })),
    'metadata.nodeSwapStatus.capacity: Invalid value: 0: must be greater than zero',
  ],
  [
    'a feature of a long name',
    () => validateNode(node({}, { declaredFeatures: [`F${'e'.repeat(253)}`] })),
    `status.declaredFeatures[0]: Invalid value: "F${'e'.repeat(253)}": invalid feature name ` +
      `"F${'e'.repeat(253)}": must be no more than 253 characters`,
  ],
  [
    'a range that is none among two',
    () => validateNode(dual('10.0.0.0/24', 'abc')).filter(({ type }) => type === 'InternalError'),
    'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid ' +
      'CIDR[1]: <nil> (invalid CIDR address: abc)',
  ],
  ['a status of a node', () => validateNodeUpdate(node({ taints: [] }, { declaredFeatures: ['b'] }), node()).slice(1)],
  [
    'the same through the main endpoint, where it is said twice',
    () => {
      const broken = node({}, { capacity: { cpu: '-1' } });
      return [...validateNode(broken), ...validateNodeUpdate(broken, node())];
    },
    ...Array<string>(2).fill('status.capacity.cpu: Invalid value: "-1": must be greater than or equal to 0'),
  ],
  [
    'configuration of a kubelet in the spec',
    () =>
      validateNodeUpdate(
        node({ configSource: { configMap: { name: 'n', namespace: 'ns', kubeletConfigKey: 'k', uid: 'u' } } }),
        node(),
      ),
    'spec.configSource.configMap.uid: Forbidden: uid must not be set in spec',
  ],
  [
    'configuration of a kubelet in the status',
    () =>
      validateNodeUpdate(
        node(
          {},
          {
            config: {
              active: {},
              assigned: {
                configMap: { name: 'n', namespace: 'ns', kubeletConfigKey: '../k', resourceVersion: '1', uid: 'u' },
              },
            },
          },
        ),
        node(),
      ),
    'status.config.assigned.configMap.kubeletConfigKey: Invalid value: "../k": a valid config key must ' +
      "consist of alphanumeric characters, '-', '_' or '.' (e.g. 'key.name',  or 'KEY_NAME',  or 'key-name', " +
      "regex used for validation is '[-._a-zA-Z0-9]+')",
    'status.config.assigned.configMap.kubeletConfigKey: Invalid value: "../k": must not start with \'..\'',
    'status.config.active: Invalid value: {"ConfigMap":null}: exactly one reference subfield must be non-nil',
  ],
  [
    'a bad secret',
    () =>
      validateIngress(ingress({ tls: [{ secretName: 'a b' }] }))
        .map((error) => error)
        .slice(1),
  ],
  [
    'a bad secret that stays',
    () => validateIngressUpdate(ingress({ tls: [{ secretName: 'a b' }] }), ingress({ tls: [{ secretName: 'c d' }] })),
  ],
  [
    'a bad path below a star',
    () => validateIngress(ingress(hosted('*.a.b'))),
    `spec.rules[0].http.paths[0].path: Invalid value: "bar": ${backend}`,
  ],
  [
    'a bad path below a star that stays',
    () => validateIngressUpdate(ingress(hosted('*.a.b')), ingress(hosted('*.a.b'))),
  ],
  [
    'a bad path of a plain host, old or not',
    () => validateIngressUpdate(ingress(hosted('a.b')), ingress(hosted('a.b'))),
    `spec.rules[0].http.paths[0].path: Invalid value: "bar": ${backend}`,
  ],
];

describe('rules of nodes and ingresses', () => {
  for (const [name, errors, ...expected] of rows)
    it(name, () => {
      expect(errors().map(String)).to.deep.equal(expected);
    });

  it('leave the internal traffic policy of external names to validation, and drop it then', () => {
    const service: Service = { spec: { type: 'ExternalName', externalName: 'a.b', internalTrafficPolicy: 'Cluster' } };
    serviceStrategy(capabilitiesOf({ allowPrivileged: true })).canonicalize?.(service as never);
    expect(service.spec).to.deep.equal({ type: 'ExternalName', externalName: 'a.b' });
  });

  it('warn', () => {
    expect(ingressStatusWarnings({ status: { loadBalancer: { ingress: [{ ip: '001.2.3.4' }] } } })).to.deep.equal([
      'status.loadBalancer.ingress[0]: non-standard IP address "001.2.3.4" is invalid: use "1.2.3.4"',
    ]);
  });
});
