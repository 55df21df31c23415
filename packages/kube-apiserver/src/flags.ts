import { parseCIDR } from '@kubechain/apimachinery';
import {
  admissionFlags,
  apiEnablementFlags,
  auditFlags,
  authenticationFlags,
  authorizationFlags,
  booleanFlag,
  delegateFlags,
  delegateListenFlags,
  durationFlag,
  enumFlag,
  etcdFlags,
  faultFlags,
  featureFlags,
  fileFlag,
  flagSet,
  genericFlags,
  idleFlag,
  intFlag,
  listFlag,
  loggingFlags,
  metricsFlags,
  tracingFlags,
  servingFlags,
  stringFlag,
} from '@kubechain/apiserver/options';
import { legacyFlag } from './registry/legacy/legacy-flag.ts';
import { defaultAddressTypes } from './kubelet/preferred-address-types.ts';

/** Flags of the built-in resources. */
export const kubeApiserverFlags = flagSet('Built-in resources', {
  'allow-privileged': booleanFlag('Let pods ask for privileged containers.'),
  'max-connection-bytes-per-sec': intFlag(
    'Bytes that go through an upgraded connection to a node, pod or service in a second, each way; 0: no limit.',
  ),
  'default-not-ready-toleration-seconds': intFlag(
    'Seconds that pods stay on a node that is not ready, unless they say otherwise.',
    300,
  ),
  'default-unreachable-toleration-seconds': intFlag(
    'Seconds that pods stay on a node that cannot be reached, unless they say otherwise.',
    300,
  ),
  'coordinated-leadership-lease-duration': durationFlag(
    'How long the server that runs coordinated leader election is believed to without renewing that.',
    15_000,
  ),
  'coordinated-leadership-renew-deadline': durationFlag(
    'How long that server tries to renew it before it gives up.',
    10_000,
  ),
  'coordinated-leadership-retry-period': durationFlag('How long servers wait between tries.', 2_000),
  'debug-socket-path': stringFlag(
    'Unix socket (made with mode 0600) that serves /debug/pprof and /debug/flags without authentication.',
  ),
  'enable-logs-handler': booleanFlag('Deprecated: serve the files of /var/log below /logs/.'),
  'peer-advertise-ip': stringFlag(
    'Address at which other API servers reach this chain for requests that they cannot answer; with ' +
      '--peer-advertise-port, else where clients reach it.',
  ),
  'peer-advertise-port': stringFlag('Port of --peer-advertise-ip.', '', (text) =>
    /^\d*$/.test(text) ? undefined : 'must be a port',
  ),
  'endpoint-reconciler-type': enumFlag(
    'How servers find out of each other for the endpoints of service `kubernetes`: by leases, or not at all.',
    'lease',
    ['lease', 'none'],
  ),
  'event-ttl': durationFlag('How long events are kept.', 3_600_000),
  'legacy-apis': legacyFlag,
  'kubelet-certificate-authority': fileFlag(
    'File with the authorities of the serving certificates of kubelets; without it they are not checked.',
  ),
  'kubelet-client-certificate': fileFlag('File with the client certificate that kubelets are shown.'),
  'kubelet-client-key': fileFlag('File with the key of --kubelet-client-certificate.'),
  'kubelet-port': intFlag('Deprecated: port of kubelets whose nodes do not tell one.', 10_250),
  'kubelet-preferred-address-types': listFlag(
    'Types of node addresses, in the order in which kubelets are dialled by them.',
    defaultAddressTypes,
  ),
  'kubelet-read-only-port': idleFlag(intFlag('Deprecated: does nothing.', 10_255)),
  'kubelet-timeout': idleFlag(
    durationFlag('Does nothing, as in kube-apiserver: streams last as long as they need.', 5000),
  ),
  'service-cluster-ip-range': stringFlag(
    'CIDR of the addresses of services; two, separated by a comma, for both IP families.',
    '10.0.0.0/24',
    (text) => {
      const wrong = text.split(',').find((cidr) => parseCIDR(cidr.trim()) === undefined);
      return wrong === undefined ? undefined : `invalid CIDR address: ${wrong}`;
    },
  ),
  'service-node-port-range': stringFlag('Ports of services that nodes listen on.', '30000-32767'),
  'kubernetes-service-node-port': intFlag(
    'Port of nodes for service `kubernetes`, which is of type NodePort then; 0: of type ClusterIP.',
    0,
    (value) => (value < 0 || value > 65_535 ? 'must be between 0 and 65535' : undefined),
  ),
  'kubernetes-service-port': stringFlag(
    'Port under which clients reach the chain, for the endpoints of the `kubernetes` service; default --secure-port.',
    '',
    (text) => (/^\d*$/.test(text) ? undefined : 'must be a port'),
  ),
});

/** All flags that kube-apiserver understands, by concern. */
export const flagSets = {
  etcd: etcdFlags,
  serving: servingFlags,
  authentication: authenticationFlags,
  authorization: authorizationFlags,
  admission: admissionFlags,
  apiEnablement: apiEnablementFlags,
  generic: genericFlags,
  features: featureFlags,
  audit: auditFlags,
  traces: tracingFlags,
  metrics: metricsFlags,
  delegate: delegateFlags,
  delegateListen: delegateListenFlags,
  faults: faultFlags,
  kubeApiserver: kubeApiserverFlags,
  logging: loggingFlags,
} as const;
