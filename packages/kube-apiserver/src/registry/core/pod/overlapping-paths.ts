import { trimEndOf } from '@kubechain/apimachinery';
import { SeenPaths } from './seen-paths.ts';
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
  const seen = new SeenPaths<SourcedPath>();
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
function overlaps(paths: readonly SourcedPath[], seen = new SeenPaths<SourcedPath>()): string[] {
  const found: string[] = [];
  for (const given of paths) {
    const item = { ...given, path: trimEndOf(given.path, '/') };
    if (item.path === '') continue;
    for (const other of seen.add(item.path, item, MAX_OVERLAPS - found.length))
      found.push(`${print(item)} with ${print(other)}`);
  }
  return found;
}

/** Answers carry 4 KiB of warnings, which these more than fill. */
const MAX_OVERLAPS = 1_000;

function print({ path, source }: SourcedPath): string {
  return source === '' ? goQuote(path) : `${goQuote(path)} (${source})`;
}
