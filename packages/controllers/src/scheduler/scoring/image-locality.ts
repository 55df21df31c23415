import type { Node, Pod } from '@kubechain/apimachinery/types/core/v1';
import type { NodeInfo } from '../node-info.ts';
import { maxNodeScore } from './normalize.ts';

/** The range of sizes that counts: from one small image to so much for each container. */
const bytes = { least: 23 * 1024 * 1024, mostOfContainer: 1_000 * 1024 * 1024 };

/** How many bytes of the pod's images are there already, less for images that few nodes have (ImageLocality, 1.36). */
export function imageScores(
  { spec }: Pod,
  nodes: readonly NodeInfo[],
  all: readonly NodeInfo[],
): readonly number[] | undefined {
  const containers = [...(spec?.initContainers ?? []), ...(spec?.containers ?? [])];
  const volumes = (spec?.volumes ?? []).flatMap(({ image }) => (image === undefined ? [] : [image.reference ?? '']));
  const wanted = [...containers.map(({ image = '' }) => image), ...volumes].map(withTag);
  const holders = new Map(
    wanted.map((image) => [image, all.filter(({ node }) => sizeOf(image, node) !== undefined).length]),
  );
  if ([...holders.values()].every((count) => count === 0)) return undefined;
  const most = bytes.mostOfContainer * containers.length;
  return nodes.map(({ node }) => {
    const sum = wanted.reduce(
      (total, image) => total + Math.trunc(((sizeOf(image, node) ?? 0) * holders.get(image)!) / all.length),
      0,
    );
    const counted = Math.min(Math.max(sum, bytes.least), most);
    return Math.trunc((maxNodeScore * (counted - bytes.least)) / (most - bytes.least));
  });
}

function sizeOf(image: string, { status }: Node): number | undefined {
  const found = status?.images?.find(({ names }) => names?.includes(image));
  return found === undefined ? undefined : (found.sizeBytes ?? 0);
}

function withTag(image: string): string {
  return image.lastIndexOf(':') <= image.lastIndexOf('/') ? `${image}:latest` : image;
}
