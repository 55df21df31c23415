import type { KubeObject } from '@kubechain/apimachinery';

/** The class that is marked as default by one of these annotations; of several, the newest, then the first by name. */
export function defaultClass(classes: readonly KubeObject[], annotations: readonly string[]): KubeObject | undefined {
  const marked = classes.filter(({ metadata }) => annotations.some((annotation) => metadata?.annotations?.[annotation] === 'true'));
  return marked.toSorted((a, b) => created(b) - created(a) || ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1))[0];
}

function created({ metadata }: KubeObject): number {
  return Date.parse(metadata?.creationTimestamp ?? '') || 0;
}
