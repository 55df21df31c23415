import type { PodSpec, Volume, VolumeMount } from '@kubechain/apimachinery/types/core/v1';

const volumePrefix = 'kube-api-access-';
const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
/** An hour, and seven seconds by which tokens that were given out so can be told from others. */
const tokenSeconds = 3607;

/** Mounts the account's token where clients in containers look for it; what is mounted there already stays. */
export function mountToken(spec: PodSpec, suffix: string): void {
  const existing = (spec.volumes ?? []).find(({ name = '' }: Partial<Volume>) => name.startsWith(volumePrefix));
  const name = existing?.name ?? `${volumePrefix}${suffix}`;
  let needed = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if ((container.volumeMounts ?? []).some((mount) => mount.mountPath === mountPath)) continue;
    const mount: VolumeMount = { name, readOnly: true, mountPath };
    container.volumeMounts = [...(container.volumeMounts ?? []), mount];
    needed = true;
  }
  if (needed && existing === undefined) spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
}

function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        { serviceAccountToken: { path: 'token', expirationSeconds: tokenSeconds } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
    },
  };
}
