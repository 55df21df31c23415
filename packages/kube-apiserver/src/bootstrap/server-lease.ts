import type { Lease } from '@kubechain/apimachinery/types/coordination/v1';
import { apiServerID, serverLeaseLabels, serverLeaseNamespace } from '@kubechain/apiserver/options';

const peerAddressAnnotation = 'kubernetes.io/peer-advertise-address';
/** A lease that nobody has renewed for this long belongs to a server that is gone. */
const durationSeconds = 3_600;

/** Who a server is, and where its peers reach it. */
export interface ServerIdentity {
  readonly hostname: string;
  /** Of this run of the process. */
  readonly holder: string;
  /** `host:port` for requests that others cannot answer; undefined: nobody hands any on. */
  readonly peerAddress: string | undefined;
}

/** The lease by which others know that a server lives. `nowMs`: milliseconds since the epoch. */
export function serverLease(identity: ServerIdentity, nowMs: number): Lease {
  return labelled(
    {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: apiServerID(identity.hostname), namespace: serverLeaseNamespace },
      spec: {
        holderIdentity: identity.holder,
        leaseDurationSeconds: durationSeconds,
        renewTime: microTime(nowMs),
      },
    },
    identity,
  );
}

/** The same lease, renewed. */
export function renewed(lease: Lease, identity: ServerIdentity, nowMs: number): Lease {
  return labelled(
    { ...lease, spec: { ...lease.spec, leaseDurationSeconds: durationSeconds, renewTime: microTime(nowMs) } },
    identity,
  );
}

/** Source: pkg/controlplane/apiserver/server.go labelAPIServerHeartbeatFunc, 1.36. */
function labelled(lease: Lease, { hostname, peerAddress }: ServerIdentity): Lease {
  const { annotations, labels } = lease.metadata ?? {};
  return {
    ...lease,
    metadata: {
      ...lease.metadata,
      labels: { ...labels, ...serverLeaseLabels, 'kubernetes.io/hostname': hostname },
      ...(peerAddress === undefined ? {} : { annotations: { ...annotations, [peerAddressAnnotation]: peerAddress } }),
    },
  };
}

/** Whether nobody holds a lease any more; one without times is nobody's either. */
export function isExpired({ spec }: Lease, nowMs: number): boolean {
  if (spec?.renewTime === undefined || spec.leaseDurationSeconds === undefined) return true;
  return Date.parse(spec.renewTime) + spec.leaseDurationSeconds * 1_000 < nowMs;
}

/** metav1.MicroTime. */
function microTime(ms: number): string {
  return new Date(ms).toISOString().replace('Z', '000Z');
}
