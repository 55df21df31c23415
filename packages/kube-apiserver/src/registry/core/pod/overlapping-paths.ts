import { goQuote } from '@kubechain/apimachinery';
import type { PodCertificateProjection, Volume, VolumeProjection } from '@kubechain/apimachinery/types/core/v1';

/** A file of a volume, and what it comes from; '' where the volume has one source. */
interface SourcedPath {
  readonly path: string;
  readonly source: string;
}

/**
 * Files of one volume that replace each other, or stand where another needs a directory
 * (warningsForOverlappingVirtualPaths of pkg/api/pod,
 * 1.36).
 */
export function overlappingPathWarnings(volumes: readonly Volume[]): string[] {
  return volumes.flatMap((volume) => {
    const { configMap, downwardAPI, name, projected, secret } = volume;
    const title = (kind: string): string => `volume ${goQuote(name || '')} (${kind}): overlapping paths: `;
    return [
      ...overlaps(pathsOf(configMap?.items, '')).map(
        (text) => title(`ConfigMap ${goQuote(configMap?.name ?? '')}`) + text,
      ),
      ...overlaps(pathsOf(secret?.items, '')).map(
        (text) => title(`Secret ${goQuote(secret?.secretName ?? '')}`) + text,
      ),
      ...overlaps(pathsOf(downwardAPI?.items, '')).map((text) => title('DownwardAPI') + text),
      ...projectedWarnings(name || '', projected?.sources ?? [], title('Projected')),
    ];
  });
}

function projectedWarnings(name: string, sources: readonly VolumeProjection[], title: string): string[] {
  const seen: SourcedPath[] = [];
  return sources.flatMap((source) => {
    if (Object.keys(source).length === 0) return [`volume ${goQuote(name)} (Projected) has no sources provided`];
    return overlaps(projectedPaths(source), seen).map((text) => title + text);
  });
}

/** Only the first of the sources counts; validation refuses more. */
function projectedPaths({
  clusterTrustBundle,
  configMap,
  downwardAPI,
  podCertificate,
  secret,
  serviceAccountToken,
}: VolumeProjection): SourcedPath[] {
  if (configMap?.items !== undefined) return pathsOf(configMap.items, `ConfigMap ${goQuote(configMap.name ?? '')}`);
  if (secret?.items !== undefined) return pathsOf(secret.items, `Secret ${goQuote(secret.name ?? '')}`);
  if (downwardAPI?.items !== undefined) return pathsOf(downwardAPI.items, 'DownwardAPI');
  if (serviceAccountToken !== undefined)
    return [{ path: serviceAccountToken.path || '', source: 'ServiceAccountToken' }];
  if (clusterTrustBundle !== undefined)
    return [
      {
        path: clusterTrustBundle.path || '',
        source: `ClusterTrustBundle ${goQuote(clusterTrustBundle.name ?? clusterTrustBundle.signerName ?? '')}`,
      },
    ];
  return podCertificate === undefined ? [] : certificatePaths(podCertificate);
}

function certificatePaths({
  certificateChainPath = '',
  credentialBundlePath = '',
  keyPath = '',
}: PodCertificateProjection): SourcedPath[] {
  const all = [
    { path: certificateChainPath, source: 'PodCertificate chain' },
    { path: keyPath, source: 'PodCertificate key' },
    { path: credentialBundlePath, source: 'PodCertificate credential bundle' },
  ];
  return all.filter(({ path }) => path !== '');
}

function pathsOf(items: readonly { readonly path: string }[] = [], source: string): SourcedPath[] {
  return items.map(({ path }: { readonly path?: string }) => ({ path: path ?? '', source }));
}

/** Each path against those before it, which `seen` collects. */
function overlaps(paths: readonly SourcedPath[], seen: SourcedPath[] = []): string[] {
  return paths.flatMap((given) => {
    const item = { ...given, path: given.path.replace(/\/+$/, '') };
    const others =
      item.path === ''
        ? []
        : seen.filter(
            ({ path }) =>
              path !== '' && (`${path}/`.startsWith(`${item.path}/`) || `${item.path}/`.startsWith(`${path}/`)),
          );
    seen.push(item);
    return others.map((other) => `${print(item)} with ${print(other)}`);
  });
}

function print({ path, source }: SourcedPath): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
